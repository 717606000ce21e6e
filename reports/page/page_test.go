package page

import (
	"bytes"
	"strings"
	"testing"

	"tenfold/reports/table"
)

func sample() Document {
	return Document{Title: "A *title*", Lead: "lead", Sections: []Section{
		{Title: "Empty"},
		{Title: "Full", Blocks: []Block{
			Text("a < b & <i>c</i>"), List{"one", "two | three"},
			Table{&table.Grid{Title: "t", Corner: "c", Columns: []string{"x"}, Rows: []table.Row{{Label: "r", Slots: []table.Slot{{Text: "1", Best: true}}}}}},
			Figure{File: "figures/f", Alt: `cost $1 "net"`, Caption: "cap", SVG: []byte("<?xml version=\"1.0\"?>\n<!-- x -->\n<svg width=\"1pt\" height=\"2pt\" viewBox=\"0 0 1 2\"></svg>")},
		}},
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
		`<svg role="img" aria-label="cost $1 &#34;net&#34;" viewBox="0 0 1 2">`, `<h2 id="s2">Full</h2>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q", want)
		}
	}
	if strings.Contains(b.String(), "Empty") || strings.Contains(b.String(), "<?xml") {
		t.Error("an empty section or an XML prolog is shown")
	}
}
