package figure

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"tenfold/reports/drawing"
)

func pdfOf(t *testing.T, c drawing.Chart) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.PDF(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A page of the size that was asked for, with embedded fonts, and nothing in it that depends on when it was drawn.
func TestPDF(t *testing.T) {
	c := build(t, Config{Kind: Sweep, X: "epsilon", Width: 85, Height: 60, Title: "é (α)", Format: Formats{drawing.PDF}}, sweepInput())
	doc := pdfOf(t, c)
	if !bytes.Equal(doc, pdfOf(t, c)) {
		t.Error("drawing twice gives two files")
	}
	for _, want := range []string{"%PDF-1.", "/MediaBox [0 0 240.94 170.08]", "/Title (\xfe\xff\x00\xe9\x00 \x00\\(\x03\xb1\x00\\))", "/BaseFont /utf8liberation\n", "/BaseFont /utf8liberationB\n", "%%EOF"} {
		if !strings.Contains(string(doc), want) {
			t.Errorf("lacks %q", want)
		}
	}
	if page := pdfPage(t, doc); strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
		t.Errorf("it has what is no number:\n%.500s", page)
	}
}

// pdfPage returns the operators of the page.
func pdfPage(t *testing.T, doc []byte) string {
	t.Helper()
	_, rest, _ := bytes.Cut(doc, []byte("stream\n"))
	r, err := zlib.NewReader(bytes.NewReader(rest))
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// pdfTexts returns the texts of a page, whose codes the document's ToUnicode map leaves as they are: UTF-16.
func pdfTexts(page string) (texts []string) {
	for _, m := range regexp.MustCompile(`(?s)Td \((.*?)\) Tj ET`).FindAllStringSubmatch(page, -1) {
		b := []byte(strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r").Replace(m[1]))
		var units []uint16
		for i := 0; i+1 < len(b); i += 2 {
			units = append(units, binary.BigEndian.Uint16(b[i:]))
		}
		texts = append(texts, string(utf16.Decode(units)))
	}
	return texts
}

// Text is text, in the letters of any language that the font has; others leave the document whole.
func TestPDFText(t *testing.T) {
	c := build(t, Config{Kind: Sweep, X: "epsilon", Width: 120, Title: `a (b) \c é 😀 𐀀 日`}, sweepInput())
	c.Heading += ` é 😀 𐀀 日`
	texts := pdfTexts(pdfPage(t, pdfOf(t, c)))
	for _, want := range []string{"stagewise", "step size ε", "0.01", "a (b) \\c é"} {
		if !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("lacks %q: %q", want, texts)
		}
	}
}

// The size of a figure is what the file says, in every format; letters are smaller in columns, and small where all else does not fit.
func TestSizes(t *testing.T) {
	in := many(12, 3)
	for _, c := range []struct {
		config   Config
		mm, tall float64 // 0: not asked for
		scale    float64
	}{
		{Config{Kind: Frontier, Dataset: "data-set-0"}, 0, 0, 1},
		{Config{Kind: Frontier, Dataset: "data-set-0", Width: 85}, 85, 0, 8 / 9.5},
		{Config{Kind: Frontier, Dataset: "data-set-0", Width: 85, Height: 70}, 85, 70, 8 / 9.5},
		{Config{Kind: Frontier, Dataset: "data-set-0", Width: 174}, 174, 0, 1},
		{Config{Kind: CriticalDifference, Width: 85}, 85, 0, 0},
		{Config{Kind: Overlap, Dataset: "data-set-0", Width: 85}, 85, 0, 0},
		{Config{Kind: Overlap, Dataset: "data-set-0", Width: 30}, 30, 0, 0},
	} {
		chart := build(t, c.config, in)
		svg := svgOf(t, chart)
		checkSVG(t, []byte(svg))
		if c.mm == 0 {
			if !strings.HasPrefix(svg, `<svg width="460.8pt"`) {
				t.Errorf("%+v: %.60s", c.config, svg)
			}
			continue
		}
		var wide, high float64
		if _, err := fmt.Sscanf(svg, `<svg width="%fmm" height="%fmm"`, &wide, &high); err != nil {
			t.Fatalf("%+v: %.60s: %v", c.config, svg, err)
		}
		if wide != c.mm || c.tall > 0 && !(math.Abs(high-c.tall) <= 0.01) || high < 20*c.mm/174 {
			t.Errorf("%+v: %g by %g mm", c.config, wide, high)
		}
		w, _ := drawnSize(t, []byte(svg))
		if scale := wide * 72 / 25.4 / w; c.scale > 0 && !(math.Abs(scale-c.scale) <= 0.001) {
			t.Errorf("%+v: scale %g, want %g", c.config, scale, c.scale)
		}
	}
	if _, err := Build(Config{Kind: Frontier, Dataset: "data-set-0", Width: 60, Height: 30}, in); err == nil || !strings.Contains(err.Error(), "height: 30, it takes at least ") {
		t.Errorf("too low: %v", err)
	}
}

// A figure has a heading only where the file says one; pages tell it in the caption otherwise.
func TestHeading(t *testing.T) {
	plain := build(t, Config{Kind: Sweep, X: "sample", Lines: "carry"}, lookupInput())
	headed := build(t, Config{Kind: Sweep, X: "sample", Lines: "carry", Title: "My title"}, lookupInput())
	if strings.Contains(svgOf(t, plain), `font-weight="bold"`) || !strings.Contains(svgOf(t, headed), `font-weight="bold">My title</text>`) {
		t.Error("headings are not where they should be")
	}
	if got := plain.FullCaption(); got != "Mean squared error on test rows against sample. Bars: standard error over folds, corrected for overlapping training rows." {
		t.Error(got)
	}
	if got := headed.FullCaption(); got != "Bars: standard error over folds, corrected for overlapping training rows." {
		t.Error(got)
	}
}

// Axes speak in words: the file's, ours, or the parameter's name without underscores.
func TestWorded(t *testing.T) {
	in := Input{Source: described, Labels: map[string]string{"error": "misclassified", "max_iter": "most iterations"}}
	for name, want := range map[string]string{
		"error": "misclassified", "accuracy": "accuracy on test rows", "selected": "number of selected features", "frobs": "frobs",
		"max_iter": "most iterations", "data_rows": "rows", "combinations.threshold": "combinations threshold", "sample": "sample",
	} {
		if got := in.axisWords(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
