package serve

import (
	"cmp"
	"encoding/xml"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"tenfold/io/files"
	"tenfold/reports/page"
)

// figurePolicy allows an image its own style, and nothing else.
const figurePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// figuresFolder and what the names of drawings end in.
const (
	figuresFolder = "figures"
	svgExtension  = ".svg"
)

// maxFileSize bounds the size of a page or a drawing that is sent, in bytes.
const maxFileSize = 1 << 28

// figureNames returns the file names of the figures of the run's report.
func (r *run) figureNames() []string {
	entries, err := files.Root(r.Dir).ReadDir(figuresFolder)
	if err != nil {
		return nil // there are none yet
	}
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), svgExtension) && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	return out
}

type figureContent struct {
	Base    string
	Figures []figureEntry
	Old     bool // drawn from older results than those stored
}

type figureEntry struct{ Name, Title, Words, Caption, Address string }

func figuresPage(r *run, _ *http.Request) (*response, error) {
	c := figureContent{Base: r.basePath(), Old: !r.hasResults()}
	for _, name := range r.figureNames() {
		f := figureEntry{Name: strings.TrimSuffix(name, svgExtension), Address: c.Base + figuresFolder + "/" + url.PathEscape(name)}
		if b, err := files.Root(r.Dir).ReadFile(figuresFolder+"/"+name, maxFileSize); err == nil {
			f.Title, f.Words, f.Caption = svgTexts(b)
		}
		f.Title = cmp.Or(f.Title, f.Name)
		c.Figures = append(c.Figures, f)
	}
	return renderPage("figures", r.pageFrame("figures", "Figures"), c)
}

// svgTexts returns the texts by which a drawing describes itself.
func svgTexts(svg []byte) (title, words, caption string) {
	var d struct {
		Title   string `xml:"title"`
		Desc    string `xml:"desc"`
		Caption string `xml:"metadata"`
	}
	_ = xml.Unmarshal(svg, &d) // a damaged file gives what was read before the damage
	return d.Title, d.Desc, d.Caption
}

// figureFile sends a figure as it was written with the report.
func figureFile(r *run, req *http.Request) (*response, error) {
	name := req.PathValue("name")
	if !slices.Contains(r.figureNames(), name) {
		return nil, notFound("There is no figure " + name + " in this run.")
	}
	b, err := files.Root(r.Dir).ReadFile(figuresFolder+"/"+name, maxFileSize)
	return &response{Kind: "image/svg+xml", Policy: figurePolicy, Content: b}, err
}

// reportFile sends the report as it was written. Its policy runs only the script of reports of this version.
func reportFile(r *run, _ *http.Request) (*response, error) {
	b, err := files.Root(r.Dir).ReadFile("report.html", maxFileSize)
	if err != nil {
		return nil, notFound("This run has no report.html yet.")
	}
	return &response{Kind: "text/html; charset=utf-8", Policy: page.Policy() + "; frame-ancestors 'none'", Content: b}, nil
}
