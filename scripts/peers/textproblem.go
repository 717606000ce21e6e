package main

import "slices"

// texts returns the writer of a problem of rows of words by Zipf's law, of 40 to 160 draws each; a fifth of the draws are words that the
// class prefers. A tenth of the rows is held out.
func texts(seed uint64, rows, width, classes int) func(to *folder) error {
	return func(to *folder) error {
		words, preferred := newZipf(width, 3), newZipf(400, 1)
		train, test := &split{columns: width}, &split{columns: width}
		r := stream{hash(seed, 131)}
		for i := range rows {
			class := below(r.next(), uint64(classes))
			var ones []int32
			for range 40 + below(r.next(), 121) {
				w := words.rank(r.next())
				if below(r.next(), 5) == 0 {
					w = below(hash(seed, 132, class, preferred.rank(r.next())), uint64(width))
				}
				ones = append(ones, int32(w))
			}
			slices.Sort(ones)
			side := train
			if i%10 == 0 {
				side = test
			}
			side.add(slices.Compact(ones), float64(class))
		}
		return to.sparse(train, test, "npz")
	}
}
