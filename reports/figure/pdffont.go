package figure

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
)

// pdfFont is a TrueType font in a PDF, with the glyphs that its texts use. These are renumbered in the order of their first use; 0
// is the one for characters that the font lacks.
type pdfFont struct {
	name, family string
	face         *opentype.Font
	glyphs       []sfnt.GlyphIndex          // of the whole font
	texts        []rune                     // what each stands for
	number       map[rune]int               // its place
	of           map[sfnt.GlyphIndex]uint16 // number of a glyph, for those that are parts of others
}

func newPDFFont(name string, f font.Face) *pdfFont {
	family := string(f.Font.Typeface) + string(f.Font.Variant)
	if f.Font.Weight >= stdfont.WeightBold {
		family += "-Bold"
	}
	return &pdfFont{name: name, family: family, face: f.Face, glyphs: []sfnt.GlyphIndex{0}, texts: []rune{0xfffd}, number: map[rune]int{}}
}

// encodeText writes a text as an operand of TJ: numbers of glyphs, and kerning where two stand closer than their widths. It
// records the glyphs as used.
func (f *pdfFont) encodeText(text string) (name, glyphs string) {
	var buf sfnt.Buffer
	em := fixed.Int26_6(f.face.UnitsPerEm())
	var b strings.Builder
	b.WriteString("[<")
	var last sfnt.GlyphIndex
	for i, r := range text {
		n, known := f.number[r]
		if !known {
			g, err := f.face.GlyphIndex(&buf, r)
			if err != nil {
				g = 0
			}
			n = len(f.glyphs)
			f.number[r], f.glyphs, f.texts = n, append(f.glyphs, g), append(f.texts, r)
		}
		g := f.glyphs[n]
		if i > 0 {
			if kern, err := f.face.Kern(&buf, last, g, em, stdfont.HintingNone); err == nil && kern != 0 {
				fmt.Fprintf(&b, "> %s <", formatLength(-float64(kern)*1000/float64(em)))
			}
		}
		fmt.Fprintf(&b, "%04X", n)
		last = g
	}
	b.WriteString(">]")
	return f.name, b.String()
}

// pdfFontObjects is the number of objects that a font takes.
const pdfFontObjects = 5

// writeObjects writes the font itself, its descendant, its descriptor, its file, and the map from glyphs to Unicode.
func (f *pdfFont) writeObjects(d *pdfDocument) error {
	var source bytes.Buffer
	if _, err := f.face.WriteSourceTo(nil, &source); err != nil {
		return err
	}
	all, err := readTrueType(source.Bytes())
	if err != nil {
		return err
	}
	file, err := f.subsetFont(all)
	if err != nil {
		return err
	}
	var widths strings.Builder
	for n := range f.texts {
		advance, _, err := all.glyphMetric(f.glyphs[n])
		if err != nil {
			return err
		}
		fmt.Fprintf(&widths, "%s ", formatLength(all.toThousandths(float64(advance))))
	}
	sum := sha256.Sum256([]byte(string(f.texts)))
	tag := make([]byte, 6) // distinguishes subsets of a font when documents are joined
	for i := range tag {
		tag[i] = 'A' + sum[i]%26
	}
	name, own := string(tag)+"+"+f.family, d.nextNumber()
	d.addObject(fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>", name, own+1, own+4))
	d.addObject(fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /CIDToGIDMap /Identity /W [0 [%s]] >>",
		name, own+2, widths.String()))
	d.addObject(all.fontDescriptor(name, own+3))
	if err := d.addStream(fmt.Sprintf("/Length1 %d ", len(file)), file); err != nil {
		return err
	}
	return d.addStream("", f.unicodeMap())
}

