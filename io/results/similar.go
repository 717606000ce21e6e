package results

import (
	"math"
	"path/filepath"
)

// SimilarFile has the similar columns of the data sets that say what that means: one row a pair.
const SimilarFile = "similar.parquet"

// Similar columns of a data set.
type Similar struct {
	Dataset string
	Digest  string  // of the data set
	Least   float64 // correlation from which on columns are similar
	Columns int32   // of the data set
	Pairs   []SimilarPair
}

// SimilarPair is two columns by name, and the size of their correlation over all rows.
type SimilarPair struct {
	A, B        string
	Correlation float64
}

// similarLine is a row of the file: a pair, or a data set that has none.
type similarLine struct {
	Similar
	SimilarPair
}

func similarColumns() []column[similarLine] {
	return []column[similarLine]{
		stringColumn("dataset", func(l *similarLine) *string { return &l.Dataset }),
		stringColumn("dataset_digest", func(l *similarLine) *string { return &l.Digest }),
		floatColumn("least", func(l *similarLine) *float64 { return &l.Least }),
		int32Column("columns", func(l *similarLine) *int32 { return &l.Columns }),
		optionalText("feature", func(l *similarLine) *string { return &l.A }),
		optionalText("similar", func(l *similarLine) *string { return &l.B }),
		floatColumn("correlation", func(l *similarLine) *float64 { return &l.Correlation }),
	}
}

// writeSimilar makes the file where some data set says what similar is.
func (w *runWriter) writeSimilar(footer [][2]string) error {
	if len(w.meta.Similar) == 0 {
		return nil
	}
	t, err := newLongTable(w, SimilarFile, similarColumns())
	if err != nil {
		return err
	}
	t.setFooter(footer)
	for _, of := range w.meta.Similar {
		pairs := of.Pairs
		of.Pairs = nil
		if len(pairs) == 0 {
			pairs = []SimilarPair{{Correlation: math.NaN()}}
		}
		for _, p := range pairs {
			if err := t.Add(similarLine{of, p}); err != nil {
				return err
			}
		}
	}
	return t.Close()
}

// readSimilar reads them from a run's folder with results of a digest; none if there is no such file.
func readSimilar(dir, digest string) (all []Similar, err error) {
	err = eachLine(filepath.Join(dir, SimilarFile), digest, similarColumns(), func(l similarLine) {
		if n := len(all); n == 0 || all[n-1].Dataset != l.Dataset || all[n-1].Digest != l.Digest {
			all = append(all, l.Similar)
		}
		if of := &all[len(all)-1]; l.Correlation == l.Correlation {
			of.Pairs = append(of.Pairs, l.SimilarPair)
		}
	})
	return all, err
}

// Alike returns the similar columns of a row's data set; nil if it does not say what that means, and of tasks.
func (m *Meta) Alike(r *Row) *Similar {
	for i := range m.Similar {
		if of := &m.Similar[i]; of.Digest == r.DatasetDigest {
			return of
		}
	}
	return nil
}
