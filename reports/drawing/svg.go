package drawing

import (
	"bytes"
	"encoding/xml"
	"fmt"
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

// svgCanvas is a canvas for gonum/plot that writes SVG: smaller than vgsvg's, with paints as classes, which a page or the reader's
// dark mode can recolour, and with the same colours as attributes for programs without CSS. Text stays text and keeps its measured
// length in any font.
type svgCanvas struct {
	pen    // the origin of the drawing is at the upper left
	body   bytes.Buffer
	paints map[string]paint // that were used, by class
	live   bool             // for a page that shows readings
}

func newSVG(width, height vg.Length) *svgCanvas {
	s := &svgCanvas{pen: pen{width: width, height: height, now: penState{a: 1, d: -1, f: height.Points()}}, paints: map[string]paint{}}
	vg.Initialize(s)
	return s
}

// openGroup begins a group with a class, which closeGroup ends.
func (s *svgCanvas) openGroup(class string) { fmt.Fprintf(&s.body, "<g class=\"%s\">\n", class) }
func (s *svgCanvas) closeGroup()            { s.body.WriteString("</g>\n") }

// Stroke draws a path.
func (s *svgCanvas) Stroke(p vg.Path) {
	if s.now.width <= 0 {
		return
	}
	fmt.Fprintf(&s.body, `<path fill="none"%s stroke-width="%s"`, s.colourAttributes("stroke"), formatLength(s.now.width.Points()))
	if dashes := s.dashText(); dashes != "" {
		fmt.Fprintf(&s.body, ` stroke-dasharray="%s"`, dashes)
	}
	fmt.Fprintf(&s.body, ` d="%s"/>`+"\n", s.pathData(p))
}

// Fill fills a path.
func (s *svgCanvas) Fill(p vg.Path) {
	fmt.Fprintf(&s.body, `<path%s d="%s"/>`+"\n", s.colourAttributes("fill"), s.pathData(p))
}

// FillString writes text. Its length is that by which it was placed, in whatever font it is shown.
func (s *svgCanvas) FillString(f font.Face, p vg.Point, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	x, y := s.transform(p)
	fmt.Fprintf(&s.body, `<text x="%s" y="%s"%s font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`,
		formatLength(x), formatLength(y), s.colourAttributes("fill"), formatLength(f.Font.Size.Points()), formatLength(f.Width(text).Points()))
	if f.Font.Weight >= stdfont.WeightBold {
		s.body.WriteString(` font-weight="bold"`)
	}
	if turn := math.Atan2(s.now.b, s.now.a) * 180 / math.Pi; math.Abs(turn) > 1e-9 {
		fmt.Fprintf(&s.body, ` transform="rotate(%s %s %s)"`, formatLength(turn), formatLength(x), formatLength(y))
	}
	fmt.Fprintf(&s.body, ">%s</text>\n", escapeXML(text))
}

// colourAttributes sets a property, fill or stroke, to the current colour.
func (s *svgCanvas) colourAttributes(property string) string {
	p, named := s.now.color.(paint)
	if !named {
		return fmt.Sprintf(` %s="%s"`, property, hexColour(s.now.color))
	}
	class := "tf-" + p.name
	if property == "stroke" {
		class += strokeClass
	}
	s.paints[class] = p
	return fmt.Sprintf(` class="%s" %s="%s"`, class, property, hexColour(p.light))
}

// pathData returns a path as the value of the attribute d; the only arcs are whole circles.
func (s *svgCanvas) pathData(p vg.Path) string {
	var d []byte
	point := func(command byte, to vg.Point) {
		x, y := s.transform(to)
		d = append(append(append(append(d, command), formatLength(x)...), ' '), formatLength(y)...)
	}
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			point('M', c.Pos)
		case vg.LineComp:
			point('L', c.Pos)
		case vg.ArcComp:
			r := formatLength(c.Radius.Points())
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

// escapeXML escapes a text for a document, and replaces characters that XML cannot have.
func escapeXML(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}

// formatLength writes a length with two decimals of a point.
func formatLength(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', -1, 64)
}

// fonts of an SVG if Liberation Sans, by which text was measured, is missing: those with its widths come first.
const fonts = "'Liberation Sans',Arial,Helvetica,sans-serif"

// writeDocument writes the canvas as one svg element, so that a page can contain it as it is. Its style applies to classes of its
// own only; the rule for dark mode matches if the SVG is the root of its document, never inside a page, which sets the properties
// itself.
func (s *svgCanvas) writeDocument(w io.Writer, c Chart, scale float64) error {
	var dark []string
	for _, p := range s.paints {
		dark = append(dark, fmt.Sprintf("--tf-%s:%s", p.name, hexColour(p.dark)))
	}
	dark = slices.Compact(slices.Sorted(slices.Values(dark)))
	size := fmt.Sprintf(` width="%spt" height="%spt"`, formatLength(s.width.Points()), formatLength(s.height.Points()))
	if c.Width > 0 {
		mm := func(v vg.Length) string { return formatLength(float64(v) * scale / float64(millimetre)) }
		size = fmt.Sprintf(` width="%smm" height="%smm"`, mm(s.width), mm(s.height))
	}
	style := fmt.Sprintf("<style>\n%s@media screen and (prefers-color-scheme:dark){svg:root{%s}}\n</style>\n", classRules(s.paints), strings.Join(dark, ";"))
	return s.writeElement(w, size, c, style)
}

// writeLive writes the element for a page that has Style, in which it takes the available width.
func (s *svgCanvas) writeLive(w io.Writer, c Chart) error {
	return s.writeElement(w, "", c, "")
}

func (s *svgCanvas) writeElement(w io.Writer, size string, c Chart, style string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg%s viewBox="0 0 %s %s" role="img" xmlns="http://www.w3.org/2000/svg" font-family="%s">`+"\n",
		size, formatLength(s.width.Points()), formatLength(s.height.Points()), fonts)
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n", escapeXML(c.Title), escapeXML(strings.TrimSpace(c.Body.describe()+" "+c.Caption)))
	if caption := c.FullCaption(); caption != "" {
		fmt.Fprintf(&b, "<metadata>%s</metadata>\n", escapeXML(caption)) // for pages that show the file
	}
	b.WriteString(style)
	b.Write(s.body.Bytes())
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// classRules returns the CSS rules that give classes their paints.
func classRules(paints map[string]paint) string {
	var b strings.Builder
	for _, class := range slices.Sorted(maps.Keys(paints)) {
		property := "fill"
		if strings.HasSuffix(class, strokeClass) {
			property = "stroke"
		}
		fmt.Fprintf(&b, ".%s{%s:var(--tf-%s,%s)}\n", class, property, paints[class].name, hexColour(paints[class].light))
	}
	return b.String()
}

const strokeClass = "-stroke" // behind the class of a fill

// Style returns the CSS that Live charts need in a page.
func Style() string {
	all := map[string]paint{}
	for _, p := range append([]paint{ink, soft, rule, paper}, palette[:]...) {
		all["tf-"+p.name], all["tf-"+p.name+strokeClass] = p, p
	}
	return classRules(all) + readingStyle
}
