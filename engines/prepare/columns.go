package prepare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare/gaps"
	"tenfold/engines/prepare/naming"
	"tenfold/engines/suggest"
)

// fitColumns applies the cutoff, drops levels of categorical columns, and columns of texts, that no training row has, and columns of
// which none has a value, and puts missing words into the column that stands for them. It returns the columns kept, nil for all.
func (r Recipe) fitColumns(p *data.Prepared, l *Learned, train []int32) (keep []int32, err error) {
	d := p.Set
	rows, cols := d.X.Dims()
	if train == nil {
		train = data.Numbers(rows)
	}
	drop, err := r.droppedColumns(d)
	if err == nil {
		drop, err = dropUnknown(p, l, train, drop)
	}
	if err != nil || r.Cutoff == 0 && d.Factor == nil && d.Texts == nil && drop == nil {
		return nil, err
	}
	count := make([]int32, cols)
	lacking := make([]bool, cols) // levels that are missing words
	for _, i := range train {
		row := d.X.Row(int(i))
		for k, j := range row.Idx {
			switch v := row.At(k); {
			case v == v || !isLevel(d, int(j)):
				count[j]++
			case r.wordsAreLevel():
				count[j]++
				lacking[j] = true
			}
		}
	}
	if r.Unseen == "error" {
		if err := refuseUnseen(d, count, drop); err != nil {
			return nil, err
		}
	}
	keep = make([]int32, 0, cols)
	seen, unseen := 0, 0
	for j, c := range count {
		if drop != nil && drop[j] {
			continue
		}
		level, occurs := isLevel(d, j), r.Cutoff > 0 || d.Texts.Is(j)
		switch {
		case c > 0:
			seen++
		case occurs:
			unseen++
		}
		if int(c) >= r.Cutoff && !(c == 0 && (level || occurs)) {
			keep = append(keep, int32(j))
		}
	}
	if r.Cutoff > 1 {
		p.AddFact("columns in training rows before the cutoff", fmt.Sprint(seen))
		p.AddFact(fmt.Sprintf("columns after the cutoff (%d)", r.Cutoff), fmt.Sprint(len(keep)))
	}
	if unseen > 0 {
		p.AddFact("columns that no training row has, left out", fmt.Sprint(unseen))
	}
	to := data.PlacesOf(keep, cols)
	missing := to
	if d.Factor != nil {
		for j, c := range count { // rows that say so are rows that lack it
			lacking[j] = lacking[j] || r.wordsAreLevel() && c > 0 && isLevel(d, j) && strings.HasSuffix(d.Features.Name(j), "="+data.Missing)
		}
		missing = placeWords(d, to, count, lacking)
		l.words = make([]float64, len(keep))
		for k, j := range keep {
			if l.words[k] = -1; isLevel(d, int(j)) {
				l.words[k] = 0
			}
		}
		for j, k := range missing {
			if k >= 0 && isLevel(d, j) {
				l.words[k] = 1
			}
		}
	}
	if len(keep) == cols && r.wordsAreLevel() {
		return nil, nil
	}
	p.X, p.Features = d.X.Place(len(keep), to, missing), d.Features.Keep(keep)
	if r.keepsWords() && d.Factor != nil {
		p.X = gaps.Spread(p.X, data.ValuesAt(d.Factor, keep))
	}
	return keep, nil
}

// droppedColumns marks the columns that the recipe leaves out, including those with an infinite penalty; nil for none. The name of
// a categorical column stands for the columns of all its levels. A pattern that matches none is an error.
func (r Recipe) droppedColumns(d *data.Dataset) ([]bool, error) {
	factor, err := r.Treatment.factors(d)
	if r.Drop == "" && !slices.Contains(factor, math.Inf(1)) || err != nil {
		return nil, err
	}
	out, left := make([]bool, d.Features.Len()), d.Features.Len()
	for j, f := range factor {
		if math.IsInf(f, 1) {
			out[j] = true
			left--
		}
	}
	if r.Drop == "" {
		return out, nil
	}
	for pattern := range strings.SplitSeq(r.Drop, "\n") {
		columns := naming.Match(d, pattern)
		for _, j := range columns {
			if !out[j] {
				out[j] = true
				left--
			}
		}
		if len(columns) == 0 {
			return nil, param.Errorf("features.drop", "no column %q%s", pattern, suggest.DidYouMean(pattern, naming.Names(d)))
		}
	}
	if left == 0 {
		return nil, param.Errorf("features.drop", "no columns are left")
	}
	return out, nil
}

// isLevel reports whether column j is a level of a categorical column.
func isLevel(d *data.Dataset, j int) bool { return d.Factor != nil && d.Factor[j] >= 0 }

// columnOf returns the column of a table that a feature comes from, which may be one that preparation made.
func columnOf(d *data.Dataset, feature string) string {
	if j, ok := d.Features.Lookup(feature); ok {
		return d.ColumnOf(j)
	}
	return feature
}
