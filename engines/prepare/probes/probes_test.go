package probes_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/probes"
)

// drawn is a small matrix with its probes: x0 numbers, x1 few entries, x2 constant in the training rows, x3 levels.
func drawn(t *testing.T, r probes.Rule, seed uint64) (p *data.Prepared, train, test []int32) {
	t.Helper()
	rows := make([][]float64, 40)
	for i := range rows {
		rows[i] = []float64{float64(i) - 11.5, 0, 2, float64(i % 3)}
		if i%10 == 3 {
			rows[i][1] = float64(i)
		}
		if i < 38 && i%4 == 1 {
			test = append(test, int32(i))
			rows[i][2] = 5
		} else if i < 38 { // the last two rows are on neither side
			train = append(train, int32(i))
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", make([]float64, len(rows))...))
	p, err := prepare.Recipe{}.Fit(set, train)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Draw(p, train, test, seed); err != nil {
		t.Fatal(err)
	}
	return p, train, test
}

func column(p *data.Prepared, j int, rows []int32) []float64 {
	out := make([]float64, len(rows))
	col := p.X.Pick(rows).Col(j)
	for k, i := range col.Idx {
		out[i] = col.At(k)
	}
	return out
}

// The values of a permuted probe are those of its column, on the training rows and on the test rows by themselves; each has
// another order, and no probe is of a column that does not vary in the training rows. The data's own columns stay.
func TestPermutedProbes(t *testing.T) {
	t.Parallel()
	p, train, test := drawn(t, probes.Rule{Kind: probes.Permuted, Share: 1}, 5)
	plain, _, _ := drawn(t, probes.Rule{Kind: probes.Permuted, Share: 1}, 6)
	if p.Probes != (data.Probes{First: 4, Number: 3, Candidates: 3}) || p.Columns() != 7 {
		t.Fatalf("%+v among %d columns", p.Probes, p.Columns())
	}
	moved := 0
	for k, source := range []int{0, 1, 3} {
		if name := p.Features.Name(4 + k); name != fmt.Sprint("probe:x", source) {
			t.Errorf("probe %d is %s", k, name)
		}
		for _, rows := range [][]int32{train, test} {
			a, b := column(p, source, rows), column(p, 4+k, rows)
			if !slices.Equal(a, b) {
				moved++
			}
			if slices.Sort(a); !slices.Equal(a, slices.Sorted(slices.Values(b))) {
				t.Errorf("probe of x%d: %v, expected %v in some order", source, b, a)
			}
		}
		if slices.Equal(column(p, 4+k, train), column(plain, 4+k, train)) {
			t.Errorf("probe of x%d is the same with another seed", source)
		}
		if got := column(p, 4+k, []int32{38, 39}); got[0] != 0 || got[1] != 0 {
			t.Errorf("probe of x%d has values on rows of neither side: %v", source, got)
		}
	}
	if moved != 6 {
		t.Errorf("%d of 6 orders differ from that of the rows", moved)
	}
	all := data.Numbers(40)
	for j := range 4 {
		if !slices.Equal(column(p, j, all), column(plain, j, all)) {
			t.Errorf("x%d changes with the seed of the probes", j)
		}
	}
}

// A permutation puts each value on each row equally often.
func TestPermutedProbesAreUniform(t *testing.T) {
	t.Parallel()
	counts := map[int]int{}
	const draws = 4000
	for seed := range uint64(draws) {
		p, train, _ := drawn(t, probes.Rule{Kind: probes.Permuted, Share: 1}, seed)
		counts[slices.Index(column(p, 5, train), 3)]++ // of the four entries of x1 in training rows, that of row 3
	}
	chi2, n := 0.0, 28
	for i := range n {
		d := float64(counts[i]) - float64(draws)/float64(n)
		chi2 += d * d / (float64(draws) / float64(n))
	}
	if chi2 > 55.5 { // 99.9 % of the law with 27 degrees of freedom
		t.Errorf("χ² of the rows is %v: %v", chi2, counts)
	}
}

// Jointly, all probes have one order of the rows: what stands in one row of the columns stands in one row of the probes.
func TestJointProbes(t *testing.T) {
	t.Parallel()
	p, train, test := drawn(t, probes.Rule{Kind: probes.Permuted, Share: 1, Joint: true}, 5)
	for _, rows := range [][]int32{train, test} {
		of := map[float64][2]float64{}
		x := [][]float64{column(p, 0, rows), column(p, 1, rows), column(p, 3, rows)}
		probe := [][]float64{column(p, 4, rows), column(p, 5, rows), column(p, 6, rows)}
		for i := range rows {
			of[x[0][i]] = [2]float64{x[1][i], x[2][i]}
		}
		for i := range rows {
			if of[probe[0][i]] != [2]float64{probe[1][i], probe[2][i]} {
				t.Errorf("row %d of the probes is no row of the columns", i)
			}
		}
		if slices.Equal(x[0], probe[0]) {
			t.Error("the rows are in their order")
		}
	}
}

// Gaussian probes have the moments of their column in the training rows, on both sides.
func TestGaussianProbes(t *testing.T) {
	t.Parallel()
	const draws = 400
	var sum, squares [2]float64
	var n [2]float64
	var mean, sd float64
	for seed := range uint64(draws) {
		p, train, test := drawn(t, probes.Rule{Kind: probes.Gaussian, Share: 1}, seed)
		x := column(p, 0, train)
		mean, sd = moments(x)
		for s, rows := range [][]int32{train, test} {
			for _, v := range column(p, 4, rows) {
				sum[s], squares[s], n[s] = sum[s]+v, squares[s]+(v-mean)*(v-mean), n[s]+1
			}
		}
	}
	for s := range sum {
		if d := math.Abs(sum[s]/n[s]-mean) / (sd / math.Sqrt(n[s])); d > 3.3 {
			t.Errorf("side %d: the mean is %v standard errors off", s, d)
		}
		if ratio := squares[s] / n[s] / (sd * sd); !(math.Abs(ratio-1) <= 3.3*math.Sqrt(2/n[s])) {
			t.Errorf("side %d: the variance is %v of that of the column", s, ratio)
		}
	}
}

// Second-order probes go with the other columns as theirs do, on both sides, and less with their own: of columns that go with true ones,
// they are selected as often, so that the estimated share of mistakes sees these, as that of permuted ones does not.
func TestSecondOrderProbes(t *testing.T) {
	t.Parallel()
	const rows, columns, size, sets = 300, 40, 10, 25
	fdp := map[string]float64{}
	var with, own [2]float64 // mean product of probe j with column j+1, and with its own, on each side
	var truth, expected float64
	for seed := range uint64(sets) {
		rng := rand.New(rand.NewPCG(seed, 7))
		x, y := make([][]float64, rows), make([]float64, rows)
		for i := range x {
			x[i] = make([]float64, columns)
			for j := range x[i] {
				if x[i][j] = rng.NormFloat64(); j > 0 {
					x[i][j] = 0.8*x[i][j-1] + 0.6*x[i][j]
				}
			}
			y[i] = x[i][5] - x[i][25] + rng.NormFloat64()
		}
		set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
		train, test := data.Numbers(rows)[:200], data.Numbers(rows)[200:]
		for _, kind := range []string{probes.Permuted, probes.SecondOrder} {
			p, err := prepare.Recipe{}.Fit(set, train)
			if err != nil {
				t.Fatal(err)
			}
			if err := (probes.Rule{Kind: kind, Share: 1}).Draw(p, train, test, seed); err != nil {
				t.Fatal(err)
			}
			order := make([]int, 2*columns)
			score := make([]float64, 2*columns)
			for j := range order {
				order[j] = j
				mean, sd := moments(column(p, j, train))
				for k, v := range column(p, j, train) {
					score[j] += (v - mean) / sd * y[train[k]]
				}
				score[j] = math.Abs(score[j])
			}
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
			drawn := 0.0
			for _, j := range order[:size] {
				switch {
				case j >= columns:
					drawn++
				case kind == probes.SecondOrder && j != 5 && j != 25:
					truth++
				}
				if kind == probes.SecondOrder && j < columns {
					expected++
				}
			}
			fdp[kind] += drawn / max(1, size-drawn) / sets
			if kind == probes.Permuted {
				continue
			}
			for s, side := range [][]int32{train, test} {
				z, next, its := column(p, columns+20, side), column(p, 21, side), column(p, 20, side)
				for i := range z {
					with[s] += z[i] * next[i] / float64(len(side)) / sets
					own[s] += z[i] * its[i] / float64(len(side)) / sets
				}
			}
		}
	}
	for s := range with {
		if !(math.Abs(with[s]-0.8) <= 0.1) || own[s] > 0.95 || own[s] < 0.3 {
			t.Errorf("side %d: covariance %v with the next column, expected 0.8, and %v with its own", s, with[s], own[s])
		}
	}
	t.Logf("estimated share of mistakes %v, true %.2f", fdp, truth/expected)
	if fdp[probes.Permuted] > 0.05 || fdp[probes.SecondOrder] < 0.3 {
		t.Errorf("estimated share of mistakes %v, true %v", fdp, truth/expected)
	}
}

func moments(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, math.Sqrt(sd)
}

// A share draws which columns have a probe, at least one, in the order of their numbers; a probe is the same whichever others
// there are.
func TestShareOfProbes(t *testing.T) {
	t.Parallel()
	all, train, _ := drawn(t, probes.Rule{Kind: probes.Permuted, Share: 1}, 5)
	seen := map[string]bool{}
	for seed := range uint64(30) {
		p, _, _ := drawn(t, probes.Rule{Kind: probes.Permuted, Share: 0.5}, seed) // of 3: 1.5, rounded up
		if p.Probes.Number != 2 || p.Features.Name(4) > p.Features.Name(5) {
			t.Fatalf("%d probes, %s, %s", p.Probes.Number, p.Features.Name(4), p.Features.Name(5))
		}
		seen[p.Features.Name(4)+p.Features.Name(5)] = true
	}
	if len(seen) != 3 {
		t.Errorf("sources drawn: %v, expected each pair of three", seen)
	}
	one, _, _ := drawn(t, probes.Rule{Kind: probes.Permuted, Share: 0.01}, 5)
	k, _ := all.Features.Lookup(one.Features.Name(4))
	if one.Probes.Number != 1 || !slices.Equal(column(one, 4, train), column(all, k, train)) {
		t.Errorf("alone %s is %v, among others %v", one.Features.Name(4), column(one, 4, train), column(all, k, train))
	}
}

// A probe has the class of its column, and columns of ones stay without values.
func TestClassesOfProbes(t *testing.T) {
	t.Parallel()
	set := enginetest.Dataset(enginetest.Matrix([]float64{1, 0}, []float64{0, 1}, []float64{1, 1}), enginetest.Real("y", 1, 2, 3))
	set.Features = set.Features.WithClasses([]int32{1, 0}, []string{"a", "b"})
	p, err := prepare.Recipe{}.Fit(set, nil)
	if err == nil {
		err = probes.Rule{Kind: probes.Permuted, Share: 1}.Draw(p, []int32{0, 1, 2}, nil, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	if f := p.Features; f.Class(2) != 1 || f.Class(3) != 0 || enginetest.ClassSize(f, 0) != 2 {
		t.Errorf("classes %d, %d of the probes, %d columns of the first class", f.Class(2), f.Class(3), enginetest.ClassSize(f, 0))
	}
	if !p.X.Binary() {
		t.Error("probes of 0/1 columns are not 0/1")
	}
}

func TestRefusedProbes(t *testing.T) {
	t.Parallel()
	permuted := prepare.Recipe{Probes: probes.Rule{Kind: probes.Permuted, Share: 1}}
	normal := prepare.Recipe{Probes: probes.Rule{Kind: probes.Gaussian, Share: 1}}
	named := enginetest.Dataset(enginetest.Matrix([]float64{1, 2}, []float64{3, 4}), enginetest.Real("y", 1, 2))
	named.Features = data.NewFeatures([]string{"a", "probe:a"})
	ones := enginetest.Dataset(enginetest.Matrix([]float64{1, 0}, []float64{0, 1}), enginetest.Real("y", 1, 2))
	constant := enginetest.Dataset(enginetest.Matrix([]float64{2, 0}, []float64{2, 0}, []float64{1, 1}), enginetest.Real("y", 1, 2, 3))
	for _, c := range []struct {
		recipe prepare.Recipe
		set    *data.Dataset
		want   string
	}{
		{permuted, named, `the column "probe:a" of the data has the name of a probe`},
		{normal, ones, "all columns are 0/1"},
		{permuted, ones, ""},
		{prepare.Recipe{}, named, ""},
	} {
		if err := c.recipe.Check(c.set); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, expected %q", err, c.want)
		}
	}
	p, err := prepare.Recipe{}.Fit(constant, []int32{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := permuted.Probes.Draw(p, []int32{0, 1}, []int32{2}, 1); err == nil || !strings.Contains(err.Error(), "no column varies") {
		t.Errorf("%v, expected that nothing varies", err)
	}
}

// Probes beside a view are drawn as those of a fold's training rows are, with the classes of their columns; the view's own columns stay.
func TestBeside(t *testing.T) {
	t.Parallel()
	r := probes.Rule{Kind: probes.Permuted, Share: 1}
	p, train, _ := drawn(t, r, 5)
	plain, err := prepare.Recipe{}.Fit(p.Set, train)
	if err != nil {
		t.Fatal(err)
	}
	plain.Features = plain.Features.WithClasses([]int32{0, 1, 0, 1}, []string{"a", "b"})
	v, err := r.Beside(plain.View(train), 5)
	if err != nil {
		t.Fatal(err)
	}
	if v.Probes() != p.Probes || v.Columns() != p.Columns() || v.Features().Class(5) != 1 {
		t.Fatalf("%+v of %d columns, class %d", v.Probes(), v.Columns(), v.Features().Class(5))
	}
	for j := range v.Columns() {
		a, b := v.Matrix().Col(j), p.X.Pick(train).Col(j)
		if v.Features().Name(j) != p.Features.Name(j) || !slices.Equal(a.Idx, b.Idx) || !slices.Equal(a.Val, b.Val) {
			t.Errorf("column %d, %s, is not that of the fold", j, v.Features().Name(j))
		}
	}
	constant := enginetest.Dataset(enginetest.Matrix([]float64{2, 0}, []float64{2, 0}), enginetest.Real("y", 1, 2))
	if _, err := r.Beside(enginetest.View(constant, nil), 1); err == nil || !strings.Contains(err.Error(), "no column varies") {
		t.Errorf("%v, expected that nothing varies", err)
	}
}

// Corrupted probes are half of their column and half noise of its deviation; products are those of two different columns.
func TestProbesThatTell(t *testing.T) {
	t.Parallel()
	p, train, test := drawn(t, probes.Rule{Kind: probes.Corrupted, Share: 1}, 5)
	again, _, _ := drawn(t, probes.Rule{Kind: probes.Gaussian, Share: 1}, 5)
	for k, source := range []int{0, 1, 3} {
		for _, rows := range [][]int32{train, test} {
			x, noisy, normal := column(p, source, rows), column(p, 4+k, rows), column(again, 4+k, rows)
			sum, n := 0.0, 0.0
			for _, v := range column(p, source, train) {
				sum, n = sum+v, n+1
			}
			for i := range x {
				if want := (x[i] + normal[i] - sum/n) / 2; !(math.Abs(noisy[i]-want) <= 1e-12*(1+math.Abs(want))) {
					t.Fatalf("probe of x%d: %v, expected %v", source, noisy[i], want)
				}
			}
		}
	}
	p, train, test = drawn(t, probes.Rule{Kind: probes.Product, Share: 1}, 5)
	for k, source := range []int{0, 1, 3} {
		found := 0
		for _, partner := range []int{0, 1, 3} {
			same := partner != source
			for _, rows := range [][]int32{train, test} {
				a, b, product := column(p, source, rows), column(p, partner, rows), column(p, 4+k, rows)
				for i := range a {
					same = same && a[i]*b[i] == product[i]
				}
			}
			if same {
				found++
			}
		}
		if found == 0 {
			t.Errorf("the probe of x%d is its product with no other column that varies", source)
		}
	}
	ones := enginetest.Dataset(enginetest.Random(1, 40, 3, 0.5, true), enginetest.Real("y", make([]float64, 40)...))
	binary, err := prepare.Recipe{}.Fit(ones, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := (probes.Rule{Kind: probes.Product, Share: 1}).Draw(binary, data.Numbers(40), nil, 1); err != nil || !binary.X.Binary() {
		t.Errorf("products of columns of 0 and 1 are not of 0 and 1 (%v)", err)
	}
}
