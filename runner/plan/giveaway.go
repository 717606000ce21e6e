package plan

import (
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/asterisk"
)

// GivesAway returns the features that give a class away, by name and in order of column: each of few values goes with one class alone,
// or whether the value is known does. Such a feature is often the target under another name, or made after it. Values are few if there
// are at most ten, or the square root of the rows, and two rows for each. A categorical column is one feature; columns that no model is
// given are none. The cost is O(entries); other targets than a single class have no such features.
func (s *Set) GivesAway() (names []string) {
	d := s.Data
	if len(d.Targets) != 1 || d.Targets[0].Type != data.Class || s.Task != "" {
		return nil
	}
	t := &d.Targets[0]
	class := make([]int32, d.Rows()) // -1 for rows without one
	for i := range class {
		class[i] = -1
	}
	sizes := make([]int, len(t.Levels))
	n := 0
	for k, y := range t.Values {
		i := k
		if t.Rows != nil {
			i = int(t.Rows[k])
		}
		class[i] = int32(y)
		sizes[int(y)]++
		n++
	}
	if slices.Max(append(sizes, 0)) == n { // one class
		return nil
	}
	w := watch{Dataset: d, class: class, n: n, most: max(10, int(math.Sqrt(float64(n))))}
	w.look(slices.Max(sizes))
	drop := strings.Split(s.Recipe().Drop, "\n")
	for _, j := range w.left() {
		name := d.Features.Name(j)
		if d.Factor != nil && d.Factor[j] >= 0 {
			name, _, _ = strings.Cut(name, "=")
		}
		if !slices.ContainsFunc(drop, func(pattern string) bool { return pattern == name || pattern != "" && asterisk.Matches(pattern, name) }) {
			names = append(names, name)
		}
	}
	return names
}

// Classes of the rows with some value.
const (
	noClass    = -1
	severally  = -2 // several classes
	wholeClass = 0  // and above: this one alone
)

// watch looks for features that give classes away.
type watch struct {
	*data.Dataset
	class   []int32
	n, most int
	seen    []*seen // of each column, a categorical one's under its first; nil where it gives nothing away
	counted []int32 // the column that counts for each
}

// seen is what was seen of a feature.
type seen struct {
	values         map[float64]int32 // and the class of each
	known, missing int32             // class of the rows with a value, and of those without
	rows, gaps     int               // with an entry, and without a value
	zeros          int32             // class of the rows without an entry
}

func with(class, more int32) int32 {
	if class == noClass || class == more {
		return more
	}
	return severally
}

// look goes through the entries; largest is the size of the largest class.
func (w *watch) look(largest int) {
	columns := w.Features.Len()
	w.counted, w.seen = make([]int32, columns), make([]*seen, columns)
	first, entries := map[int32]int32{}, make([]int32, columns)
	for j := range w.counted {
		w.counted[j] = int32(j)
		if w.Factor != nil && w.Factor[j] >= 0 {
			if _, is := first[w.Factor[j]]; !is {
				first[w.Factor[j]] = int32(j)
			}
			w.counted[j] = first[w.Factor[j]]
		}
	}
	for i, c := range w.class {
		if c != noClass {
			for _, j := range w.X.Row(i).Idx {
				entries[j]++
			}
		}
	}
	for j := range w.seen { // rows without an entry have the value 0, which goes with one class at most
		if categorical := w.Factor != nil && w.Factor[j] >= 0; int(w.counted[j]) == j && (categorical || int(entries[j]) >= w.n-largest) {
			w.seen[j] = &seen{values: map[float64]int32{}, known: noClass, missing: noClass, zeros: noClass}
		}
	}
	for i, c := range w.class {
		if c == noClass {
			continue
		}
		row, last := w.X.Row(i), int32(-1)
		for k, j := range row.Idx {
			column := w.counted[j]
			s := w.seen[column]
			v := row.At(k)
			if s == nil || column == last && v != v { // all levels of a missing value are missing
				continue
			}
			if last = column; column != j || w.Factor != nil && w.Factor[j] >= 0 {
				v = w.level(v, j)
			}
			if !s.add(v, c, w.most) {
				w.seen[column] = nil
			}
		}
	}
	w.addZeros()
}

// level returns the value of a categorical column in a row whose column j has v.
func (w *watch) level(v float64, j int32) float64 {
	if v != v {
		return v
	}
	return float64(j) + 1
}

// add adds a value of a row of a class, and reports whether the feature may give the class away.
func (s *seen) add(v float64, class int32, most int) bool {
	s.rows++
	if v != v {
		s.gaps++
		s.missing = with(s.missing, class)
		return s.missing != severally
	}
	s.known = with(s.known, class)
	if before, again := s.values[v]; again && before != class {
		return false
	}
	if len(s.values) <= most {
		s.values[v] = class
	}
	return len(s.values) <= most || s.known != severally
}

// addZeros adds the rows without an entry.
func (w *watch) addZeros() {
	var open []int
	for j, s := range w.seen {
		if s != nil && s.rows < w.n && (w.Factor == nil || w.Factor[j] < 0) {
			open = append(open, j)
		}
	}
	has := make([]int32, len(w.seen)) // the last row with an entry, from 1
	for i, c := range w.class {
		if c == noClass || len(open) == 0 {
			continue
		}
		for _, j := range w.X.Row(i).Idx {
			has[j] = int32(i) + 1
		}
		for _, j := range open {
			if s := w.seen[j]; has[j] != int32(i)+1 {
				s.zeros, s.known = with(s.zeros, c), with(s.known, c)
			}
		}
	}
}

// left returns the columns of the features that give the class away.
func (w *watch) left() (columns []int) {
	for j, s := range w.seen {
		if s == nil || s.zeros == severally {
			continue
		}
		different := len(s.values)
		for _, class := range []int32{s.missing, s.zeros} {
			if class >= wholeClass {
				different++
			}
		}
		few := different > 1 && different <= w.most && w.n >= 2*different
		unknown := s.gaps > 1 && w.n-s.gaps > 1 && s.known >= wholeClass && s.known != s.missing
		if few || unknown {
			columns = append(columns, j)
		}
	}
	return columns
}
