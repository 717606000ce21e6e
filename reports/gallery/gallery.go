// Package gallery makes a folder of static pages of several runs: a page that shows them, and the report of each. Whatever serves files
// can serve it.
package gallery

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/io/files"
	"tenfold/reports/digits"
)

// Run is a run to show.
type Run struct {
	Name, Title string
	About       string // in words; "" for none
	Digest      string // of its results; "" if unknown
	Datasets    int
	Algorithms  int
	Fits        int    // of the plan
	Lacking     int    // fits that failed or are missing
	Spec        []byte // the experiment file
	Page        []byte // the report, one file
	Figure      []byte // a picture of the report, SVG; nil for none
}

// card is a run on the page of all.
type card struct {
	Run
	Folder, Address, Picture, Counts string
}

var (
	//go:embed gallery.html
	pageText string
	pageTmpl = template.Must(template.New("gallery").Parse(pageText))
)

// Write writes the pages of runs into a folder, and replaces those of the same names there. Runs of one name get numbers, from the second
// on. It returns the folders of the runs, relative to out with slashes.
func Write(out, title string, runs []Run) (folders []string, err error) {
	var cards []card
	to := files.Root(out)
	for _, r := range runs {
		folder := r.Name
		for n := 2; slices.Contains(folders, folder); n++ {
			folder = fmt.Sprintf("%s-%d", r.Name, n)
		}
		folders = append(folders, folder)
		c := card{Run: r, Folder: folder, Address: folder + "/index.html", Counts: counts(r)}
		parts := map[string][]byte{c.Address: r.Page, folder + "/experiment.yaml": r.Spec}
		if r.Figure != nil {
			c.Picture = folder + "/figure.svg"
			parts[c.Picture] = r.Figure
		}
		for name, content := range parts {
			if err := put(to, name, content); err != nil {
				return nil, err
			}
		}
		cards = append(cards, c)
	}
	var page bytes.Buffer
	if err := pageTmpl.Execute(&page, map[string]any{"Title": title, "Cards": cards}); err != nil {
		return nil, err
	}
	return folders, put(to, "index.html", page.Bytes())
}

func put(to files.Root, name string, content []byte) error {
	return to.Replace(filepath.ToSlash(name), func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// counts says in words how large a run is, and what it lacks.
func counts(r Run) string {
	parts := []string{digits.Count(r.Datasets, "data set"), digits.Count(r.Algorithms, "algorithm"), digits.Count(r.Fits, "fit")}
	if r.Lacking > 0 {
		parts = append(parts, fmt.Sprintf("%d failed or missing", r.Lacking))
	}
	return strings.Join(parts, ", ")
}
