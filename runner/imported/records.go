package imported

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/suggest"
	"tenfold/io/tablefile"
)

// records holds the lines of a file, column by column, and the fold of each. Records are counted from 1, without the header.
type records struct {
	file   string
	folds  foldList
	places placeColumns
	byFold map[foldKey][]int32 // the records of a fold, rising
}

// foldList holds the folds of an experiment.
type foldList struct {
	all       []Fold
	names     []string         // of data sets, in order
	byDataset map[string][]int // by data set, indices into all
	others    []string         // further data sets of the experiment
}

func listFolds(all []Fold, others []string) foldList {
	l := foldList{all: all, byDataset: map[string][]int{}, others: others}
	for i, f := range all {
		if l.byDataset[f.Dataset] == nil {
			l.names = append(l.names, f.Dataset)
		}
		l.byDataset[f.Dataset] = append(l.byDataset[f.Dataset], i)
	}
	return l
}

// foldKey identifies the rows of a fold; data sets that a grid varies can share one.
type foldKey struct {
	dataset, digest string
	repeat, fold    int
}

func (f Fold) key() foldKey { return foldKey{f.Dataset, f.Digest, f.Repeat, f.Fold} }

// placeColumns holds the columns that say which fold a record belongs to.
type placeColumns struct {
	dataset, digest tablefile.Words
	repeat, fold    tablefile.WholeNumbers
	has             map[string]bool // names of columns
}

// taker takes the cells of a column.
type taker = func(tablefile.Value) error

// binding maps the columns of a header to takers: by exact name, or by a known prefix.
type binding struct {
	file     string
	columns  map[string]taker
	prefixes []string // prefixes of names that end in the name of a level
	prefixed func(prefix, level string) taker
}

// bind returns the takers in order of the header.
func (b binding) bind(header []string) ([]func(tablefile.Value) error, error) {
	out := make([]func(tablefile.Value) error, len(header))
	for k, name := range header {
		if slices.Contains(header[:k], name) {
			return nil, fmt.Errorf("%s: two columns are named %q", b.file, name)
		}
		if out[k] = b.columns[name]; out[k] != nil {
			continue
		}
		for _, p := range b.prefixes {
			if level, ok := strings.CutPrefix(name, p); ok && out[k] == nil {
				out[k] = b.prefixed(p, level)
			}
		}
		if out[k] == nil {
			var known []string
			for name := range b.columns {
				known = append(known, name)
			}
			slices.Sort(known)
			for _, p := range b.prefixes {
				known = append(known, p+"LEVEL")
			}
			return nil, fmt.Errorf("%s: unknown column %q%s", b.file, name, suggest.Choices(name, known))
		}
	}
	return out, nil
}

// finiteNumber returns a taker of numbers; an empty cell is NaN, and other texts are errors.
func finiteNumber(to *[]float64) taker {
	return func(v tablefile.Value) error {
		x, ok := v.Number()
		switch {
		case v.Missing():
			x = math.NaN()
		case !ok:
			return fmt.Errorf("found %q, expected a finite number", v.Text())
		}
		*to = append(*to, x)
		return nil
	}
}

// columns returns the takers of these columns, each of which notes that it is there.
func (p *placeColumns) columns() map[string]taker {
	p.has = map[string]bool{}
	return map[string]taker{
		"dataset": p.dataset.Take, "fold_digest": p.digest.Take, "repeat": p.repeat.Take, "fold": p.fold.Take,
	}
}

// check returns an error if the columns do not say which fold a record belongs to.
func (p *placeColumns) check(file string, folds foldList) error {
	if !p.has["dataset"] && len(folds.names) > 1 {
		return fmt.Errorf("%s: there is no column dataset, and the experiment has several data sets", file)
	}
	if !p.has["fold_digest"] && !p.has["fold"] {
		return fmt.Errorf("%s: there is no column fold_digest and no column fold, expected one of them", file)
	}
	if !p.has["fold_digest"] && !p.has["repeat"] && slices.ContainsFunc(folds.all, func(f Fold) bool { return f.Repeat > 0 }) {
		return fmt.Errorf("%s: there is no column repeat, and the experiment has several repeats", file)
	}
	return nil
}

// place holds a record's entries about its fold; -1 for those it lacks.
type place struct{ dataset, digest, repeat, fold int32 }

// placeOf returns the entries of a record about its fold.
func (p *placeColumns) placeOf(record int) place {
	entry := func(list []int32) int32 {
		if list == nil {
			return -1
		}
		return list[record]
	}
	return place{entry(p.dataset.Numbers), entry(p.digest.Numbers), entry(p.repeat), entry(p.fold)}
}

// divide assigns the records to folds. Data sets that a grid varies can share folds, and so records.
func (r *records) divide(n int) error {
	r.byFold = map[foldKey][]int32{}
	known := map[place][]foldKey{}
	for k := range n {
		record := r.places.placeOf(k)
		folds, seen := known[record]
		if !seen {
			var err error
			if folds, err = r.matching(record); err != nil {
				return fmt.Errorf("%s, record %d: %w", r.file, k+1, err)
			}
			known[record] = folds
		}
		for _, f := range folds {
			r.byFold[f] = append(r.byFold[f], int32(k))
		}
	}
	return nil
}

// matching returns the folds that a record belongs to; none if it is of an ignored data set.
func (r *records) matching(record place) (found []foldKey, err error) {
	text := func(w *tablefile.Words, k int32) string {
		if k < 0 {
			return ""
		}
		return w.List[k]
	}
	dataset, digest := text(&r.places.dataset, record.dataset), text(&r.places.digest, record.digest)
	if record.dataset < 0 { // there is only one data set
		dataset = r.folds.names[0]
	}
	for _, i := range r.folds.byDataset[dataset] {
		f := r.folds.all[i]
		if (digest == "" || f.Digest == digest) && (record.repeat < 0 || int(record.repeat) == f.Repeat) && (record.fold < 0 || int(record.fold) == f.Fold) && !slices.Contains(found, f.key()) {
			found = append(found, f.key())
		}
	}
	switch {
	case slices.Contains(r.folds.others, dataset):
		return nil, nil
	case r.folds.byDataset[dataset] == nil:
		return nil, fmt.Errorf("the experiment has no data set %q%s", dataset, suggest.Choices(dataset, r.folds.names))
	case digest == "" && record.fold < 0:
		return nil, fmt.Errorf("no fold_digest and no fold, expected one of them")
	case len(found) == 0:
		return nil, fmt.Errorf("unknown fold: the experiment has none with %s (tenfold folds lists them)", describePlace(dataset, digest, record))
	}
	return found, nil
}

func describePlace(dataset, digest string, record place) string {
	var parts []string
	add := func(is bool, format string, value any) {
		if is {
			parts = append(parts, fmt.Sprintf(format, value))
		}
	}
	add(dataset != "", "dataset %s", dataset)
	add(digest != "", "fold_digest %s", digest)
	add(record.repeat >= 0, "repeat %d", record.repeat)
	add(record.fold >= 0, "fold %d", record.fold)
	return strings.Join(parts, ", ")
}

// recordsOf returns the records of a fold.
func (r *records) recordsOf(f Fold) []int32 { return r.byFold[f.key()] }

// String formats a fold for messages.
func (f Fold) String() string {
	return fmt.Sprintf("repeat %d, fold %d of %s (fold_digest %s)", f.Repeat, f.Fold, f.Dataset, f.Digest)
}
