package main

import (
	"cmp"
	"fmt"
	"slices"
)

// regression returns the writer of problem A: numbers from columns of 0 and 1, of patterns seen five times or more; about a tenth of the
// distinct tuples is held out. The noise belongs to the tuple, so equal rows have equal responses.
func regression(seed uint64, n, words, support int) func(to *folder) error {
	const scale, noise = 5600, 2700 // of coefficients and noise, in units of 1/1024
	return func(to *folder) error {
		ts := drawTuples(seed, n, words, 60)
		p := extract(ts, templates28, seed)
		column, width := p.columns(func(k int) bool { return p.count[k] >= 5 })
		order := make([]int32, width)
		for j := range order {
			order[j] = int32(j)
		}
		slices.SortFunc(order, func(a, b int32) int {
			return cmp.Compare(hash(seed, 41, uint64(a)), hash(seed, 41, uint64(b)))
		})
		truth := make([]int64, width)
		for _, j := range order[:support] {
			truth[j] = normal1024(hash(seed, 42, uint64(j))) * scale / 1024
		}
		train, test := &split{columns: width}, &split{columns: width}
		var ones []int32
		for i := range ts {
			ones = p.ones(i, column, ones)
			f := int64(3 * 1024)
			for _, j := range ones {
				f += truth[j]
			}
			key := ts[i].key(hash(seed, 51))
			f += normal1024(key) * noise / 1024
			side := train
			if below(mix(key^0x5bd1), 10) == 0 {
				side = test
			}
			side.add(ones, float64(f)/1024)
		}
		group, coefficients := make([]int32, width), make([]float64, width)
		for k, j := range column {
			if j >= 0 {
				group[j], coefficients[j] = p.template[k], float64(truth[j])/1024
			}
		}
		to.raw("truth.f64", coefficients)
		to.raw("group.i32", group)
		return to.sparse(train, test, "npz")
	}
}

// label draws the class of a tuple of problem B: mostly by its tags, sometimes by words, one in a hundred by chance.
func label(seed uint64, t *tuple, classes zipf, r *stream) int32 {
	u := below(r.next(), 100)
	h := uint64(0)
	switch {
	case u < 76:
		h = hash(seed, 62, t[1], t[6])
	case u < 85:
		h = hash(seed, 63, t[0], t[6])
	case u < 93:
		h = hash(seed, 64, t[1], t[5])
	case u < 99:
		h = hash(seed, 65, t[4], t[9], t[1])
	default:
		h = r.next()
	}
	return int32(classes.rank(h))
}

// manyClasses returns the writer of problem B: 86 classes, and the columns that come with some class eight times or more in the training
// rows.
func manyClasses(seed uint64, n, words int) func(to *folder) error {
	return func(to *folder) error {
		ts := drawTuples(seed, n, words, 60)
		classes, r := newZipf(86, 1), stream{hash(seed, 61)}
		labels := make([]int32, len(ts))
		for i := range ts {
			labels[i] = label(seed, &ts[i], classes, &r)
		}
		p := extract(ts, templates24(), seed)
		held := func(i int) bool { return below(ts[i].key(hash(seed, 71)), 11) == 0 }
		together := map[uint64]int32{} // rows of a pattern and a class
		for i := range ts {
			if held(i) {
				continue
			}
			for _, k := range p.rows[i] {
				together[uint64(k)<<8|uint64(labels[i])]++
			}
		}
		var candidates []uint64
		frequent := make([]bool, len(p.count))
		for pair, rows := range together {
			if rows >= 8 {
				candidates = append(candidates, pair)
				frequent[pair>>8] = true
			}
		}
		slices.Sort(candidates)
		column, width := p.columns(func(k int) bool { return frequent[k] })
		train, test := &split{columns: width}, &split{columns: width}
		var ones []int32
		for i := range ts {
			side := train
			if held(i) {
				side = test
			}
			ones = p.ones(i, column, ones)
			side.add(ones, float64(labels[i]))
		}
		pairs := make([]int32, 0, 2*len(candidates))
		for _, c := range candidates {
			pairs = append(pairs, column[c>>8], int32(c&255))
		}
		to.raw("candidates.i32", pairs)
		return to.sparse(train, test, "npz", "svm")
	}
}

// twoClasses returns the writer of problem C: the most frequent columns, of which 3 % have weight.
func twoClasses(seed uint64, n, words, width int) func(to *folder) error {
	return func(to *folder) error {
		ts := drawTuples(seed, n, words, 100)
		p := extract(ts, templates36(), seed)
		if len(p.count) < width {
			return fmt.Errorf("%d patterns, expected %d or more", len(p.count), width)
		}
		order := make([]int32, len(p.count))
		for k := range order {
			order[k] = int32(k)
		}
		slices.SortFunc(order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(p.count[b], p.count[a]), cmp.Compare(a, b))
		})
		frequent := make([]bool, len(p.count))
		for _, k := range order[:width] {
			frequent[k] = true
		}
		column, _ := p.columns(func(k int) bool { return frequent[k] })
		truth := make([]int64, width)
		for j := range truth {
			if below(hash(seed, 81, uint64(j)), 100) < 3 {
				truth[j] = normal1024(hash(seed, 82, uint64(j))) * 3
			}
		}
		r := stream{hash(seed, 83)}
		train, test := &split{columns: width}, &split{columns: width}
		var ones []int32
		for i := range ts {
			ones = p.ones(i, column, ones)
			f := int64(-300)
			for _, j := range ones {
				f += truth[j]
			}
			y := -1.0
			if f+normal1024(r.next())*3/2 > 0 {
				y = 1
			}
			side := train
			if i >= n*10/11 {
				side = test
			}
			side.add(ones, y)
		}
		return to.sparse(train, test, "svm")
	}
}
