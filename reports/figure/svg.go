package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// svgCanvas is a canvas for gonum/plot that writes SVG: smaller than vgsvg's, with paints as classes, which a page or the
// reader's dark mode can recolour, and with the same colours as attributes for programs that know no CSS. Text stays
// text and keeps its measured length in any font.
type svgCanvas struct {
	width, height vg.Length
	body          bytes.Buffer
	paints        map[string]paint // that were used, by class
	now           state
	stack         []state
	live          bool // for a page that shows readings
}

// state is what Push saves. to maps points of the plot (origin at the lower left) to those of the drawing (upper left),
// as the matrix [a c e; b d f].
type state struct {
	color            color.Color
	width            vg.Length
	dashes           []vg.Length
	a, b, c, d, e, f float64
}

func newSVG(width, height vg.Length) *svgCanvas {
	s := &svgCanvas{width: width, height: height, paints: map[string]paint{}}
	s.now = state{a: 1, d: -1, f: height.Points()}
	vg.Initialize(s)
	return s
}

// open begins a group of what is drawn until close.
func (s *svgCanvas) open(class string) { fmt.Fprintf(&s.body, "<g class=\"%s\">\n", class) }
func (s *svgCanvas) close()            { s.body.WriteString("</g>\n") }

func (s *svgCanvas) Size() (w, h vg.Length)                 { return s.width, s.height }
func (s *svgCanvas) SetLineWidth(w vg.Length)               { s.now.width = w }
func (s *svgCanvas) SetLineDash(d []vg.Length, _ vg.Length) { s.now.dashes = d }
func (s *svgCanvas) SetColor(c color.Color)                 { s.now.color = c }
func (s *svgCanvas) Push()                                  { s.stack = append(s.stack, s.now) }

func (s *svgCanvas) Pop() {
	last := len(s.stack) - 1
	s.now, s.stack = s.stack[last], s.stack[:last]
}

func (s *svgCanvas) Translate(p vg.Point) { s.now.e, s.now.f = s.at(p) }

func (s *svgCanvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	n := s.now
	s.now.a, s.now.c = n.a*cos+n.c*sin, n.c*cos-n.a*sin
	s.now.b, s.now.d = n.b*cos+n.d*sin, n.d*cos-n.b*sin
}

func (s *svgCanvas) Scale(x, y float64) {
	s.now.a, s.now.b, s.now.c, s.now.d = s.now.a*x, s.now.b*x, s.now.c*y, s.now.d*y
}

func (s *svgCanvas) at(p vg.Point) (x, y float64) {
	n := &s.now
	return n.a*p.X.Points() + n.c*p.Y.Points() + n.e, n.b*p.X.Points() + n.d*p.Y.Points() + n.f
}

// Stroke of a path.
func (s *svgCanvas) Stroke(p vg.Path) {
	if s.now.width <= 0 {
		return
	}
	fmt.Fprintf(&s.body, `<path fill="none"%s stroke-width="%s"`, s.colour("stroke"), short(s.now.width.Points()))
	if len(s.now.dashes) > 0 {
		var dashes []string
		for _, d := range s.now.dashes {
			dashes = append(dashes, short(d.Points()))
		}
		fmt.Fprintf(&s.body, ` stroke-dasharray="%s"`, strings.Join(dashes, " "))
	}
	fmt.Fprintf(&s.body, ` d="%s"/>`+"\n", s.data(p))
}

// Fill of a path.
func (s *svgCanvas) Fill(p vg.Path) {
	fmt.Fprintf(&s.body, `<path%s d="%s"/>`+"\n", s.colour("fill"), s.data(p))
}

// FillString writes text. Its length is that by which it was placed, whatever font there is to show it with.
func (s *svgCanvas) FillString(f font.Face, p vg.Point, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	x, y := s.at(p)
	fmt.Fprintf(&s.body, `<text x="%s" y="%s"%s font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`,
		short(x), short(y), s.colour("fill"), short(f.Font.Size.Points()), short(f.Width(text).Points()))
	if f.Font.Weight >= stdfont.WeightBold {
		s.body.WriteString(` font-weight="bold"`)
	}
	if turn := math.Atan2(s.now.b, s.now.a) * 180 / math.Pi; math.Abs(turn) > 1e-9 {
		fmt.Fprintf(&s.body, ` transform="rotate(%s %s %s)"`, short(turn), short(x), short(y))
	}
	fmt.Fprintf(&s.body, ">%s</text>\n", escape(text))
}

