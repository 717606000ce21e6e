package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"io"
	"regexp"
	"strings"

	"tenfold/reports/table"
)

// The parts of every page. Pages can be read without the script, which adds sorting, filters, copies of tables, larger figures, and a
// switch of colours.
var (
	//go:embed page.html
	layout string
	//go:embed page.css
	style string
	//go:embed page.js
	script string

	pageTemplate = template.Must(template.New("page").Parse(layout))
)

// Style returns the CSS of all pages.
func Style() string { return style }

// Script returns the JavaScript of all pages.
func Script() string { return script }

// Policy allows a page only its own style and its own script: anything that slipped through escaping can neither run nor load.
func Policy() string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}

// writer writes the body of a page. Blocks escape what they are given; the markup is theirs.
type writer struct {
	bytes.Buffer
	links           table.Links
	prefix          string
	tables, figures int // so far
}

// HTML writes the document as one self-contained file, which needs no network and, for reading, no script. The anchors of tables
// are #table-1, #table-2 and so on, those of figures #figure-1; sections have anchors made from their titles.
func HTML(w io.Writer, d Document) error {
	all, err := renderSections(d)
	if err != nil {
		return err
	}
	return pageTemplate.Execute(w, struct {
		Title, Lead, Policy string
		Style               template.CSS
		Script              template.JS
		Sections            []section
	}{d.Title, d.Lead, Policy(), template.CSS(style), template.JS(script), all})
}

// Sections writes the document without its title, for a page that has Style and Script.
func Sections(w io.Writer, d Document) error {
	all, err := renderSections(d)
	if err != nil {
		return err
	}
	return pageTemplate.ExecuteTemplate(w, "sections", all)
}

// section is a section as the template needs it.
type section struct {
	ID, Title string
	Body      template.HTML
}

// renderSections renders the sections of a document that have blocks.
func renderSections(d Document) ([]section, error) {
	var all []section
	out := &writer{links: d.Links, prefix: d.Prefix}
	for _, s := range d.Sections {
		if len(s.Blocks) == 0 {
			continue
		}
		out.Reset()
		if err := out.writeBlocks(s.Blocks); err != nil {
			return nil, err
		}
		all = append(all, section{anchorOf(s.Title), s.Title, template.HTML(out.String())})
	}
	return all, nil
}

var notInSlugs = regexp.MustCompile(`[^a-z0-9]+`)

// anchorOf returns the anchor of a section, made from its title.
func anchorOf(title string) string { return notInSlugs.ReplaceAllString(strings.ToLower(title), "-") }

func (w *writer) writeBlocks(bs []Block) error {
	for _, b := range bs {
		if err := b.html(w); err != nil {
			return err
		}
	}
	return nil
}

// printf escapes all arguments but the format.
func (w *writer) printf(format string, texts ...string) {
	escaped := make([]any, len(texts))
	for i, t := range texts {
		escaped[i] = html.EscapeString(t)
	}
	fmt.Fprintf(w, format, escaped...)
}

func (t Text) html(w *writer) error {
	w.printf("<p>%s</p>\n", string(t))
	return nil
}

func (l List) html(w *writer) error {
	w.WriteString("<ul>\n")
	for _, p := range l {
		if w.links != nil && w.links(p.Cell) != "" {
			w.printf("<li><a href=\"%s\">%s</a></li>\n", w.links(p.Cell), p.Text)
		} else {
			w.printf("<li>%s</li>\n", p.Text)
		}
	}
	w.WriteString("</ul>\n")
	return nil
}

func (t Table) html(w *writer) error {
	w.tables++
	kind := "table"
	if t.Grid.Facts {
		kind += " facts"
	}
	if t.Grid.Detail {
		w.printf("<details>\n<summary>%s</summary>\n", t.Grid.Title)
		defer w.WriteString("</details>\n")
	}
	w.printf("<div class=\"%s\">\n", kind)
	err := t.Grid.HTML(w, fmt.Sprintf("%stable-%d", w.prefix, w.tables), w.links)
	w.WriteString("</div>\n")
	return err
}

// size matches the fixed size that a figure states, which would not shrink on a small screen.
var size = regexp.MustCompile(`^<svg width="([^"]*)" height="[^"]*"`)

func (f Figure) html(w *writer) error {
	w.figures++
	svg, natural := bytes.TrimSpace(f.SVG), ""
	if m := size.FindSubmatch(svg); m != nil {
		svg, natural = append([]byte("<svg"), svg[len(m[0]):]...), string(m[1])
	}
	if natural != "" { // otherwise it fits its place
		natural = fmt.Sprintf(" style=\"--natural:%s\"", html.EscapeString(natural))
	}
	fmt.Fprintf(w, "<figure id=\"%sfigure-%d\"%s>\n<div class=\"scroll\">%s</div>\n", w.prefix, w.figures, natural, svg)
	if f.Caption != "" {
		w.printf("<figcaption>%s</figcaption>\n", f.Caption)
	}
	w.WriteString("</figure>\n")
	return nil
}

func (f Facts) html(w *writer) error {
	if f.Title != "" {
		w.printf("<h3>%s</h3>\n", f.Title)
	}
	if f.Long {
		w.WriteString("<dl class=\"long\">\n")
	} else {
		w.WriteString("<dl>\n")
	}
	for _, i := range f.Items {
		format := "<div><dt>%s</dt><dd>%s</dd></div>\n"
		if i.Marked {
			format = "<div><dt><mark>%s</mark></dt><dd><mark>%s</mark></dd></div>\n"
		}
		w.printf(format, i.Name, i.Value)
	}
	w.WriteString("</dl>\n")
	return nil
}

func (c Code) html(w *writer) error {
	w.printf("<pre><code>%s</code></pre>\n", string(c))
	return nil
}

// The anchor is inside, not on the details: browsers open closed details for what is linked inside them.
func (d Details) html(w *writer) error {
	w.printf("<details>\n<summary>%s <small>%s</small></summary>\n<div id=\"%s\" class=\"details\">\n", d.Title, d.Aside, d.ID)
	err := w.writeBlocks(d.Blocks)
	w.WriteString("</div>\n</details>\n")
	return err
}
