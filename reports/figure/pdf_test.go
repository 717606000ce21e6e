package figure

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
)

func pdfOf(t *testing.T, c Chart) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.PDF(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var pdfStream = regexp.MustCompile(`(?s)<< ([^\n]*)/Filter /FlateDecode /Length (\d+) >>\nstream\n`)

// streams of a document: what is before the filter in their dictionaries, and their content.
func streams(t *testing.T, doc []byte) (dicts []string, contents [][]byte) {
	t.Helper()
	for _, m := range pdfStream.FindAllSubmatchIndex(doc, -1) {
		n, _ := strconv.Atoi(string(doc[m[4]:m[5]]))
		r, err := zlib.NewReader(bytes.NewReader(doc[m[1] : m[1]+n]))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		dicts, contents = append(dicts, string(doc[m[2]:m[3]])), append(contents, content)
	}
	return dicts, contents
}

// A page of the size that was asked for, with embedded fonts, and nothing in it that depends on when it was drawn.
func TestPDF(t *testing.T) {
	c := build(t, Config{Kind: Sweep, X: "epsilon", Width: 85, Height: 60, Title: "é (α)", Format: Formats{PDF}}, sweepInput())
	doc := pdfOf(t, c)
	if !bytes.Equal(doc, pdfOf(t, c)) {
		t.Error("drawing twice gives two files")
	}
	for _, want := range []string{"%PDF-1.4\n", "/MediaBox [0 0 240.94 170.08]", "/Title <FEFF00E90020002803B10029>", "+LiberationSans /", "+LiberationSans-Bold /", "%%EOF\n"} {
		if !strings.Contains(string(doc), want) {
			t.Errorf("lacks %q", want)
		}
	}
	if regexp.MustCompile(`Date|/ID`).Match(doc) {
		t.Error("it says when it was made")
	}
	// Every object is where the table of objects says.
	at, _ := strconv.Atoi(regexp.MustCompile(`startxref\n(\d+)\n`).FindStringSubmatch(string(doc))[1])
	for i, m := range regexp.MustCompile(`(\d{10}) 00000 n `).FindAllSubmatch(doc[at:], -1) {
		offset, _ := strconv.Atoi(string(m[1]))
		if want := strconv.Itoa(i+1) + " 0 obj\n"; !bytes.HasPrefix(doc[offset:], []byte(want)) {
			t.Errorf("at %d there is no %q", offset, want)
		}
	}
	dicts, contents := streams(t, doc)
	if len(contents) != 1+2*2 {
		t.Fatalf("%d streams, want the page, and of each font its file and its characters", len(contents))
	}
	if page := string(contents[0]); !strings.Contains(page, " Tf 0 1 -1 0 ") || strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
		t.Errorf("the page has no turned text, or what is no number:\n%.500s", page)
	}
	for i, d := range dicts {
		if strings.Contains(d, "/Length1") {
			checkTrueType(t, contents[i])
		}
	}
}

// checkTrueType reads a subset of a font as a program that shows it would.
func checkTrueType(t *testing.T, file []byte) {
	t.Helper()
	tables := trueType{}
	for i := range int(binary.BigEndian.Uint16(file[4:])) {
		at := 12 + 16*i
		from, n := binary.BigEndian.Uint32(file[at+8:]), binary.BigEndian.Uint32(file[at+12:])
		tables[string(file[at:at+4])] = file[from : from+n]
	}
	count := tables.int16At("maxp", 4)
	if len(tables["loca"]) != 4*count+4 || len(tables["hmtx"]) != 4*count || tables.int16At("hhea", 34) != count || count > 200 {
		t.Fatalf("%d glyphs, loca has %d bytes, hmtx %d", count, len(tables["loca"]), len(tables["hmtx"]))
	}
	composite := 0
	for g := range count {
		from, to := binary.BigEndian.Uint32(tables["loca"][4*g:]), binary.BigEndian.Uint32(tables["loca"][4*g+4:])
		if from > to || int(to) > len(tables["glyf"]) {
			t.Fatalf("glyph %d from %d to %d of %d", g, from, to, len(tables["glyf"]))
		}
		if glyph := tables["glyf"][from:to]; len(glyph) > 0 && int16(binary.BigEndian.Uint16(glyph)) < 0 {
			composite++
			if part := int(binary.BigEndian.Uint16(glyph[12:])); part >= count {
				t.Errorf("glyph %d is made of glyph %d of %d", g, part, count)
			}
		}
	}
	if !bytes.Contains(file, []byte("fpgm")) {
		t.Error("the programs of the glyphs are lost")
	}
}

