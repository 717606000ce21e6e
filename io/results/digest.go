package results

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"

	"tenfold/engines/searches"
)

// digester computes the logical digest of results, "sha256:<hex>": equal for equal experiments, whatever the order of the rows,
// the machine, the number of workers and the time taken. It covers, for every row, what it is about (data set, algorithm,
// cell, repeat, fold, their digests, seed, engine and its revision), its status and, where that is ok, everything that the
// fit produced but its predictions, floats by their bits.
//
// Left out are the experiment's name; timings, those among metrics too; where, when and by what the fit was made, at which
// attempt and under which limit; notes and facts, which are prose; parameters, and which one steps have a value of, which the cell's key stands for;
// predictions, which may have been kept or not, and which the metrics sum up; and what fits that did not end well left
// behind, which depends on when they were stopped.
type digester struct {
	rows []digestedRow
	buf  []byte // scratch for one row
}

type digestedRow struct {
	dataset, algorithm string
	key
	sum [sha256.Size]byte
}

func (d *digester) addRow(r *Row) {
	d.buf = d.buf[:0]
	d.appendTexts("tenfold row 1", r.Dataset, r.Algorithm, r.Engine, r.Cell, r.FoldDigest, r.DatasetDigest, string(r.Status))
	d.appendInts(int64(r.Repeat), int64(r.Fold), r.Seed, int64(r.Revision))
	if r.Status == OK {
		d.addOutcome(&r.Outcome)
	}
	d.rows = append(d.rows, digestedRow{r.Dataset, r.Algorithm, r.key(), sha256.Sum256(d.buf)})
}

// addClusterings adds each clustering as a row.
func (d *digester) addClusterings(all []Clustering) {
	for _, c := range all {
		d.buf = d.buf[:0]
		d.appendTexts("tenfold clusters 1", c.Dataset, c.Algorithm, c.Cell)
		for _, k := range c.Clusters {
			d.appendInts(int64(k.Number), int64(len(k.Members)))
			d.appendTexts(k.Shared)
			for _, m := range k.Members {
				d.appendTexts(m.Task, m.Output)
				d.appendInts(int64(m.Rows), int64(m.Features))
				d.appendFloats(m.Nearest)
			}
		}
		d.rows = append(d.rows, digestedRow{c.Dataset, c.Algorithm, key{Cell: c.Cell}, sha256.Sum256(d.buf)})
	}
}

func (d *digester) hexSum() string {
	slices.SortFunc(d.rows, func(a, b digestedRow) int {
		return cmp.Or(
			strings.Compare(a.dataset, b.dataset), strings.Compare(a.algorithm, b.algorithm), strings.Compare(a.Cell, b.Cell),
			cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.Fold, b.Fold), bytes.Compare(a.sum[:], b.sum[:]),
		)
	})
	h := sha256.New()
	for _, r := range d.rows {
		h.Write(r.sum[:])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

func (d *digester) addOutcome(o *Outcome) {
	optimistic := int64(0)
	if o.Optimistic {
		optimistic = 1
	}
	d.appendInts(o.RowsTrain, o.RowsTest, o.Columns, int64(o.Nonzero), int64(o.Features), optimistic)
	d.appendTexts(o.SelectedSum)
	for _, s := range o.Scores {
		// A NaN is not stored, so it cannot count.
		if !IsTiming(s.Metric) && !math.IsNaN(s.Value) {
			d.appendTexts("score", s.Metric, s.Output)
			d.appendInts(int64(max(s.Point, -1)))
			d.appendFloats(s.Value)
		}
	}
	for _, s := range o.Selected {
		d.appendTexts("selected", s.Feature, s.Class, s.Output)
		d.appendInts(int64(max(s.Rank, -1)))
		d.appendFloats(s.Coefficient, s.Score)
		if b := s.Bits; b != nil {
			d.appendTexts("bits")
			d.appendFloats(b.Saved, b.Refined, b.Class, b.Index, b.Subset, b.Coefficient)
		}
	}
	for _, p := range o.Path {
		best := int64(0)
		if p.Best {
			best = 1
		}
		d.appendTexts("point")
		d.appendInts(p.Step, int64(p.Nonzero), p.Evaluations, best)
		d.appendFloats(p.TrainError, p.TestError, p.ParameterValue)
	}
	for _, s := range o.Searches {
		d.addSearch(s)
	}
}

// addSearch adds what a search measured, without the words for its candidates, which the cell's key stands for.
func (d *digester) addSearch(s searches.Record) {
	for _, stage := range s.Stages {
		d.appendTexts("search", s.Part, stage.Metric)
		for _, f := range stage.Folds {
			d.appendInts(int64(f.Fitted), int64(f.Held))
		}
		for _, a := range stage.Attempts {
			marks := int64(0)
			for bit, is := range []bool{a.Kept, a.Best, a.OneSE, a.Chosen} {
				if is {
					marks |= 1 << bit
				}
			}
			d.appendInts(marks, int64(len(a.Values)))
			d.appendFloats(a.Values...)
		}
	}
}

// IsTiming reports whether a metric may differ between two runs.
func IsTiming(metric string) bool {
	return strings.HasPrefix(metric, "seconds_") || metric == "cpu_seconds"
}

func (d *digester) appendTexts(texts ...string) {
	for _, s := range texts {
		d.appendInts(int64(len(s)))
		d.buf = append(d.buf, s...)
	}
}

func (d *digester) appendInts(numbers ...int64) {
	for _, n := range numbers {
		d.buf = binary.LittleEndian.AppendUint64(d.buf, uint64(n))
	}
}

// appendFloats appends the bits of floats; all NaN count as the same.
func (d *digester) appendFloats(floats ...float64) {
	for _, x := range floats {
		if math.IsNaN(x) {
			x = math.NaN()
		}
		d.buf = binary.LittleEndian.AppendUint64(d.buf, math.Float64bits(x))
	}
}
