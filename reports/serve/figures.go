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

// figurePolicy lets an image have the style that it brings, and nothing else.
const figurePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// figuresFolder and what the names of drawings end in.
const (
	figuresFolder = "figures"
	drawing       = ".svg"
)

// largest is the size of a page or a drawing that is sent, in bytes.
const largest = 1 << 28

// drawings of a run's report: their file names.
func (r *run) drawings() []string {
	entries, err := files.Root(r.Dir).ReadDir(figuresFolder)
	if err != nil {
		return nil // there are none yet
	}
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), drawing) && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	return out
}

// figureContent is the page of figures.
type figureContent struct {
	Base    string
	Figures []drawn
	Old     bool // they are of results before those that are stored
}

type drawn struct{ Name, Title, Words, Caption, Address string }

func figuresPage(r *run, _ *http.Request) (*answer, error) {
	c := figureContent{Base: r.base(), Old: !r.written()}
	for _, name := range r.drawings() {
		f := drawn{Name: strings.TrimSuffix(name, drawing), Address: c.Base + figuresFolder + "/" + url.PathEscape(name)}
		if b, err := files.Root(r.Dir).ReadFile(figuresFolder+"/"+name, largest); err == nil {
			f.Title, f.Words, f.Caption = described(b)
		}
		f.Title = cmp.Or(f.Title, f.Name)
		c.Figures = append(c.Figures, f)
	}
	return render("figures", r.frame("figures", "Figures"), c)
}

// described is what a drawing says of itself.
func described(svg []byte) (title, words, caption string) {
	var d struct {
		Title   string `xml:"title"`
		Desc    string `xml:"desc"`
		Caption string `xml:"metadata"`
	}
	_ = xml.Unmarshal(svg, &d) // of a damaged one, what was read before that
	return d.Title, d.Desc, d.Caption
}

// figureFile is a drawing as it was written with the report.
func figureFile(r *run, req *http.Request) (*answer, error) {
	name := req.PathValue("name")
	if !slices.Contains(r.drawings(), name) {
		return nil, missing("There is no figure " + name + " in this run.")
	}
	b, err := files.Root(r.Dir).ReadFile(figuresFolder+"/"+name, largest)
	return &answer{Kind: "image/svg+xml", Policy: figurePolicy, Content: b}, err
}

// reportFile is the report as it was written. Only the script of reports of this version can run in it.
func reportFile(r *run, _ *http.Request) (*answer, error) {
	b, err := files.Root(r.Dir).ReadFile("report.html", largest)
	if err != nil {
		return nil, missing("This run has no report.html yet.")
	}
	return &answer{Kind: "text/html; charset=utf-8", Policy: page.Policy() + "; frame-ancestors 'none'", Content: b}, nil
}
