package page

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"tenfold/reports/table"
)

func sample() Document {
	return Document{Title: "A *title*", Lead: "lead", Sections: []Section{
		{Title: "Empty"},
		{Title: "Full", Blocks: []Block{
			Text("a < b & <i>c</i>"), List{{Text: "one"}, {Text: "two | three"}},
			Table{Grid: &table.Grid{Title: "t", Corner: "c", Columns: []string{"x"}, Rows: []table.Row{{Label: "r", Slots: []table.Slot{{Text: "1", Best: true}}}}}},
			Figure{File: "figures/f", Alt: `cost $1 "net"`, Caption: "cap", SVG: []byte("<svg width=\"1pt\" height=\"2pt\" viewBox=\"0 0 1 2\"></svg>")},
		}},
		{Title: "Opened", Blocks: []Block{Details{ID: "d1", Title: "more <b>", Aside: "aside", Blocks: []Block{
			Facts{Title: "Facts", Items: []Fact{{Name: "n", Value: "v|"}, {Name: "<m>", Value: "w", Marked: true}}}, Code("a <b>\nc")}}}},
		{Title: "Short", Blocks: []Block{Text("long")}, Brief: "brief"},
	}}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, sample()); err != nil {
		t.Fatal(err)
	}
	want := `# A \*title\*

lead

## Full

a < b & \<i>c\</i>

- one
- two \| three

### t

| c   |     x |
| :-- | ----: |
| r   | **1** |

![cost $1 "net"](figures/f.svg)

cap

## Opened

### more \<b>

Facts:

- n: v\|
- \<m>: w

    a <b>
    c

## Short

brief
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, sample()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title>A *title*</title>", "a &lt; b &amp; &lt;i&gt;", "<strong>1</strong>",
		"<figure id=\"figure-1\" style=\"--natural:1pt\">\n<div class=\"scroll\"><svg viewBox=\"0 0 1 2\">", `<h2 id="full">Full</h2>`,
		"<summary>more &lt;b&gt; <small>aside</small></summary>", `<div id="d1" class="details">`, "<dt>n</dt><dd>v|</dd>", "<mark>&lt;m&gt;</mark>",
		"<pre><code>a &lt;b&gt;\nc</code></pre>", "<p>long</p>",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q", want)
		}
	}
	if strings.Contains(b.String(), "Empty") {
		t.Error("an empty section is shown")
	}
}

// full takes so many bytes.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

var errFull = errors.New("no space left")

func TestWritingFails(t *testing.T) {
	doc := sample()
	for range 300 { // more than is held back before it is written
		doc.Sections[1].Blocks = append(doc.Sections[1].Blocks, doc.Sections[1].Blocks...)[:min(300, 2*len(doc.Sections[1].Blocks))]
	}
	for name, render := range map[string]func(io.Writer, Document) error{"markdown": Markdown, "html": HTML} {
		for _, room := range []int{0, 5000, 9000} {
			if err := render(&full{room}, doc); !errors.Is(err, errFull) {
				t.Errorf("%s into %d bytes: %v", name, room, err)
			}
		}
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

// Every kind of block as both forms have it, tag by tag: the body of a page without its style and script.
func TestGoldenBlocks(t *testing.T) {
	d := sample()
	grid := func(title string) *table.Grid {
		g := &table.Grid{Title: title, Corner: "c", Columns: []string{"x", "words"}}
		for i := range 4 {
			g.Rows = append(g.Rows, table.Row{Label: strconv.Itoa(i), Slots: []table.Slot{{Text: "1", Keys: []string{"k1"}}, {Text: "one"}}})
		}
		return g
	}
	detail, facts := grid("more than a first look"), grid("")
	detail.Detail, facts.Facts = true, true
	d.Prefix = "p-"
	d.Links = func(key string) string { return map[string]string{"k1": "#cell-k1"}[key] }
	d.Sections = append(d.Sections, Section{Title: "All, of a kind", Blocks: []Block{
		Table{Grid: detail, Most: 3}, Table{Grid: facts, Most: 4}, List{{Text: "linked", Cell: "k1"}, {Text: "not", Cell: "k2"}},
		Facts{Items: []Fact{{Name: "n", Value: "v"}}}, Figure{File: "f", Alt: "alt", SVG: []byte(" <svg></svg>\n")},
	}})
	var b bytes.Buffer
	if err := errors.Join(Sections(&b, d), Markdown(&b, d)); err != nil {
		t.Fatal(err)
	}
	const file = "testdata/blocks.txt"
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", file, b.String())
	}
}
