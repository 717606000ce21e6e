package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// galleryName is the folder of experiments, and the source of their gallery's page.
const galleryName = "experiments"

// experiment is a file of the gallery.
type experiment struct {
	source, address string
	name, title     string
	about           string // its first comment
	figure          string // address of a picture of its report, "" without one
}

// experiment renders the page of an experiment file: what it says of itself, how to run it, the report of its run, the file.
func (s *site) experiment(source string) (experiment, error) {
	content, err := fs.ReadFile(s.repository, source)
	if err != nil {
		return experiment{}, err
	}
	var file struct {
		Name, Title string
	}
	if err := yaml.Unmarshal(content, &file); err != nil {
		return experiment{}, fmt.Errorf("%s: %w", source, err)
	}
	e := experiment{source: source, address: s.address[source], name: file.Name, title: file.Title, about: firstComment(string(content))}
	if e.title == "" {
		e.title = e.name
	}
	p := &page{source: source, address: e.address, title: e.title, Wide: true}
	p.sections = []section{{level: 1, title: e.title, text: e.about}}
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1>\n<p>%s</p>\n", escape(e.title), escape(e.about))
	commands, err := highlight([]byte("tenfold data fetch "+source+"    # where it needs data\ntenfold run "+source+"\n"), "sh")
	if err != nil {
		return experiment{}, err
	}
	b.Write(commands)
	report, err := s.report(p, &e)
	if err != nil {
		return experiment{}, err
	}
	b.WriteString(report)
	code, err := highlight(content, "yaml")
	if err != nil {
		return experiment{}, err
	}
	p.sections = append(p.sections, section{level: 2, anchor: "the-file", title: "The file"})
	fmt.Fprintf(&b, "<h2 id=\"the-file\">The file</h2>\n<p><code>%s</code></p>\n%s", escape(source), code)
	p.body = []byte(b.String())
	s.pages = append(s.pages, p)
	return e, nil
}

// report returns what the run of an experiment left: its page, and tables and figures as Markdown. Without a run it says so.
func (s *site) report(p *page, e *experiment) (string, error) {
	whole, err := fs.ReadFile(s.runs, e.name+"/report.html")
	if errors.Is(err, fs.ErrNotExist) {
		return "<p class=\"note\">No run of it was at hand when these pages were made.</p>\n", nil
	}
	if err != nil {
		return "", err
	}
	text, err := fs.ReadFile(s.runs, e.name+"/report.md")
	if err != nil {
		return "", err
	}
	s.reports++
	base := strings.TrimSuffix(e.address, ".html")
	s.files[base+"/report.html"] = whole
	figures, err := fs.Glob(s.runs, e.name+"/figures/*.svg")
	if err != nil {
		return "", err
	}
	for _, name := range figures {
		to := base + "/" + path.Base(name)
		if s.files[to], err = fs.ReadFile(s.runs, name); err != nil {
			return "", err
		}
		if e.figure == "" {
			e.figure = to
		}
	}
	// Anchors of a report are for itself; the page has those of its own sections.
	body, err := s.markdown(&page{}, demote(text), func(link string) (string, error) {
		if to := base + "/" + path.Base(link); strings.HasPrefix(link, "figures/") && s.files[to] != nil {
			return relative(p.address, to), nil
		}
		return relative(p.address, base+"/report.html"), nil
	})
	if err != nil {
		return "", fmt.Errorf("%s/report.md: %w", e.name, err)
	}
	p.sections = append(p.sections, section{level: 2, anchor: "report", title: "The report of its run"})
	return fmt.Sprintf("<h2 id=\"report\">The report of its run</h2>\n<p><a href=\"%s\">The whole report</a> has every fit, sorting, and the selected features.</p>\n<div class=\"report\">%s</div>\n",
		relative(p.address, base+"/report.html"), body), nil
}

var (
	reportTitle  = regexp.MustCompile(`^# .*\n`)
	headingMarks = regexp.MustCompile(`(?m)^#{2,4} `)
)

// demote makes the headings of a report sections of the page that it stands on, which has the title already.
func demote(report []byte) []byte {
	return headingMarks.ReplaceAllFunc(reportTitle.ReplaceAll(report, nil), func(m []byte) []byte { return append([]byte("#"), m...) })
}

// gallery renders the page of all experiments: those with a picture first, then the others, by name.
func (s *site) gallery(all []experiment) error {
	slices.SortStableFunc(all, func(a, b experiment) int { return strings.Compare(a.name, b.name) })
	slices.SortStableFunc(all, func(a, b experiment) int { return boolean(a.figure == "") - boolean(b.figure == "") })
	p := &page{source: galleryName, address: s.address[galleryName], title: "Gallery of experiments", Wide: true}
	p.sections = []section{{level: 1, title: p.title}}
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1>\n<p>Each is one file in <code>experiments/</code>; <a href=\"%s\">what they repeat and what data they need</a>.</p>\n<div class=\"gallery\">\n",
		p.title, relative(p.address, s.address["docs/experiments.md"]))
	for _, e := range all {
		picture := ""
		if e.figure != "" {
			picture = fmt.Sprintf("<img src=\"%s\" alt=\"\" loading=\"lazy\">", relative(p.address, e.figure))
		}
		fmt.Fprintf(&b, "<a class=\"card\" href=\"%s\">%s<strong>%s</strong><span>%s</span><p>%s</p></a>\n",
			relative(p.address, e.address), picture, escape(e.title), escape(e.name), escape(e.about))
	}
	b.WriteString("</div>\n")
	p.body = []byte(b.String())
	s.pages = append(s.pages, p)
	return nil
}

// firstComment returns the first comment of a file, as one line of text.
func firstComment(content string) string {
	var words []string
	for line := range strings.Lines(content) {
		text, ok := strings.CutPrefix(line, "#")
		if !ok {
			break
		}
		if !strings.Contains(text, "yaml-language-server") {
			words = append(words, strings.Fields(text)...)
		}
	}
	return strings.Join(words, " ")
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
