package main

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// navigation is what the side of every page shows: the groups of README's table of documentation, and below the index of a
// folder the other pages there.
type navigation struct {
	groups []navGroup
	titles map[string]string // by source
	pages  map[string]*page  // by source
}

type navGroup struct {
	title string
	names []string // sources
}

// group of links as one page shows it.
type group struct {
	Title string
	Links []navLink
	Open  bool // the page is in it
}

type navLink struct {
	Title, To string
	Here      bool
	Below     []navLink // pages of its folder, or the sections of the page that is shown
}

var (
	tableRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| (.+) \|$`)
	linkTo   = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
)

// navigation reads README's section Documentation. Each document of the site has to be reached by it.
func (s *site) navigation() (*navigation, error) {
	nav := &navigation{titles: map[string]string{}, pages: map[string]*page{}}
	for _, p := range s.pages {
		nav.titles[p.source], nav.pages[p.source] = p.title, p
	}
	nav.titles["README.md"] = "tenfold"
	readme, err := fs.ReadFile(s.repository, "README.md")
	if err != nil {
		return nil, err
	}
	_, table, ok := strings.Cut(string(readme), "\n## Documentation\n")
	if !ok {
		return nil, errors.New("README.md has no section Documentation")
	}
	seen := map[string]bool{"README.md": true}
	for _, row := range tableRow.FindAllStringSubmatch(table, -1) {
		g := navGroup{title: upperFirst(row[1])}
		for _, m := range linkTo.FindAllStringSubmatch(row[2], -1) {
			if name := path.Clean(m[1]); s.address[name] != "" && !seen[name] {
				seen[name] = true
				g.names = append(g.names, name)
			}
		}
		if len(nav.groups) == 0 && len(g.names) > 0 {
			g.names = slices.Insert(g.names, 0, "README.md")
		}
		if len(g.names) > 0 {
			nav.groups = append(nav.groups, g)
		}
	}
	last := &nav.groups[len(nav.groups)-1]
	last.names = append(last.names, galleryName)
	other := navGroup{title: "More"}
	for _, p := range s.pages {
		if path.Ext(p.source) == ".md" && !seen[p.source] && nav.parent(p.source) == "" {
			other.names = append(other.names, p.source)
		}
	}
	nav.groups = append(nav.groups, other)
	return nav, nil
}

// parent returns the index of the folder below docs that a page is in; "" where there is none.
func (nav *navigation) parent(source string) string {
	if index := path.Join(path.Dir(source), "README.md"); index != source && index != "README.md" && nav.pages[index] != nil {
		return index
	}
	if path.Dir(source) == galleryName && nav.pages[galleryName] != nil {
		return galleryName
	}
	return ""
}

// groupsFor returns the navigation as page p shows it.
func (nav *navigation) groupsFor(p *page) []group {
	var out []group
	for _, g := range nav.groups {
		links := group{Title: g.title}
		for _, name := range g.names {
			l := nav.link(p, name)
			folder := nav.parent(p.source) == name || p.source == name
			if l.Here {
				l.Below = nav.contents(p)
			}
			if folder {
				links.Open = true
				if below := nav.below(p, name); len(below) > 0 {
					l.Below = below
				}
			}
			links.Links = append(links.Links, l)
		}
		out = append(out, links)
	}
	return out
}

func (nav *navigation) link(from *page, name string) navLink {
	return navLink{Title: nav.titles[name], To: relative(from.address, nav.pages[name].address), Here: from.source == name}
}

// below returns the pages of a folder under its index, by title.
func (nav *navigation) below(p *page, index string) []navLink {
	var out []navLink
	for name := range nav.pages {
		if nav.parent(name) == index && (path.Ext(name) == ".md" || index == galleryName && path.Ext(name) == ".yaml" && !strings.HasSuffix(name, ".baseline.yaml")) {
			l := nav.link(p, name)
			if index == galleryName {
				l.Title = strings.TrimSuffix(path.Base(name), ".yaml")
			}
			if l.Here && index != galleryName {
				l.Below = nav.contents(p)
			}
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b navLink) int { return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) })
	return out
}

// contents returns the sections of the page that is shown.
func (nav *navigation) contents(p *page) []navLink {
	var out []navLink
	for _, s := range p.sections {
		if s.level == 2 {
			out = append(out, navLink{Title: s.title, To: "#" + s.anchor})
		}
	}
	return out
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
