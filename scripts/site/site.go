package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// site is all that is written, and how it hangs together.
type site struct {
	repository fs.FS
	runs       fs.FS
	pages      []*page
	address    map[string]string // of each page by its path in the repository
	files      map[string][]byte // what is written, by address
	reports    int               // experiments that have one
}

// page is a document before it is laid out.
type page struct {
	source   string // path in the repository
	address  string // path in the site
	title    string
	body     []byte // HTML
	sections []section
	Wide     bool // tables of numbers rather than text
}

// section is a heading with the text below it, for the search and for the contents of a page.
type section struct {
	level         int
	anchor, title string
	text          string
}

// build renders all pages: documents first, then what they link to, then what that links to.
func build(repository, runs fs.FS) (*site, error) {
	s := &site{repository: repository, runs: runs, address: map[string]string{}, files: map[string][]byte{}}
	documents, err := s.documents()
	if err != nil {
		return nil, err
	}
	experiments, err := fs.Glob(repository, "experiments/*.yaml")
	if err != nil {
		return nil, err
	}
	experiments = slices.DeleteFunc(experiments, func(name string) bool { return strings.HasSuffix(name, ".baseline.yaml") })
	for _, name := range slices.Concat(documents, experiments) {
		s.address[name] = addressOf(name)
	}
	s.address[galleryName] = galleryName + "/index.html"
	var gallery []experiment
	for _, name := range experiments {
		e, err := s.experiment(name)
		if err != nil {
			return nil, err
		}
		gallery = append(gallery, e)
	}
	if err := s.gallery(gallery); err != nil {
		return nil, err
	}
	for _, name := range documents {
		if err := s.document(name); err != nil {
			return nil, err
		}
	}
	return s, s.layOut()
}

// documents returns the Markdown files for readers.
func (s *site) documents() ([]string, error) {
	found, err := fs.Glob(s.repository, "*.md")
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(s.repository, "docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" {
			found = append(found, name)
		}
		return err
	})
	return found, err
}

// addressOf returns where a file of the repository stands in the site: README.md is the index of its folder, and what is no
// document keeps its ending, so that engine.go and engine.md do not meet.
func addressOf(name string) string {
	dir, base := path.Split(name)
	switch {
	case base == "README.md":
		return dir + "index.html"
	case path.Ext(base) == ".md":
		return dir + strings.TrimSuffix(base, ".md") + ".html"
	case dir == galleryName+"/" && path.Ext(base) == ".yaml" && !strings.HasSuffix(base, ".baseline.yaml"):
		return dir + strings.TrimSuffix(base, ".yaml") + ".html"
	}
	return name + ".html"
}

// resolve returns the address that a link of a page leads to, relative to the page. Files that have no page yet get one;
// pictures are copied.
func (s *site) resolve(from *page, link string) (string, error) {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") || strings.HasPrefix(link, "#") {
		return link, nil
	}
	name, anchor, _ := strings.Cut(link, "#")
	name = path.Join(path.Dir(from.source), name)
	to, ok := s.address[name]
	if !ok {
		var err error
		if to, err = s.attach(name); err != nil {
			return "", fmt.Errorf("%s: link to %s: %w", from.source, link, err)
		}
	}
	to = relative(from.address, to)
	if anchor != "" {
		to += "#" + anchor
	}
	return to, nil
}

// attach adds a file of the repository that a page links to, and returns its address.
func (s *site) attach(name string) (string, error) {
	info, err := fs.Stat(s.repository, name)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		if to, ok := s.address[path.Join(name, "README.md")]; ok {
			return to, nil
		}
		return s.listing(name)
	}
	content, err := fs.ReadFile(s.repository, name)
	if err != nil {
		return "", err
	}
	switch path.Ext(name) {
	case ".png", ".svg", ".jpg", ".gif":
		s.address[name] = name
		s.files[name] = content
	default:
		s.address[name] = addressOf(name)
		code, err := highlight(content, path.Base(name))
		if err != nil {
			return "", err
		}
		s.pages = append(s.pages, &page{source: name, address: s.address[name], title: name, body: fmt.Appendf(nil, "<h1>%s</h1>\n%s", escape(name), code)})
	}
	return s.address[name], nil
}

// listing adds a page with the names of a folder's files.
func (s *site) listing(name string) (string, error) {
	files, err := fs.ReadDir(s.repository, name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1>\n<ul>\n", escape(name))
	for _, f := range files {
		fmt.Fprintf(&b, "<li>%s</li>\n", escape(f.Name()))
	}
	b.WriteString("</ul>\n")
	s.address[name] = name + "/index.html"
	s.pages = append(s.pages, &page{source: name, address: s.address[name], title: name, body: []byte(b.String())})
	return s.address[name], nil
}

// relative returns the way from one address to another.
func relative(from, to string) string {
	up := strings.Split(path.Dir(from), "/")
	if up[0] == "." {
		up = nil
	}
	down := strings.Split(to, "/")
	for len(up) > 0 && len(down) > 1 && up[0] == down[0] {
		up, down = up[1:], down[1:]
	}
	return strings.Repeat("../", len(up)) + strings.Join(down, "/")
}

// write puts the site into a folder.
func (s *site) write(out string) error {
	for name, content := range s.files {
		to := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// layOut surrounds each page with its navigation, adds styles, script and index, and checks all links.
func (s *site) layOut() error {
	slices.SortFunc(s.pages, func(a, b *page) int { return strings.Compare(a.address, b.address) })
	nav, err := s.navigation()
	if err != nil {
		return err
	}
	for _, p := range s.pages {
		var b bytes.Buffer
		if err := layout.Execute(&b, struct {
			*page
			Title, Root string
			Body        any
			Groups      []group
		}{p, p.title, strings.TrimSuffix(relative(p.address, "x"), "x"), trusted(p.body), nav.groupsFor(p)}); err != nil {
			return err
		}
		s.files[p.address] = b.Bytes()
	}
	s.files["site.css"], s.files["site.js"] = style, script
	if s.files["search.js"], err = searchIndex(s.pages); err != nil {
		return err
	}
	return checkLinks(s.files)
}