// Glyphs that are made of others bring these with them, and have their widths.
func TestPDFCompositeGlyphs(t *testing.T) {
	f := newPDFFont("F1", font.DefaultCache.Lookup(sansFont(10), 10))
	if _, glyphs := f.encodeText("éAé\U0001f600"); glyphs != "[<0001000200010003>]" {
		t.Errorf("glyphs %s", glyphs)
	}
	var d pdfDocument
	if err := f.writeObjects(&d); err != nil {
		t.Fatal(err)
	}
	if len(f.glyphs) <= len(f.texts) {
		t.Errorf("%d glyphs of %d characters: the parts of é are missing", len(f.glyphs), len(f.texts))
	}
	_, contents := streams(t, d.out.Bytes())
	checkTrueType(t, contents[0])
	if !strings.Contains(string(contents[1]), "4 beginbfchar\n<0000> <FFFD>\n<0001> <00E9>\n<0002> <0041>\n<0003> <D83DDE00>\n") {
		t.Errorf("characters:\n%s", contents[1])
	}
}

// Text can be selected: another program finds it.
func TestPDFText(t *testing.T) {
	command, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext is not installed")
	}
	file := filepath.Join(t.TempDir(), "f.pdf")
	if err := os.WriteFile(file, pdfOf(t, build(t, Config{Kind: Sweep, X: "epsilon", Width: 120}, sweepInput())), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), command, "-layout", file, "-").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"stagewise", "−log10 of the step size ε", "1.0"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("lacks %q:\n%s", want, out)
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
		{Config{Kind: Frontier, Dataset: "data-set-0", Width: 85}, 85, 0, smaller},
		{Config{Kind: Frontier, Dataset: "data-set-0", Width: 85, Height: 70}, 85, 70, smaller},
		{Config{Kind: Frontier, Dataset: "data-set-0", Width: 174}, 174, 0, 1},
		{Config{Kind: CriticalDifference, Width: 85}, 85, 0, 0},
		{Config{Kind: Overlap, Dataset: "data-set-0", Width: 85}, 85, 0, 0},
		{Config{Kind: Overlap, Dataset: "data-set-0", Width: 30}, 30, 0, 0},
	} {
		chart := build(t, c.config, in)
		w, h, scale := chart.layout()
		if c.scale > 0 && scale != c.scale {
			t.Errorf("%+v: scale %g, want %g", c.config, scale, c.scale)
		}
		inMM := func(v float64) float64 { return v * scale / 72 * 25.4 }
		if got := inMM(w.Points()); c.mm > 0 && !(math.Abs(got-c.mm) <= 0.01) || c.mm == 0 && w != natural {
			t.Errorf("%+v: %g mm wide", c.config, got)
		}
		if got := inMM(h.Points()); c.tall > 0 && !(math.Abs(got-c.tall) <= 0.01) || got < 20*c.mm/174 {
			t.Errorf("%+v: %g mm high", c.config, got)
		}
		svg := svgOf(t, chart)
		if m := regexp.MustCompile(`^<svg width="([\d.]+)mm"`).FindStringSubmatch(svg); c.mm > 0 && (m == nil || m[1] != strconv.FormatFloat(c.mm, 'f', -1, 64)) {
			t.Errorf("%+v: %.60s", c.config, svg)
		}
		checkSVG(t, []byte(svg), chart)
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

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		formats Formats
		want    string
	}{{nil, "svg png"}, {Formats{PDF}, "svg pdf"}, {Formats{PNG, PDF}, "svg png pdf"}} {
		var got []string
		for _, f := range []string{SVG, PNG, PDF} {
			if (Chart{Formats: c.formats}).Has(f) {
				got = append(got, f)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, want %s", c.formats, got, c.want)
		}
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
