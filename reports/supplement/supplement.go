// Package supplement writes what a publication puts beside its text: the features that each algorithm selects, results with their
// intervals, folds, parameters, versions, a description of the methods in words, and the publications that these go back to. All of it
// comes from the folder of a run. Write is where to begin; each file has a function that makes it.
package supplement

import (
	"fmt"
	"io"
	"strings"

	"tenfold/engines/prepare"
	"tenfold/io/files"
	"tenfold/io/sanitize"
	"tenfold/reports"
	"tenfold/reports/cells"
)

// Input holds the material of a supplement.
type Input struct {
	reports.Input
	Report   reports.Config
	Seed     int64
	Sets     []Set
	Parts    map[string]Part   // engines by name
	Changed  map[string]string // parameters that differ from their defaults, JSON, by the key of a cell
	Sections map[string]Part   // what can stand beside an engine, such as tune, by its key
}

// Set is a data set of the run, or a task of a family.
type Set struct {
	Name, Family, Format, Digest string // Name is the label in tables, with the point of its grid
	Point                        string // of its grid; "" without one
	Rows, Columns                int    // before preparation
	Targets                      []string
	Divided                      string  // how its rows are divided into folds, in words
	Share                        float64 // of the training rows that is used, in (0, 1]
	Recipe                       prepare.Recipe
	Folds                        []Fold
}

// Fold is a split of the rows: numbers of rows, and the digest of both sides.
type Fold struct {
	Repeat, Fold, Train, Test int
	Digest                    string
}

// Part is an engine, or a section of the experiment file, with the publications that it goes back to.
type Part struct{ Doc, Cite string }

// Formats of the tables.
const (
	CSV = "csv"
	TSV = "tsv"
)

// supplement is a supplement in the making.
type supplement struct {
	Input
	cells  []*cells.Cell // without averages over tasks
	format string

	described map[string]bool // engines whose description the text has
}

// Write writes the files of a supplement into a folder and returns their names. A table with no rows is not written.
func Write(dir, format string, in Input) ([]string, error) {
	in.Source = cells.Cache(in.Source)
	s := supplement{Input: in, cells: in.Cells(), format: format, described: map[string]bool{}}
	out := files.Root(dir)
	var written []string
	var listed []string
	add := func(name, what string, write func(io.Writer) error) error {
		if err := out.Replace(name, write); err != nil {
			return err
		}
		written, listed = append(written, name), append(listed, fmt.Sprintf("- `%s`: %s", name, what))
		return nil
	}
	for _, t := range []struct {
		name, what string
		rows       func() ([][]string, error)
	}{
		{"results", "each metric of each cell: mean over folds with standard error and 95 % interval, and how many folds have it", s.results},
		{"features", "the features that algorithms select: on how many folds, mean order of entry (from 0), mean and standard deviation of the coefficient over these folds, its sign (± where folds differ), and the stability of the whole selection. Algorithms that use all columns select none and are not listed", s.features},
		{"folds", "rows on either side of each fold, and the digest of their numbers", s.folds},
		{"parameters", "every parameter of each algorithm, defaults included", s.parameters},
		{"chosen", "what tuning chose on each fold, inside its training rows", s.chosen},
		{"versions", "what computed the results: program, commit, platform, revisions of engines, digests of data", s.versions},
	} {
		rows, err := t.rows()
		if err != nil {
			return nil, err
		}
		if len(rows) < 2 {
			continue
		}
		if err := add(t.name+"."+format, t.what, func(w io.Writer) error { return s.writeTable(w, rows) }); err != nil {
			return nil, err
		}
	}
	text, refs, err := s.methods()
	if err != nil {
		return nil, err
	}
	if err := add("references.bib", "the publications that the text names, in BibTeX", func(w io.Writer) error {
		for _, r := range refs {
			if _, err := io.WriteString(w, r.BibTeX+"\n"); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	const page = "supplement.md"
	err = out.Replace(page, func(w io.Writer) error {
		title := in.Title
		if title == "" {
			title = in.Name
		}
		_, err := fmt.Fprintf(sanitize.Writer(w), "# %s\n\n## Methods\n\n%s\n\n## Files\n\n%s\n", sanitize.Line(title), strings.Join(text, "\n\n"), strings.Join(listed, "\n"))
		return err
	})
	return append([]string{page}, written...), err
}

// writeTable writes a table with its heading, as CSV or with tabs between columns. Spreadsheets take no field of it for a formula.
func (s *supplement) writeTable(w io.Writer, rows [][]string) error {
	out := sanitize.NewCSV(w, false)
	if s.format == TSV {
		out = sanitize.NewTSV(w, false)
	}
	for _, row := range rows {
		if err := out.Write(row); err != nil {
			return err
		}
	}
	return out.Flush()
}

// labels returns the data set and the algorithm of a cell, as the experiment file calls them, with their points of the grid.
func labels(c *cells.Cell) []string { return []string{c.NamedDataset(), c.NamedLabel()} }
