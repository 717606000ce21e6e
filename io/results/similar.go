package results

import (
	"math"
	"path/filepath"

	"tenfold/io/sealed"
)

// SimilarFile holds the similar columns of the data sets that define what similar means: one row per pair.
const SimilarFile = "similar.parquet"

// Similar holds the pairs of similar columns of a data set.
type Similar struct {
	Dataset string
	Digest  string  // of the data set
	Least   float64 // correlation from which on columns are similar
	Columns int32   // of the data set
	Pairs   []SimilarPair
}

// SimilarPair holds the names of two columns, and the absolute value of their correlation over all rows.
type SimilarPair struct {
	A, B        string
	Correlation float64
}

// similarLine is a row of the file: a pair, or a data set without pairs.
type similarLine struct {
	Similar
	SimilarPair
}

func similarColumns() []sealed.Column[similarLine] {
	return []sealed.Column[similarLine]{
		sealed.String("dataset", func(l *similarLine) *string { return &l.Dataset }),
		sealed.String("dataset_digest", func(l *similarLine) *string { return &l.Digest }),
		sealed.Float("least", func(l *similarLine) *float64 { return &l.Least }),
		sealed.Int32("columns", func(l *similarLine) *int32 { return &l.Columns }),
		sealed.OptionalText("feature", func(l *similarLine) *string { return &l.A }),
		sealed.OptionalText("similar", func(l *similarLine) *string { return &l.B }),
		sealed.Float("correlation", func(l *similarLine) *float64 { return &l.Correlation }),
	}
}

// writeSimilar writes the file if some data set defines what similar means.
func (w *runWriter) writeSimilar(footer [][2]string) error {
	if len(w.meta.Similar) == 0 {
		return nil
	}
	t, err := newTable(w, SimilarFile, similarColumns())
	if err != nil {
		return err
	}
	t.SetFooter(footer)
	for _, columns := range w.meta.Similar {
		pairs := columns.Pairs
		columns.Pairs = nil
		if len(pairs) == 0 {
			pairs = []SimilarPair{{Correlation: math.NaN()}}
		}
		for _, p := range pairs {
			if err := t.Add(similarLine{columns, p}); err != nil {
				return err
			}
		}
	}
	return t.Close()
}

// readSimilar reads the similar columns in a run's folder that belong to results of the digest; none if there is no such file.
func readSimilar(dir, digest string) (all []Similar, err error) {
	err = eachLine(filepath.Join(dir, SimilarFile), digest, similarColumns(), func(l similarLine) {
		if n := len(all); n == 0 || all[n-1].Dataset != l.Dataset || all[n-1].Digest != l.Digest {
			all = append(all, l.Similar)
		}
		if last := &all[len(all)-1]; l.Correlation == l.Correlation {
			last.Pairs = append(last.Pairs, l.SimilarPair)
		}
	})
	return all, err
}

// Alike returns the similar columns of a row's data set; nil if it does not define what similar means, and for tasks.
func (m *Meta) Alike(r *Row) *Similar {
	for i := range m.Similar {
		if columns := &m.Similar[i]; columns.Digest == r.DatasetDigest {
			return columns
		}
	}
	return nil
}
