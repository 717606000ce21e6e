package drawing

import (
	"bytes"
	"image/color"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"
	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas is a canvas for gonum/plot that writes one page of PDF, as large as the drawing: text is text, in the fonts by which it
// was measured, with the glyphs that it needs embedded. gonum's vgpdf has Windows-1252 alone, without Greek letters and the minus sign.
type pdfCanvas struct {
	pen   // the origin of the page is at the upper left
	doc   *fpdf.Fpdf
	scale float64 // of the page to the drawing
	fonts map[*opentype.Font]bool
}

func newPDF(width, height vg.Length, scale float64) *pdfCanvas {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: width.Points() * scale, Ht: height.Points() * scale}})
	// Equal drawings are equal files.
	doc.SetCatalogSort(true)
	doc.SetCreationDate(time.Unix(0, 0).UTC())
	doc.SetModificationDate(time.Unix(0, 0).UTC())
	doc.SetProducer("tenfold", true)
	doc.SetLang("en")
	doc.AddPage()
	p := &pdfCanvas{pen: pen{width: width, height: height, now: penState{a: scale, d: -scale, f: height.Points() * scale}}, doc: doc, scale: scale, fonts: map[*opentype.Font]bool{}}
	vg.Initialize(p)
	return p
}

// Stroke draws a path.
func (p *pdfCanvas) Stroke(path vg.Path) {
	if p.now.width <= 0 {
		return
	}
	var dashes []float64
	for _, d := range p.now.dashes {
		dashes = append(dashes, d.Points()*p.scale)
	}
	p.doc.SetDrawColor(rgbParts(p.now.color))
	p.doc.SetLineWidth(p.now.width.Points() * p.scale)
	p.doc.SetDashPattern(dashes, 0)
	p.addPath(path)
	p.doc.DrawPath("D")
}

// Fill fills a path.
func (p *pdfCanvas) Fill(path vg.Path) {
	p.doc.SetFillColor(rgbParts(p.now.color))
	p.addPath(path)
	p.doc.DrawPath("F")
}

// addPath adds a path to the page; the only arcs are whole circles.
func (p *pdfCanvas) addPath(path vg.Path) {
	for _, c := range path {
		x, y := p.transform(c.Pos)
		switch c.Type {
		case vg.MoveComp:
			p.doc.MoveTo(x, y)
		case vg.LineComp:
			p.doc.LineTo(x, y)
		case vg.ArcComp:
			r := c.Radius.Points() * p.scale
			p.doc.MoveTo(x+r, y)
			p.doc.ArcTo(x, y, r, r, 0, 0, 360)
		case vg.CloseComp:
			p.doc.ClosePath()
		}
	}
}

// FillString writes text, as long as it was measured, since fpdf does not kern. Characters beyond U+FFFF, which neither fpdf nor the
// font has, are written as U+FFFD.
func (p *pdfCanvas) FillString(f font.Face, start vg.Point, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	p.setFont(f)
	p.doc.SetTextColor(rgbParts(p.now.color))
	unkerned := vg.Length(0)
	for _, r := range text {
		unkerned += f.Width(string(r))
	}
	x, y := p.transform(start)
	p.doc.TransformBegin()
	p.doc.TransformRotate(math.Atan2(-p.now.b, p.now.a)*180/math.Pi, x, y)
	p.doc.TransformScaleX(float64(f.Width(text)/unkerned)*100, x, y)
	p.doc.Text(x, y, strings.Map(func(r rune) rune {
		if r > 0xffff {
			return utf8.RuneError
		}
		return r
	}, text))
	p.doc.TransformEnd()
}

// setFont sets the font and size of the texts that follow; a font is added to the document before its first text.
func (p *pdfCanvas) setFont(f font.Face) {
	style := ""
	if f.Font.Weight >= stdfont.WeightBold {
		style = "B"
	}
	if !p.fonts[f.Face] {
		p.fonts[f.Face] = true
		var file bytes.Buffer
		if _, err := f.Face.WriteSourceTo(nil, &file); err != nil {
			p.doc.SetError(err)
		}
		p.doc.AddUTF8FontFromBytes(string(f.Font.Typeface), style, file.Bytes())
	}
	p.doc.SetFont(string(f.Font.Typeface), style, f.Font.Size.Points()*p.scale)
}

// rgbParts returns the parts of a colour, from 0 to 255.
func rgbParts(c color.Color) (red, green, blue int) {
	r, g, b, _ := c.RGBA()
	return int(r >> 8), int(g >> 8), int(b >> 8)
}

// writeDocument writes the canvas as a document of one page.
func (p *pdfCanvas) writeDocument(w io.Writer, title string) error {
	p.doc.SetTitle(title, true)
	return p.doc.Output(w)
}
