package main

import (
	"errors"
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	reference = regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)
	identity  = regexp.MustCompile(`\sid="([^"]*)"`)
	outside   = regexp.MustCompile(`<(?:script|link|img|iframe)\s[^>]*(?:href|src)="(?:[a-z]+:)?//`)
)

// checkLinks follows every link between the files, to its place in a page where it names one, and refuses pages that load
// something from outside. Reports of runs are checked by their own tests.
func checkLinks(files map[string][]byte) error {
	places := map[string][]string{}
	for name, content := range files {
		for _, m := range identity.FindAllSubmatch(content, -1) {
			places[name] = append(places[name], html.UnescapeString(string(m[1])))
		}
	}
	var wrong []error
	for _, name := range sortedKeys(files) {
		if path.Ext(name) != ".html" || path.Base(name) == "report.html" {
			continue
		}
		if m := outside.Find(files[name]); m != nil {
			wrong = append(wrong, fmt.Errorf("%s loads from outside: %s", name, m))
		}
		for _, m := range reference.FindAllSubmatch(files[name], -1) {
			link := html.UnescapeString(string(m[1]))
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
				continue
			}
			to, anchor, _ := strings.Cut(link, "#")
			if to == "" {
				to = name
			} else {
				to = path.Join(path.Dir(name), to)
			}
			place, err := url.PathUnescape(anchor)
			switch _, there := files[to]; {
			case err != nil:
				wrong = append(wrong, fmt.Errorf("%s: link to %s: %w", name, link, err))
			case !there:
				wrong = append(wrong, fmt.Errorf("%s: link to %s: there is no %s", name, link, to))
			case place != "" && !slices.Contains(places[to], place):
				wrong = append(wrong, fmt.Errorf("%s: link to %s: no such place", name, link))
			}
		}
	}
	return errors.Join(wrong...)
}

func sortedKeys(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