// DrawImage is part of vg.Canvas; figures have no images.
func (s *svgCanvas) DrawImage(vg.Rectangle, image.Image) {}

// colour is the attributes by which a property has the current colour.
func (s *svgCanvas) colour(property string) string {
	p, named := s.now.color.(paint)
	if !named {
		return fmt.Sprintf(` %s="%s"`, property, hex(s.now.color))
	}
	class := "tf-" + p.name
	if property == "stroke" {
		class += strokeClass
	}
	s.paints[class] = p
	return fmt.Sprintf(` class="%s" %s="%s"`, class, property, hex(p.light))
}

// data of a path; the only arcs are whole circles.
func (s *svgCanvas) data(p vg.Path) string {
	var d []byte
	point := func(command byte, at vg.Point) {
		x, y := s.at(at)
		d = append(append(append(append(d, command), short(x)...), ' '), short(y)...)
	}
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			point('M', c.Pos)
		case vg.LineComp:
			point('L', c.Pos)
		case vg.ArcComp:
			r := short(c.Radius.Points())
			for _, x := range []vg.Length{-c.Radius, c.Radius} {
				d = append(d, "A"+r+" "+r+" 0 0 0"...)
				point(' ', vg.Point{X: c.Pos.X + x, Y: c.Pos.Y})
			}
		case vg.CloseComp:
			d = append(d, 'Z')
		}
	}
	return string(d)
}

// escape makes a text part of a document; characters that XML cannot have are replaced.
func escape(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}

// short writes a length in hundredths of a point.
func short(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', -1, 64)
}

// fonts of an SVG where Liberation Sans, by which text was measured, is missing: those with its widths come first.
const fonts = "'Liberation Sans',Arial,Helvetica,sans-serif"

// write the document. It begins with its element, so that a page can take it in as it is. Its style concerns classes of
// its own only; the rule for dark reading matches where the SVG is the root of its document, never inside a page, which
// sets the properties itself.
func (s *svgCanvas) write(w io.Writer, c Chart, scale float64) error {
	var dark []string
	for _, p := range s.paints {
		dark = append(dark, fmt.Sprintf("--tf-%s:%s", p.name, hex(p.dark)))
	}
	dark = slices.Compact(slices.Sorted(slices.Values(dark)))
	size := fmt.Sprintf(` width="%spt" height="%spt"`, short(s.width.Points()), short(s.height.Points()))
	if c.Width > 0 {
		mm := func(v vg.Length) string { return short(float64(v) * scale / float64(millimetre)) }
		size = fmt.Sprintf(` width="%smm" height="%smm"`, mm(s.width), mm(s.height))
	}
	style := fmt.Sprintf("<style>\n%s@media screen and (prefers-color-scheme:dark){svg:root{%s}}\n</style>\n", rules(s.paints), strings.Join(dark, ";"))
	return s.element(w, size, c, style)
}

// writeLive writes the element for a page that has Style: it is as wide as it can be there.
func (s *svgCanvas) writeLive(w io.Writer, c Chart) error {
	return s.element(w, "", c, "")
}

func (s *svgCanvas) element(w io.Writer, size string, c Chart, style string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg%s viewBox="0 0 %s %s" role="img" xmlns="http://www.w3.org/2000/svg" font-family="%s">`+"\n",
		size, short(s.width.Points()), short(s.height.Points()), fonts)
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n", escape(c.Title), escape(strings.TrimSpace(c.Body.words()+" "+c.Caption)))
	if caption := c.FullCaption(); caption != "" {
		fmt.Fprintf(&b, "<metadata>%s</metadata>\n", escape(caption)) // for pages that show the file
	}
	b.WriteString(style)
	b.Write(s.body.Bytes())
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// rules give classes their paints.
func rules(paints map[string]paint) string {
	var b strings.Builder
	for _, class := range slices.Sorted(maps.Keys(paints)) {
		property := "fill"
		if strings.HasSuffix(class, strokeClass) {
			property = "stroke"
		}
		fmt.Fprintf(&b, ".%s{%s:var(--tf-%s,%s)}\n", class, property, paints[class].name, hex(paints[class].light))
	}
	return b.String()
}

const strokeClass = "-stroke" // behind the class of a fill

// Style is what Live charts need of a page's style.
func Style() string {
	all := map[string]paint{}
	for _, p := range append([]paint{ink, soft, rule, paper}, palette...) {
		all["tf-"+p.name], all["tf-"+p.name+strokeClass] = p, p
	}
	return rules(all) + readingStyle
}