// unicodeMap returns the ToUnicode map, by which text can be searched and copied.
func (f *pdfFont) unicodeMap() []byte {
	var b bytes.Buffer
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	const most = 100 // in a block
	for from := 0; from < len(f.texts); from += most {
		to := min(from+most, len(f.texts))
		fmt.Fprintf(&b, "%d beginbfchar\n", to-from)
		for n := from; n < to; n++ {
			fmt.Fprintf(&b, "<%04X> <%s>\n", n, strings.TrimPrefix(hexUTF16(string(f.texts[n])), "FEFF"))
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}

// trueType holds the tables of a font, by tag.
type trueType map[string][]byte

var errFont = errors.New("the font of figures cannot be read")

func readTrueType(b []byte) (trueType, error) {
	if len(b) < 12 {
		return nil, errFont
	}
	t := trueType{}
	for i := range int(binary.BigEndian.Uint16(b[4:])) {
		at := 12 + 16*i
		if at+16 > len(b) {
			return nil, errFont
		}
		from, n := int(binary.BigEndian.Uint32(b[at+8:])), int(binary.BigEndian.Uint32(b[at+12:]))
		if from+n > len(b) {
			return nil, errFont
		}
		t[string(b[at:at+4])] = b[from : from+n]
	}
	for tag, least := range map[string]int{"head": 54, "hhea": 36, "maxp": 32, "hmtx": 4, "loca": 2, "glyf": 0, "OS/2": 90} {
		if len(t[tag]) < least {
			return nil, errFont
		}
	}
	return t, nil
}

// int16At reads a signed number of 16 bits in a table.
func (t trueType) int16At(tag string, at int) int {
	return int(int16(binary.BigEndian.Uint16(t[tag][at:])))
}

// toThousandths converts units of the font to thousandths of an em, in which PDF measures.
func (t trueType) toThousandths(units float64) float64 {
	return units * 1000 / float64(t.int16At("head", 18))
}

// glyphMetric returns the width of a glyph, and the space on its left.
func (t trueType) glyphMetric(g sfnt.GlyphIndex) (advance, left int, err error) {
	long := int(binary.BigEndian.Uint16(t["hhea"][34:])) // those that have both; the others are as wide as the last of these
	at := min(int(g), long-1)
	beside := 4*at + 2
	if int(g) >= long {
		beside = 4*long + 2*(int(g)-long)
	}
	if long < 1 || beside+2 > len(t["hmtx"]) {
		return 0, 0, errFont
	}
	return t.int16At("hmtx", 4*at), t.int16At("hmtx", beside), nil
}

// glyphOutline returns the outline of a glyph as it is in the font.
func (t trueType) glyphOutline(g sfnt.GlyphIndex) ([]byte, error) {
	loca := t["loca"]
	var from, to int
	switch i := int(g); {
	case t.int16At("head", 50) == 0 && 2*i+4 <= len(loca):
		from, to = 2*int(binary.BigEndian.Uint16(loca[2*i:])), 2*int(binary.BigEndian.Uint16(loca[2*i+2:]))
	case t.int16At("head", 50) == 1 && 4*i+8 <= len(loca):
		from, to = int(binary.BigEndian.Uint32(loca[4*i:])), int(binary.BigEndian.Uint32(loca[4*i+4:]))
	default:
		return nil, errFont
	}
	if from > to || to > len(t["glyf"]) {
		return nil, errFont
	}
	return t["glyf"][from:to], nil
}

func (t trueType) fontDescriptor(name string, file int) string {
	value := func(tag string, at int) string { return formatLength(t.toThousandths(float64(t.int16At(tag, at)))) }
	return fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s /Flags 4 /FontBBox [%s %s %s %s] /ItalicAngle 0 /Ascent %s /Descent %s /CapHeight %s /StemV 80 /FontFile2 %d 0 R >>",
		name, value("head", 36), value("head", 38), value("head", 40), value("head", 42), value("hhea", 4), value("hhea", 6), value("OS/2", 88), file)
}

// subsetFont returns a TrueType font of the used glyphs and of those that they are made of.
func (f *pdfFont) subsetFont(all trueType) ([]byte, error) {
	f.of = map[sfnt.GlyphIndex]uint16{}
	for n, g := range f.glyphs {
		if _, known := f.of[g]; !known {
			f.of[g] = uint16(n)
		}
	}
	var glyf, hmtx []byte
	loca := []byte{0, 0, 0, 0}
	for n := 0; n < len(f.glyphs); n++ { // parts of glyphs join them at the end
		outline, err := all.glyphOutline(f.glyphs[n])
		if err != nil {
			return nil, err
		}
		if outline, err = f.renumberParts(outline); err != nil {
			return nil, err
		}
		glyf = append(glyf, outline...)
		glyf = append(glyf, make([]byte, -len(glyf)&3)...)
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		advance, left, err := all.glyphMetric(f.glyphs[n])
		if err != nil {
			return nil, err
		}
		hmtx = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(hmtx, uint16(advance)), uint16(left))
	}
	count := uint16(len(f.glyphs))
	changed := func(tag string, at int, to uint16) []byte {
		b := bytes.Clone(all[tag])
		binary.BigEndian.PutUint16(b[at:], to)
		return b
	}
	head := changed("head", 50, 1) // long offsets
	binary.BigEndian.PutUint32(head[8:], 0)
	tables := []struct {
		tag  string
		data []byte
	}{{"cvt ", all["cvt "]}, {"fpgm", all["fpgm"]}, {"glyf", glyf}, {"head", head}, {"hhea", changed("hhea", 34, count)}, {"hmtx", hmtx},
		{"loca", loca}, {"maxp", changed("maxp", 4, count)}, {"prep", all["prep"]}}
	n := len(tables)
	out := []byte{0, 1, 0, 0, 0, byte(n), 0, 128, 0, 3, 0, byte(16*n - 128)} // a search among n tables begins with the 8th
	var body []byte
	for _, t := range tables {
		out = append(out, t.tag...)
		padded := append(bytes.Clone(t.data), make([]byte, -len(t.data)&3)...)
		var sum uint32
		for i := 0; i < len(padded); i += 4 {
			sum += binary.BigEndian.Uint32(padded[i:])
		}
		for _, v := range []uint32{sum, uint32(12 + 16*n + len(body)), uint32(len(t.data))} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		body = append(body, padded...)
	}
	return append(out, body...), nil
}

// renumberParts returns the outline of a glyph with the new numbers of the glyphs that it is made of.
func (f *pdfFont) renumberParts(outline []byte) ([]byte, error) {
	if len(outline) < 10 || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return outline, nil
	}
	const words, scaled, more, xAndY, matrix = 0x1, 0x8, 0x20, 0x40, 0x80
	out := bytes.Clone(outline)
	for at := 10; ; {
		if at+4 > len(out) {
			return nil, errFont
		}
		flags, g := binary.BigEndian.Uint16(out[at:]), sfnt.GlyphIndex(binary.BigEndian.Uint16(out[at+2:]))
		n, known := f.of[g]
		if !known {
			n = uint16(len(f.glyphs))
			f.of[g], f.glyphs = n, append(f.glyphs, g)
		}
		binary.BigEndian.PutUint16(out[at+2:], n)
		if flags&more == 0 {
			return out, nil
		}
		at += 6
		for _, extra := range []struct {
			flag  uint16
			bytes int
		}{{words, 2}, {scaled, 2}, {xAndY, 4}, {matrix, 8}} {
			if flags&extra.flag != 0 {
				at += extra.bytes
			}
		}
	}
}
