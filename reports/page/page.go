// Package page renders a report, which is a document of sections, as Markdown and as one self-contained HTML file.
package page

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"io"
	"regexp"
	"strings"

	"tenfold/reports/table"
)

// Document is a report.
type Document struct {
	Title    string
	Lead     string // one line on what was run
	Sections []Section
}

// Section of a document. One without blocks is left out.
type Section struct {
	Title  string
	Blocks []Block
}

// Block is a part of a section: Text, List, Table or Figure.
type Block interface {
	markdown(w io.Writer) error
	html(w io.Writer) error
}

// Text is a paragraph.
type Text string

// List of points.
type List []string

// Table with a heading of its own where it has a title.
type Table struct{ *table.Grid }

// Figure is shown by its file in Markdown and inline in HTML.
type Figure struct {
	File    string // relative to the report, without its ending; .svg and .png are there
	Alt     string
	Caption string
	SVG     []byte
}

// Markdown writes the document for GitHub.
func Markdown(w io.Writer, d Document) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n", table.Escape(d.Title))
	if d.Lead != "" {
		fmt.Fprintf(out, "\n%s\n", table.Escape(d.Lead))
	}
	for _, s := range d.Sections {
		if len(s.Blocks) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n## %s\n", table.Escape(s.Title))
		for _, b := range s.Blocks {
			fmt.Fprintln(out)
			if err := b.markdown(out); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

func (t Text) markdown(w io.Writer) error {
	_, err := fmt.Fprintln(w, table.Escape(string(t)))
	return err
}

func (l List) markdown(w io.Writer) error {
	for _, item := range l {
		if _, err := fmt.Fprintf(w, "- %s\n", table.Escape(item)); err != nil {
			return err
		}
	}
	return nil
}

func (t Table) markdown(w io.Writer) error {
	if t.Title != "" {
		if _, err := fmt.Fprintf(w, "### %s\n\n", table.Escape(t.Title)); err != nil {
			return err
		}
	}
	return t.Grid.Markdown(w)
}

func (f Figure) markdown(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "![%s](%s.svg)\n", table.Escape(f.Alt), f.File); err != nil || f.Caption == "" {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", table.Escape(f.Caption))
	return err
}

//go:embed page.html
var layout string

var pageTemplate = template.Must(template.New("page").Parse(layout))

// HTML writes the document as one file that needs no other, no network and no script.
func HTML(w io.Writer, d Document) error {
	type section struct {
		ID, Title string
		Body      template.HTML
	}
	data := struct {
		Title, Lead string
		Sections    []section
	}{Title: d.Title, Lead: d.Lead}
	for i, s := range d.Sections {
		if len(s.Blocks) == 0 {
			continue
		}
		var body bytes.Buffer
		for _, b := range s.Blocks {
			if err := b.html(&body); err != nil {
				return err
			}
		}
		// Blocks escape what they are given; the markup is theirs.
		data.Sections = append(data.Sections, section{fmt.Sprintf("s%d", i+1), s.Title, template.HTML(body.String())})
	}
	return pageTemplate.Execute(w, data)
}

func (t Text) html(w io.Writer) error {
	_, err := fmt.Fprintf(w, "<p>%s</p>\n", html.EscapeString(string(t)))
	return err
}

func (l List) html(w io.Writer) error {
	var b strings.Builder
	b.WriteString("<ul>\n")
	for _, item := range l {
		fmt.Fprintf(&b, "<li>%s</li>\n", html.EscapeString(item))
	}
	b.WriteString("</ul>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Table) html(w io.Writer) error { return t.Grid.HTML(w) }

// prolog is what stands before the svg element of a file and its fixed size, which would not shrink on a small screen.
var (
	prolog = regexp.MustCompile(`(?s)^.*?<svg `)
	size   = regexp.MustCompile(`^<svg width="[^"]*" height="[^"]*"`)
)

func (f Figure) html(w io.Writer) error {
	svg := prolog.ReplaceAllLiteralString(string(f.SVG), "<svg ")
	svg = size.ReplaceAllLiteralString(svg, `<svg role="img" aria-label="`+html.EscapeString(f.Alt)+`"`)
	_, err := fmt.Fprintf(w, "<figure>\n%s\n<figcaption>%s</figcaption>\n</figure>\n", svg, html.EscapeString(f.Caption))
	return err
}
