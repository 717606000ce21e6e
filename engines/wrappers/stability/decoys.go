package stability

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
)

// decoys that stand after the columns of the data.
type decoys struct{ candidates, number int }

// withPermuted is the rows with permuted columns after the others: a share of those that vary, a random subset in the order of their
// numbers.
func withPermuted(v *data.View, share float64, seed uint64) (*data.View, decoys, error) {
	if v.Starts() != nil {
		return nil, decoys{}, fmt.Errorf("decoys of rows that follow each other are not known")
	}
	s, err := sparse.Standardize(v.Matrix(), nil, "none")
	if err != nil {
		return nil, decoys{}, err
	}
	var sources []int32
	for j, scale := range s.Scale {
		if scale != 0 {
			sources = append(sources, int32(j))
		}
	}
	d := decoys{candidates: len(sources)}
	if len(sources) == 0 {
		return nil, d, fmt.Errorf("no column varies in the training rows, so that none can have a decoy")
	}
	d.number = max(1, int(float64(share*float64(d.candidates))+0.5))
	if d.number < d.candidates {
		rng := rand.New(rand.NewPCG(seed, data.Key("decoys")))
		rng.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
		sources = sources[:d.number]
		slices.Sort(sources)
	}
	wide, err := permutedBeside(v.Matrix(), sources, func(j int32) *rand.Rand {
		return rand.New(rand.NewPCG(seed, data.Key("probe", v.Features().Name(int(j)))))
	})
	if err != nil {
		return nil, d, err
	}
	names := make([]string, len(sources))
	for k, j := range sources {
		names[k] = "probe:" + v.Features().Name(int(j))
		if _, taken := v.Features().Lookup(names[k]); taken {
			return nil, d, fmt.Errorf("the data has a column %s, which is the name of a decoy", names[k])
		}
	}
	return v.Beside(wide, names, sources), d, nil
}

// permutedBeside is a matrix with further columns: the values of each source in random order, by its own generator. Where they stand is
// drawn without replacement, so that the law is that of a permutation. O(entries).
func permutedBeside(x *sparse.Matrix, sources []int32, generator func(source int32) *rand.Rand) (*sparse.Matrix, error) {
	rows, columns := x.Dims()
	idx, val := make([][]int32, rows), make([][]float64, rows)
	order := make([]int32, rows)
	for i := range rows {
		row := x.Row(i)
		idx[i] = slices.Clone(row.Idx)
		for k := range row.Idx {
			val[i] = append(val[i], row.At(k))
		}
		order[i] = int32(i)
	}
	for k, j := range sources {
		rng, source := generator(j), x.Col(int(j))
		var swapped [][2]int
		for at := range source.Idx {
			other := at + rng.IntN(rows-at)
			order[at], order[other] = order[other], order[at]
			swapped = append(swapped, [2]int{at, other})
			i := order[at]
			idx[i], val[i] = append(idx[i], int32(columns+k)), append(val[i], source.At(at))
		}
		slices.Reverse(swapped) // the next column begins with the order of rows
		for _, s := range swapped {
			order[s[0]], order[s[1]] = order[s[1]], order[s[0]]
		}
	}
	var b sparse.Builder
	for i := range idx {
		if err := b.Add(idx[i], val[i]); err != nil {
			return nil, err
		}
	}
	return b.Build(columns + len(sources))
}

// thresholds that are tried, as hundredths.
const thresholds = 100

// curve is FDP⁺(t) at t = 0, 0.01, …, 0.99: the estimated share of mistakes among the columns that more than a share t of the halves
// selected (Hédou et al. 2024, equation 2), from how many halves selected each column and each decoy; and the first t, in hundredths,
// where it is smallest.
func (d decoys) curve(real, decoy []int, halves int) (fdp [thresholds]float64, at int) {
	above := func(counts []int, t int) (n int) {
		for _, c := range counts {
			if thresholds*c > t*halves {
				n++
			}
		}
		return n
	}
	for t := range fdp {
		wrong := 1 + float64(float64(d.candidates)/float64(d.number)*float64(above(decoy, t)))
		fdp[t] = wrong / float64(max(1, above(real, t)))
		if fdp[t] < fdp[at] {
			at = t
		}
	}
	return fdp, at
}

// settle the threshold by the decoys, which are left out of the counts from then on.
func (d decoys) settle(rule *plan, t *counts, real int) (facts []data.Fact, notes []string) {
	fdp, at := d.curve(t.of[:real], t.of[real:], t.halves)
	t.of = t.of[:real]
	rule.Threshold = float64(at) / thresholds
	rule.Count = at*t.halves/thresholds + 1
	if fdp[at] > 1 {
		rule.Count = t.halves + 1
		notes = append(notes, fmt.Sprintf("nothing is selected: at every threshold decoys are as frequent as columns (estimated share of mistakes %.4g)", fdp[at]))
	}
	var steps []string
	for k, v := range fdp {
		if k == 0 || v != fdp[k-1] {
			steps = append(steps, fmt.Sprintf("%.2f: %.3g", float64(k)/thresholds, v))
		}
	}
	return []data.Fact{
		{Name: "decoys", Value: fmt.Sprintf("%d of %d columns that vary", d.number, d.candidates)},
		{Name: "threshold found by decoys", Value: fmt.Sprintf("more than %.2f of %d halves", rule.Threshold, t.halves)},
		{Name: "share of mistakes, as decoys estimate it", Value: fmt.Sprintf("%.4g", fdp[at])},
		{Name: "the same from each threshold on", Value: strings.Join(steps, ", ")},
	}, notes
}
