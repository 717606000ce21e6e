package figure

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/color"
	"io"
	"strings"
	"unicode/utf16"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas is a canvas for gonum/plot that writes one page of PDF, as large as the drawing: text is text, in the fonts by which it
// was measured, with the glyphs that it needs embedded. Equal drawings are equal files, since files have no date.
type pdfCanvas struct {
	pen
	scale float64 // of the page to the drawing
	body  bytes.Buffer
	fonts []*pdfFont // in the order of their first use
}

func newPDF(width, height vg.Length, scale float64) *pdfCanvas {
	p := &pdfCanvas{pen: pen{width: width, height: height, now: penState{a: 1, d: 1}}, scale: scale}
	vg.Initialize(p)
	return p
}

// Stroke draws a path.
func (p *pdfCanvas) Stroke(path vg.Path) {
	if p.now.width <= 0 {
		return
	}
	fmt.Fprintf(&p.body, "%s RG %s w [%s] 0 d\n%sS\n", pdfColour(p.now.color), formatLength(p.now.width.Points()), p.dashText(), p.pathOperators(path))
}

// Fill fills a path.
func (p *pdfCanvas) Fill(path vg.Path) {
	fmt.Fprintf(&p.body, "%s rg\n%sf\n", pdfColour(p.now.color), p.pathOperators(path))
}

// FillString writes text, kerned as it was measured.
func (p *pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	x, y := p.transform(at)
	n := p.now
	name, glyphs := p.fontOf(f).encodeText(text)
	fmt.Fprintf(&p.body, "BT %s rg /%s %s Tf %s %s %s %s %s %s Tm %s TJ ET\n", pdfColour(n.color), name, formatLength(f.Font.Size.Points()),
		formatCoordinate(n.a), formatCoordinate(n.b), formatCoordinate(n.c), formatCoordinate(n.d), formatLength(x), formatLength(y), glyphs)
}

// fontOf returns the embedded font of a face, the same for all sizes.
func (p *pdfCanvas) fontOf(f font.Face) *pdfFont {
	for _, known := range p.fonts {
		if known.face == f.Face {
			return known
		}
	}
	made := newPDFFont(fmt.Sprintf("F%d", len(p.fonts)+1), f)
	p.fonts = append(p.fonts, made)
	return made
}

// pdfColour returns a colour in PDF's format, its parts from 0 to 1.
func pdfColour(c color.Color) string {
	r, g, b, _ := c.RGBA()
	part := func(v uint32) string { return formatCoordinate(float64(v) / 0xffff) }
	return part(r) + " " + part(g) + " " + part(b)
}

// formatCoordinate writes a number of a matrix or a colour with up to four decimals.
func formatCoordinate(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.4f", v+0), "0"), ".")
}

// pathOperators returns a path in the operators of PDF; the only arcs are whole circles, made of four Bézier curves.
func (p *pdfCanvas) pathOperators(path vg.Path) string {
	var b strings.Builder
	points := func(operator string, at ...vg.Point) {
		for _, q := range at {
			x, y := p.transform(q)
			b.WriteString(formatLength(x) + " " + formatLength(y) + " ")
		}
		b.WriteString(operator + "\n")
	}
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			points("m", c.Pos)
		case vg.LineComp:
			points("l", c.Pos)
		case vg.ArcComp:
			const kappa = 0.5523 // how far the control points of a quarter are from its ends
			r := c.Radius
			on := func(x, y float64) vg.Point { return c.Pos.Add(vg.Point{X: vg.Length(x) * r, Y: vg.Length(y) * r}) }
			points("m", on(1, 0))
			points("c", on(1, kappa), on(kappa, 1), on(0, 1))
			points("c", on(-kappa, 1), on(-1, kappa), on(-1, 0))
			points("c", on(-1, -kappa), on(-kappa, -1), on(0, -1))
			points("c", on(kappa, -1), on(1, -kappa), on(1, 0))
		case vg.CloseComp:
			b.WriteString("h\n")
		}
	}
	return b.String()
}

// writeDocument writes the canvas as a document of one page.
func (p *pdfCanvas) writeDocument(w io.Writer, title string) error {
	var d pdfDocument
	d.out.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	page := func(v vg.Length) string { return formatLength(v.Points() * p.scale) }
	var resources strings.Builder
	const first = 6 // number of the first object of a font
	for i, f := range p.fonts {
		fmt.Fprintf(&resources, "/%s %d 0 R ", f.name, first+i*pdfFontObjects)
	}
	d.addObject("<< /Type /Catalog /Pages 2 0 R /Lang (en) >>")
	d.addObject("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	d.addObject(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /Font << %s>> >> >>",
		page(p.width), page(p.height), resources.String()))
	scaled := fmt.Sprintf("%s 0 0 %[1]s 0 0 cm\n%s", formatCoordinate(p.scale), p.body.String())
	if err := d.addStream("", []byte(scaled)); err != nil {
		return err
	}
	d.addObject(fmt.Sprintf("<< /Title <%s> /Producer (tenfold) >>", hexUTF16(title)))
	for _, f := range p.fonts {
		if err := f.writeObjects(&d); err != nil {
			return err
		}
	}
	_, err := w.Write(d.finish())
	return err
}

// hexUTF16 encodes a text for the properties of a document.
func hexUTF16(s string) string {
	var b strings.Builder
	b.WriteString("FEFF")
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	return b.String()
}

// pdfDocument collects objects, which are numbered from 1 on.
type pdfDocument struct {
	out     bytes.Buffer
	offsets []int
}

func (d *pdfDocument) addObject(body string) {
	d.offsets = append(d.offsets, d.out.Len())
	fmt.Fprintf(&d.out, "%d 0 obj\n%s\nendobj\n", len(d.offsets), body)
}

// addStream adds an object with compressed content; more has further entries of its dictionary.
func (d *pdfDocument) addStream(more string, content []byte) error {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(content); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	d.addObject(fmt.Sprintf("<< %s/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", more, packed.Len(), packed.String()))
	return nil
}

// nextNumber returns the number that the next object gets.
func (d *pdfDocument) nextNumber() int { return len(d.offsets) + 1 }

// finish adds the cross-reference table and returns the document.
func (d *pdfDocument) finish() []byte {
	at := d.out.Len()
	fmt.Fprintf(&d.out, "xref\n0 %d\n0000000000 65535 f \n", d.nextNumber())
	for _, offset := range d.offsets {
		fmt.Fprintf(&d.out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&d.out, "trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n", d.nextNumber(), at)
	return d.out.Bytes()
}
