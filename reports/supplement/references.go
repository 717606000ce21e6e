package supplement

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

//go:embed references.bib
var bibliography string

// Reference is an entry of the bibliography: a publication that an engine, a section of the experiment file, or a test goes back to.
type Reference struct {
	Key    string // for \cite
	Author string // surname of the first author
	Year   string
	BibTeX string // the whole entry
}

var (
	entryHead   = regexp.MustCompile(`^@\w+\{(\w+), author = \{([^,}]+)`)
	entryYear   = regexp.MustCompile(`year = \{(\d{4})\}`)
	citedAuthor = regexp.MustCompile(`^[^,&(]*?(\p{Lu}[\p{L}-]+)`)
	citedYear   = regexp.MustCompile(`\b(?:18|19|20)\d\d\b`)
)

// References returns the bibliography in the order of its keys, an entry a line.
func References() []Reference {
	var out []Reference
	for line := range strings.Lines(bibliography) {
		line = strings.TrimSpace(line)
		head, year := entryHead.FindStringSubmatch(line), entryYear.FindStringSubmatch(line)
		if head != nil && year != nil {
			out = append(out, Reference{Key: head[1], Author: head[2], Year: year[1], BibTeX: line})
		}
	}
	return out
}

// Cited returns the references of a citation as engines have them, "Zou & Hastie 2005; Friedman, Hastie & Tibshirani 2010", and the
// parts of it that no entry stands for. An entry stands for a part with its first author and its year.
func Cited(citation string) (found []Reference, unknown []string) {
	all := References()
	for part := range strings.SplitSeq(citation, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		years := citedYear.FindAllString(part, -1)
		i := slices.IndexFunc(all, func(r Reference) bool {
			return slices.Contains(years, r.Year) && firstAuthor(part, r.Author)
		})
		if i < 0 {
			unknown = append(unknown, part)
			continue
		}
		found = append(found, all[i])
	}
	return found, unknown
}

// firstAuthor reports whether the first name of a part of a citation is the author's.
func firstAuthor(part, author string) bool {
	surname := strings.Fields(author)
	if strings.HasPrefix(part, author) {
		return true
	}
	m := citedAuthor.FindStringSubmatch(part)
	return m != nil && m[1] == surname[len(surname)-1] || m != nil && m[1] == surname[0]
}
