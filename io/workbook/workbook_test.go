package workbook

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// parts of a workbook with one sheet, as Excel names them.
var parts = [][2]string{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`},
	{"_rels/.rels", `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="r2" Type="x/styles" Target="styles.xml"/><Relationship Id="r3" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`},
	{"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d&quot;. &quot;mmm yy;@"/><numFmt numFmtId="165" formatCode="[h]:mm"/><numFmt numFmtId="166" formatCode="0.00&quot; days&quot;"/></numFmts>` +
		`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/></cellXfs></styleSheet>`},
	{"xl/sharedStrings.xml", `<sst><si><t>plain</t></si><si><r><t xml:space="preserve">rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0" eb="1"><t>READ</t></rPh></si><si><t/></si><si><t>a_x000D_b _xyz_</t></si></sst>`},
	{"xl/worksheets/sheet1.xml", ""},
}

// bookOf is a workbook whose sheet has these rows, with texts replaced in its parts, in pairs.
func bookOf(tb testing.TB, rows string, replace ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range parts {
		text := strings.NewReplacer(replace...).Replace(part[1])
		if strings.HasSuffix(part[0], "sheet1.xml") {
			text = strings.NewReplacer(replace...).Replace(`<worksheet><sheetData>` + rows + `</sheetData><mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A2:A3"/></mergeCells></worksheet>`)
		}
		w, err := z.Create(part[0])
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func read(content []byte) (*Grid, error) {
	b, err := Open(content)
	if err != nil {
		return nil, err
	}
	return b.Read(b.Sheets[0])
}

// show has a line a row, with the name, the kind and the text of each cell.
func show(g *Grid) string {
	var b strings.Builder
	for _, row := range g.Rows {
		for _, c := range row.Cells {
			fmt.Fprintf(&b, "%s:%d:%s ", NameOf(int(c.Column), row.Number), c.Kind, g.Text(c))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, rows, want string
		replace          []string
	}{
		{"numbers", `<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="n"><v>-2.5E-3</v></c><c r="C1"><v>12345678901234567</v></c><c r="D1"/></row>`, "A1:0:1 B1:0:-0.0025 C1:0:12345678901234568 \n", nil},
		{"texts", `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c><c r="E1" t="inlineStr"><is><r><t>in </t></r><r><t>line</t></r></is></c><c r="F1" t="str"><v>07</v></c></row>`,
			"A1:3:plain B1:3:rich text D1:3:a\rb _xyz_ E1:3:in line F1:3:07 \n", nil},
		{"truth values and errors", `<row r="1"><c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c><c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>`, "A1:2:true B1:2:false C1:4:#DIV/0! \n", nil},
		{"dates", `<row r="1"><c r="A1" s="1"><v>45351</v></c><c r="B1" s="2"><v>45351.520833333336</v></c><c r="C1" t="d"><v>2024-02-29T12:30:00</v></c><c r="D1" s="1"><v>1</v></c></row>`,
			"A1:1:2024-02-29 B1:1:2024-02-29T12:30:00 C1:1:2024-02-29T12:30:00 D1:1:1900-01-01 \n", nil},
		{"dates since 1904", `<row r="1"><c r="A1" s="1"><v>43889</v></c></row>`, "A1:1:2024-02-29 \n", []string{"<sheets>", `<workbookPr date1904="1"/><sheets>`}},
		{"no dates", `<row r="1"><c r="A1" s="3"><v>1.5</v></c><c r="B1" s="4"><v>2</v></c><c r="C1" s="5"><v>0.5</v></c><c r="D1" s="1"><v>-1</v></c><c r="E1" s="9"><v>3</v></c></row>`, "A1:0:1.5 B1:0:2 C1:0:0.5 D1:0:-1 E1:0:3 \n", nil},
		{"formulas", `<row r="1"><c r="A1"><f>B1</f><v>3</v></c><c r="B1" t="str"><f>C1</f><v></v></c><c r="C1"><f>D1</f><v></v></c><c r="D1" t="str"><f>E1</f></c></row>`,
			"A1:0:3 C1:5:a formula whose value is not in the file D1:5:a formula whose value is not in the file \n", nil},
		{"places are left out", `<row><c><v>1</v></c><c/><c><v>2</v></c></row><row r="5"><c><v>3</v></c></row><row><c r="AA6"><v>4</v></c></row>`, "A1:0:1 C1:0:2 \nA5:0:3 \nAA6:0:4 \n", nil},
		{"prefixes", `<x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row>`, "A1:0:1 \n", []string{"<worksheet>", `<x:worksheet xmlns:x="m">`, "</worksheet>", "</x:worksheet>"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := read(bookOf(t, c.rows, c.replace...))
			if err != nil {
				t.Fatal(err)
			}
			if got := show(g); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if g.Merged != "A2:A3" {
				t.Errorf("merged %q", g.Merged)
			}
		})
	}
}

// TestDamage: rows are never lost in silence, as by readers that end where a part of the workbook does.
func TestDamage(t *testing.T) {
	rows := `<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>`
	for _, c := range []struct {
		name, want string
		replace    []string
	}{
		{"cut between rows", "unexpected EOF", []string{`</row><row r="2"><c r="A2"><v>2</v></c></row></sheetData><mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A2:A3"/></mergeCells></worksheet>`, "</row>"}},
		{"no XML", "invalid character entity", []string{"<v>2</v>", "<v>2 & 3</v>"}},
		{"another element ends", "element <v> closed by </c>", []string{"<v>2</v>", "<v>2"}},
		{"no number", `cell A2: found "two", expected a number`, []string{"<v>2</v>", "<v>two</v>"}},
		{"infinity", `cell A2: found "1e999", expected a number`, []string{"<v>2</v>", "<v>1e999</v>"}},
		{"no such text", `cell A2: found the shared text "9", and there are 4`, []string{`<c r="A2"><v>2</v>`, `<c r="A2" t="s"><v>9</v>`}},
		{"no such type", `cell A2: has the type "z"`, []string{`<c r="A2"><v>2</v>`, `<c r="A2" t="z"><v>9</v>`}},
		{"a row again", `after row 1 comes one with the number "1", expected 2 to 1048576`, []string{`<row r="2">`, `<row r="1">`}},
		{"a cell elsewhere", `comes one with the name "A7" in row 2`, []string{`r="A2"`, `r="A7"`}},
		{"too far to the right", `comes one with the name "XFE2" in row 2`, []string{`r="A2"`, `r="XFE2"`}},
		{"a part is missing", "the workbook names the part xl/worksheets/other.xml, and does not have it", []string{"/xl/worksheets/sheet1.xml", "/xl/worksheets/other.xml"}},
		{"no sheet", "the workbook has no sheet of cells", []string{"relationships/worksheet", "relationships/chartsheet"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := read(bookOf(t, rows, c.replace...)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	whole := bookOf(t, rows)
	k := bytes.Index(whole, []byte("xl/worksheets/sheet1.xml")) + 60 // in the packed bytes of the sheet
	whole[k] ^= 1
	if _, err := read(whole); err == nil {
		t.Error("a flipped bit is not noticed")
	}
}

func TestNames(t *testing.T) {
	for column, name := range map[int]string{0: "A", 25: "Z", 26: "AA", 701: "ZZ", 702: "AAA", maxColumns - 1: "XFD"} {
		if got, row, ok := parseName(name + "7"); ColumnName(column) != name || !ok || got != column || row != 7 {
			t.Errorf("%s: %s, %d, %d, %v", name, ColumnName(column), got, row, ok)
		}
	}
	for _, bad := range []string{"", "A", "7", "A0", "A-1", "A+1", "XFE1", "A1048577", "Ä1", "A1x"} {
		if _, _, ok := parseName(bad); ok {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestFormats(t *testing.T) {
	for code, want := range map[string]format{
		"General": plain, "0.00": plain, "#,##0.00 [$€-407]": plain, `0" days"`: plain, "0.0E+00": plain, "[Red]-0;0": plain, "h:mm:ss": plain, "[mm]:ss": plain, "@": plain, "Standard": plain,
		"yyyy-mm-dd": day, "d/m/yy h:mm": day, "mmm": day, "mmm-yy": day, "[$-F800]dddd, mmmm dd, yyyy": day, "dd.mm.yyyy;@": day, `yyyy"年"m"月"`: day, "ggge.m.d": day, `mmmm\ d`: day,
	} {
		if got := formatOf(code); got != want {
			t.Errorf("%s: %d, expected %d", code, got, want)
		}
	}
}

// TestPeer: excelize writes and reads the same numbers and texts.
func TestPeer(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	var want [][]string
	for i := range 50 {
		row := []any{i, float64(i) / 7, math.Pow(10, float64(i-25)), fmt.Sprintf("text %d\n<&>\"é\"", i%3), i%2 == 0, nil, strings.Repeat(" ", i%3)}
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("B%d", 2*i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	peer, err := excelize.OpenReader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	if want, err = peer.GetRows("Sheet1", excelize.Options{RawCellValue: true}); err != nil {
		t.Fatal(err)
	}
	g, err := read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Rows) != 50 {
		t.Fatalf("%d rows", len(g.Rows))
	}
	for _, row := range g.Rows {
		texts := make([]string, len(want[row.Number-1]))
		for _, c := range row.Cells {
			text := g.Text(c)
			if c.Kind == Truth {
				text = fmt.Sprint(c.Number)
			}
			texts[c.Column] = text
		}
		for k, text := range want[row.Number-1] {
			if k == 3 { // as it is written, 1E-25
				var x float64
				if _, err := fmt.Sscan(text, &x); err != nil || NumberText(x) != texts[k] {
					t.Errorf("row %d: %s, the peer has %s", row.Number, texts[k], text)
				}
				texts[k] = text
			}
		}
		if !slices.Equal(texts, want[row.Number-1]) {
			t.Errorf("row %d: %q, the peer has %q", row.Number, texts, want[row.Number-1])
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(bookOf(f, `<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" s="1"><v>45351</v></c></row>`))
	f.Fuzz(func(t *testing.T, content []byte) {
		b, err := Open(content)
		if err != nil {
			return
		}
		for _, s := range b.Sheets {
			if all, _ := b.Size(s); all > 1<<24 {
				continue
			}
			g, err := b.Read(s)
			if err != nil {
				continue
			}
			for _, row := range g.Rows {
				for _, c := range row.Cells {
					_ = g.Text(c)
				}
			}
		}
	})
}

// FuzzSheet reads sheets of any XML.
func FuzzSheet(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" s="1"><v>45351</v></c></row>`)
	f.Add(`<row><c t="inlineStr"><is><t>a</t></is></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2024-01-01</v></c></row>`)
	f.Fuzz(func(t *testing.T, rows string) {
		g, err := read(bookOf(t, rows))
		if err != nil {
			return
		}
		last := 0
		for _, row := range g.Rows {
			if row.Number <= last || len(row.Cells) == 0 || !slices.IsSortedFunc(row.Cells, func(a, b Cell) int { return int(a.Column - b.Column) }) {
				t.Fatalf("%v", row)
			}
			last = row.Number
		}
	})
}
