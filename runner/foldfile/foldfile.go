// Package foldfile writes the folds of data sets for other programs: for each fold its digest and the rows on either
// side, as JSON, CSV or Parquet. It divides nothing: runner/plan does. The tables have the columns of foldColumns, JSON
// the fields of foldsOfSet and foldSides.
package foldfile

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"tenfold/engines/data"
	"tenfold/io/flat"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/runner/folds"
	"tenfold/runner/plan"
)

// foldsOfSet holds all folds of a data set for JSON: row numbers are indices into ids and groups.
type foldsOfSet struct {
	Dataset string         `json:"dataset"`
	Digest  string         `json:"dataset_digest"`
	Grid    map[string]any `json:"grid,omitempty"` // options of the data set that vary
	Rows    int            `json:"rows"`
	IDs     []string       `json:"ids,omitempty"`
	Groups  *foldsGroups   `json:"groups,omitempty"`
}

type foldsGroups struct {
	Name string  `json:"name"`
	Of   []int32 `json:"of"`
}

// foldSides is a fold in the form for JSON.
type foldSides struct {
	Repeat int     `json:"repeat"`
	Fold   int     `json:"fold"`
	Digest string  `json:"fold_digest"`
	Train  []int32 `json:"train"`
	Test   []int32 `json:"test"`
}

// WriteJSON writes one object, with one line per fold.
func WriteJSON(to io.Writer, experiment string, sets []*plan.Set) error {
	w := bufio.NewWriterSize(to, 1<<16)
	name, err := json.Marshal(experiment)
	fmt.Fprintf(w, "{\"experiment\": %s, \"datasets\": [", name)
	for k, s := range sets {
		rows := s.RowsOf()
		about := foldsOfSet{Dataset: s.Name, Digest: s.Digest, Rows: rows.Rows(), IDs: rows.IDs, Grid: map[string]any{}}
		for _, p := range s.Grid {
			about.Grid[p.Name] = p.Value
		}
		if g := rows.Groups; g != nil {
			about.Groups = &foldsGroups{g.Name, g.Of}
		}
		text, fail := json.Marshal(about)
		if fail != nil {
			err = fail
			break
		}
		fmt.Fprintf(w, "%s\n%s, \"folds\": [", separator(k), text[:len(text)-1])
		for i, split := range s.Splits {
			text, fail := json.Marshal(foldSides{split.Fold.Repeat, split.Fold.ID, split.Fold.Digest, split.Fold.Train, split.Fold.Test})
			if fail != nil {
				return fail
			}
			fmt.Fprintf(w, "%s\n%s", separator(i), text)
		}
		fmt.Fprint(w, "\n]}")
	}
	fmt.Fprint(w, "\n]}\n")
	if err != nil {
		return err
	}
	return w.Flush()
}

// separator returns the comma before the k-th element of a list, but the first.
func separator(k int) string {
	if k == 0 {
		return ""
	}
	return ","
}

// foldLine is a row on one side of a fold.
type foldLine struct {
	set  *plan.Set
	rows *data.Dataset
	fold *folds.Fold
	test bool
	row  int32
}

// foldColumns returns the columns of the folds as a table. Options that vary over data sets, and groups, are included if some data
// set has them.
func foldColumns(sets []*plan.Set) []flat.Column[foldLine] {
	text := func(name string, value func(l *foldLine) string) flat.Column[foldLine] {
		return flat.Column[foldLine]{Name: name, Node: flat.Text(), Get: func(l *foldLine) parquet.Value { return flat.TextValue(value(l)) }}
	}
	integer := func(name string, value func(l *foldLine) int32) flat.Column[foldLine] {
		return flat.Column[foldLine]{Name: name, Node: parquet.Int(32), Get: func(l *foldLine) parquet.Value { return parquet.Int32Value(value(l)) }}
	}
	all := []flat.Column[foldLine]{text("dataset", func(l *foldLine) string { return l.set.Name })}
	varied, grouped := []string{}, false
	for _, s := range sets {
		grouped = grouped || s.Data.Groups != nil
		for _, p := range s.Grid {
			if name := p.Name; !slices.Contains(varied, name) {
				varied = append(varied, name)
				c := text(name, func(l *foldLine) string {
					if k := slices.IndexFunc(l.set.Grid, func(p results.Param) bool { return p.Name == name }); k >= 0 {
						return results.Exact(l.set.Grid[k].Value)
					}
					return ""
				})
				all = append(all, c)
			}
		}
	}
	all = append(all,
		integer("repeat", func(l *foldLine) int32 { return int32(l.fold.Repeat) }),
		integer("fold", func(l *foldLine) int32 { return int32(l.fold.ID) }),
		text("fold_digest", func(l *foldLine) string { return l.fold.Digest }),
		text("side", func(l *foldLine) string {
			if l.test {
				return "test"
			}
			return "train"
		}),
		integer("row", func(l *foldLine) int32 { return l.row }),
		text("id", func(l *foldLine) string { return l.rows.RowID(int(l.row)) }),
	)
	if grouped {
		all = append(all, flat.Column[foldLine]{Name: "group", Node: parquet.Optional(parquet.Int(32)), Get: func(l *foldLine) parquet.Value {
			if l.rows.Groups == nil {
				return parquet.NullValue()
			}
			return parquet.Int32Value(l.rows.Groups.Of[l.row])
		}})
	}
	return all
}

// eachFoldLine calls add for the training and the test rows of each fold.
func eachFoldLine(sets []*plan.Set, add func(foldLine) error) error {
	for _, s := range sets {
		rows := s.RowsOf()
		for _, split := range s.Splits {
			l := foldLine{set: s, rows: rows, fold: &split.Fold}
			for _, side := range [][]int32{split.Fold.Train, split.Fold.Test} {
				for _, l.row = range side {
					if err := add(l); err != nil {
						return err
					}
				}
				l.test = true
			}
		}
	}
	return nil
}

// WriteCSV writes a line for each row on each side of each fold; the name of the experiment is not in it.
func WriteCSV(to io.Writer, _ string, sets []*plan.Set) error {
	w := sanitize.NewCSV(to, true)
	columns := foldColumns(sets)
	record := make([]string, len(columns))
	for k, c := range columns {
		record[k] = c.Name
	}
	if err := w.Write(record); err != nil {
		return err
	}
	err := eachFoldLine(sets, func(l foldLine) error {
		for k, c := range columns {
			record[k] = ""
			if v := c.Get(&l); !v.IsNull() {
				record[k] = v.String()
			}
		}
		return w.Write(record)
	})
	return errors.Join(err, w.Flush())
}

// WriteParquet writes the same table, with the name of the experiment in the footer.
func WriteParquet(to io.Writer, experiment string, sets []*plan.Set) error {
	buffer := bufio.NewWriterSize(to, 1<<16)
	w := flat.NewWriter(buffer, "folds", foldColumns(sets))
	w.Stamp("tenfold.experiment", experiment)
	err := eachFoldLine(sets, w.Add)
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = buffer.Flush()
	}
	return err
}
