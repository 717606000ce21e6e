package mdl

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/growing"
)

// length of the description of a set of one task, by definition: its own noise, priced as a whole (thesis, Eq. 8).
func (l *literal) length(set []int32) float64 {
	rss := enginetest.SumOfSquares(l.residual(l.y[0], set))
	bits := l.n / 2 * math.Log2(2*math.Pi*math.E*rss/l.n)
	in := map[int32]bool{}
	if l.e.Code != "tpc" && l.e.Code != "tpc-switch" {
		return bits + float64(len(set))*l.paid(0, 1)
	}
	size, classes := map[int32]float64{}, map[int32]bool{}
	for _, c := range l.classes {
		size[c]++
	}
	for _, j := range set {
		in[l.classes[j]] = true
	}
	for _, c := range l.classes {
		classes[c] = true
	}
	for _, j := range set {
		bits += math.Log2(size[l.classes[j]]) + 2
		if l.e.Code == "tpc-switch" {
			bits++
		}
	}
	q := float64(len(in))
	bits += q * math.Log2(float64(len(classes)))
	if q > 0 {
		bits += (float64(len(set)) - q) * math.Log2(q)
	}
	return bits
}

// mixed, from the definition: the set, its length, and how many sets were looked at.
func (l *literal) mixed() (set []int32, length float64, visited int) {
	l.n = float64(len(l.y[0]))
	l.sets = [][]int32{nil}
	now, best := []int32(nil), []int32(nil)
	length = l.length(nil)
	visited = 1
	visit := func(set []int32) bool {
		visited++
		v := l.length(set)
		shorter := v < length-likelihood.TieBits
		if shorter || v <= length+likelihood.TieBits && len(set) < len(best) {
			best, length = slices.Clone(set), v
		}
		return shorter
	}
	for worse := 0; worse < l.e.Patience && len(now) < len(l.y[0])-2; {
		next, low := []int32(nil), math.Inf(1)
		for j := range int32(len(l.x)) {
			if slices.Contains(now, j) || l.flat(j) || enginetest.SumOfSquares(l.residual(l.x[j], now)) <= growing.DependentBelow*enginetest.SumOfSquares(enginetest.Centred(l.x[j])) {
				continue
			}
			if v := l.length(append(slices.Clone(now), j)); v < low-likelihood.TieBits {
				next, low = append(slices.Clone(now), j), v
			}
		}
		if next == nil {
			break
		}
		now = next
		worse++
		if visit(now) {
			worse = 0
		}
	}
	slices.Sort(now)
	for len(now) > 0 {
		next, low := []int32(nil), math.Inf(1)
		for i := range now {
			rest := slices.Delete(slices.Clone(now), i, i+1)
			if v := l.length(rest); v < low-likelihood.TieBits {
				next, low = rest, v
			}
		}
		now = next
		visit(now)
	}
	slices.Sort(best)
	return best, length, visited
}

func TestMixedLiterally(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 4))
	removed := 0
	for k := range 150 {
		x, y, classes := randomCase(rng)
		e := with(func(e *MDL) {
			e.Code = []string{"aic", "bic", "ric", "ric2", "tpc", "tpc-switch", "mic-partial"}[rng.IntN(7)]
			e.Search, e.Patience = searchMixed, 1+rng.IntN(5)
		})
		_, f, err := fit(t, e, viewOf(x, y[:1], classes))
		if err != nil {
			t.Fatal(err)
		}
		l := literal{e: e, x: x, y: y[:1], classes: classes}
		want, length, visited := l.mixed()
		got := f.columnsOf(0)
		slices.Sort(got)
		s := f.done[0]
		lengths := s.lengths()
		if !slices.Equal(got, want) || s.visited != visited || !(math.Abs(lengths.responses+lengths.model-length) <= 1e-7) {
			t.Fatalf("case %d, %+v: %v of %v bits after %d sets, literally %v of %v after %d", k, e, got, lengths.responses+lengths.model, s.visited, want, length, visited)
		}
		e.Search, e.Sigma, e.Patience = searchForward, likelihood.SigmaOwn, 5
		if _, f, err := fit(t, e, viewOf(x, y[:1], classes)); err != nil {
			t.Fatal(err)
		} else if !slices.Equal(slices.Sorted(slices.Values(f.columnsOf(0))), got) {
			removed++
		}
	}
	if removed < 10 {
		t.Errorf("only %d results differ from those of forward search: the cases show little", removed)
	}
}

// TestMixedSeveral: with several targets, one of which a column may explain without rest, the result is at least as short as the
// sets that forward search passes.
func TestMixedSeveral(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 6))
	for k := range 60 {
		x, y, _ := randomCase(rng)
		if k%2 == 1 {
			y[0] = slices.Clone(x[0])
		}
		view := viewOf(x, y, nil)
		length := func(search string) float64 {
			_, f, err := fit(t, with(func(e *MDL) {
				e.Code, e.Search, e.Sigma, e.Top, e.MaxFeatures = "mic-partial", search, likelihood.SigmaOwn, 0, []int{0, 2}[k/2%2]
			}), view)
			if err != nil {
				t.Fatal(err)
			}
			l := f.done[0].lengths()
			return l.responses + l.model
		}
		if m, f := length(searchMixed), length(searchForward); m > f+1e-7 {
			t.Errorf("mixed %v bits, forward %v", m, f)
		}
	}
}

// TestShrinker: what a model costs without a column is what the smaller model costs, also where nothing is left of a response.
func TestShrinker(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 9))
	tried := 0
	for k := range 30 {
		x, y, _ := randomCase(rng)
		if k%2 == 0 {
			y[0] = slices.Clone(x[0])
		}
		e := with(func(e *MDL) { e.Code, e.Search = "mic-full", searchMixed })
		_, f, err := fit(t, e, viewOf(x, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		model := func(columns ...int32) *selection {
			s, err := f.problems()[0].newSelection(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range columns {
				if err := s.like.Evaluate(t.Context(), j, data.Numbers(len(y))).Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			return s
		}
		columns := []int32{0, int32(len(x) - 1), int32(len(x) - 2)}
		whole := model(columns...)
		if g := whole.like.(*likelihood.Gaussian); len(g.Responses[0].Basis.Q) < len(columns) {
			continue // of columns that depend on each other, searches take one
		}
		tried++
		shrink := whole.like.NewRemover()
		for len(columns) > 0 {
			for i, j := range columns {
				want := dense.Sum(model(slices.Delete(slices.Clone(columns), i, i+1)...).like.Bits())
				if got := shrink.BitsWithout(t.Context(), j); !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
					t.Errorf("case %d, %v without %d: %v bits, want %v", k, columns, j, got, want)
				}
			}
			shrink.Remove(t.Context(), columns[len(columns)-1])
			columns = columns[:len(columns)-1]
		}
	}
	if tried < 15 {
		t.Errorf("only %d cases of independent columns", tried)
	}
}

// TestStreamwise: every column is taken or not at its turn, as refitting says.
func TestStreamwise(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	taken := 0
	for k := range 100 {
		x, y, classes := randomCase(rng)
		e := with(func(e *MDL) {
			e.Code = codesAlone()[rng.IntN(len(codesAlone()))]
			e.Search, e.Sigma = searchStreamwise, []string{likelihood.SigmaNull, likelihood.SigmaOwn}[rng.IntN(2)]
			e.Order = []string{orderIndex, orderInterleaved, orderShuffled}[rng.IntN(3)]
		})
		_, f, err := fit(t, e, viewOf(x, y, classes))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.done {
			l := literal{e: e, x: x, classes: classes, n: float64(len(y[0])), sets: make([][]int32, len(s.tasks))}
			for _, task := range s.tasks {
				l.y = append(l.y, y[task.number])
			}
			l.stream(s.order)
			taken += len(l.picks)
			if err := same(s, &l); err != nil {
				t.Fatalf("case %d, %+v: %v", k, e, err)
			}
		}
	}
	if taken < 100 {
		t.Errorf("only %d features in all", taken)
	}
}

func (l *literal) stream(order []int32) {
	l.sigma = l.estimate(l.sets)
	for _, j := range order {
		now, best, most := l.bits(l.sets, l.sigma), literalPick{}, likelihood.TieBits
		for t, set := range l.sets {
			if len(set) >= len(l.y[0])-2 || enginetest.SumOfSquares(l.residual(l.y[t], set)) <= 1e-12*enginetest.SumOfSquares(enginetest.Centred(l.y[t])) {
				return
			}
		}
		for _, p := range l.grow(j, now) {
			if p.dse-p.paid > most+likelihood.TieBits || most == likelihood.TieBits && p.dse-p.paid > most {
				best, most = p, p.dse-p.paid
			}
		}
		if best.tasks == nil {
			continue
		}
		slices.Sort(best.tasks)
		l.picks = append(l.picks, best)
		l.included = append(l.included, codes.Entry{Column: j, Tasks: len(best.tasks)})
		l.sets = l.with(j, best.tasks)
		l.sigma = l.estimate(l.sets)
	}
}

func TestOrders(t *testing.T) {
	t.Parallel()
	value := []float64{3, 9, 3, 7, 9, 1, 3}
	if got, want := largestColumns([]int32{0, 1, 2, 3, 4, 5, 6}, value, 4), []int32{0, 1, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("largest %v, want %v", got, want)
	}
	set := enginetest.Dataset(enginetest.Random(1, 5, 40, 1, false), enginetest.Real("y", 1, 2, 3, 4, 5))
	e := with(func(e *MDL) { e.Order = orderShuffled })
	order := e.columnOrder(engines.Run{Train: enginetest.View(set, nil), Rand: rand.New(rand.NewPCG(1, 1))}, nil)
	if slices.IsSorted(order) || len(order) != 40 || slices.Max(order) != 39 || len(slices.Compact(slices.Sorted(slices.Values(order)))) != 40 {
		t.Errorf("shuffled %v", order)
	}
}

// TestAlphaInvesting: of 200 columns without effect hardly any passes, and those with an effect earn what lets the next ones
// be tested.
func TestAlphaInvesting(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 7))
	x := enginetest.Random(9, 80, 200, 1, false)
	y, class := make([]float64, 80), make([]float64, 80)
	for i := range y {
		row := x.Row(i)
		s := row.At(3) + row.At(40) - row.At(120)
		y[i] = s + 0.5*rng.NormFloat64()
		if s > 0 {
			class[i] = 1
		}
	}
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", y...), enginetest.Class("c", 2, class...)), nil)
	e := with(func(e *MDL) { e.Search = searchAlpha })
	_, f, err := fit(t, e, view)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.done) != 2 {
		t.Fatalf("%d descriptions, want one a target", len(f.done))
	}
	got := f.columnsOf(0)
	for _, j := range []int32{3, 40, 120} {
		if !slices.Contains(got, j) {
			t.Errorf("column %d is not among %v", j, got)
		}
	}
	if len(got) > 8 {
		t.Errorf("%d columns for three with an effect", len(got))
	}
	e.Likelihood = logisticLoss
	only := enginetest.View(enginetest.Dataset(x, enginetest.Class("c", 2, class...)), nil)
	if _, f, err = fit(t, e, only); err != nil || len(f.columnsOf(0)) < 3 {
		t.Errorf("logistic: %v, %v", f.columnsOf(0), err)
	}
}

// TestRunningSums: after a search, and after a refresh, the running sums are what the columns and residuals say.
func TestRunningSums(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 9))
	for range 60 {
		x, y, _ := randomCase(rng)
		_, f, err := fit(t, with(func(e *MDL) { e.Code, e.Top = "mic-partial", 0 }), viewOf(x, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		g := f.done[0].like.(*likelihood.Gaussian)
		check := func(when string) {
			for task, u := range g.Responses {
				if b := (&literal{x: x}).residual(y[task], u.Columns); !(math.Abs(enginetest.SumOfSquares(b)-u.RSS) <= 1e-9*u.TSS) {
					t.Errorf("%s: residual sum of squares %v, literally %v", when, u.RSS, enginetest.SumOfSquares(b))
				}
				for j := range int32(len(x)) {
					z := (&literal{x: x}).residual(x[j], u.Columns)
					d, whole := enginetest.SumOfSquares(z), g.Norm2[j]
					if d <= growing.DependentBelow*whole {
						d = 0
					}
					if !(math.Abs(u.Basis.D[g.Place[j]]-d) <= 1e-6*d+1e-12*whole) {
						t.Fatalf("%s: column %d has %v outside, literally %v of %v", when, j, u.Basis.D[g.Place[j]], d, whole)
					}
					if c := g.Inner(g.CentredColumn(j), u.Residual); !(math.Abs(c-u.C[g.Place[j]]) <= 1e-9*(1+math.Sqrt(whole*u.TSS))) {
						t.Fatalf("%s: column %d has product %v, literally %v", when, j, u.C[g.Place[j]], c)
					}
				}
			}
		}
		check("after the search")
		g.Recompute(context.Background())
		check("refreshed")
	}
}

// TestDriftInStream: a column of which running sums promise more than it is worth is not taken.
func TestDriftInStream(t *testing.T) {
	t.Parallel()
	x, y, _ := randomCase(rand.New(rand.NewPCG(4, 4)))
	e := with(func(e *MDL) { e.Search = searchStreamwise })
	_, f, err := fit(t, e, viewOf(x, y[:1], nil))
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.problems()[0].newSelection(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	g := s.like.(*likelihood.Gaussian)
	for j := range g.Responses[0].C {
		g.Responses[0].C[j] *= 4
	}
	if err := streamwiseSearch(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.picks {
		if !(p.netBits() > 0) {
			t.Errorf("column %d is worth %v bits", p.column, p.netBits())
		}
	}
	if len(s.picks) == 0 || len(s.picks) == len(x) {
		t.Errorf("%d of %d columns are taken: the case shows nothing", len(s.picks), len(x))
	}
}

// TestDrift: running sums that have gone wrong are noticed at the winner, and computed anew.
func TestDrift(t *testing.T) {
	t.Parallel()
	x, y, _ := randomCase(rand.New(rand.NewPCG(4, 4)))
	_, f, err := fit(t, with(func(e *MDL) { e.Code = "aic" }), viewOf(x, y[:1], nil))
	if err != nil {
		t.Fatal(err)
	}
	want := f.done[0].picks
	s, err := f.problems()[0].newSelection(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	g := s.like.(*likelihood.Gaussian)
	for j := range g.Responses[0].C {
		g.Responses[0].C[j] *= 1 + 0.5*float64(j%3)
		g.Responses[0].Basis.D[j] *= 0.9
	}
	if err := forwardSearch(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	if len(s.picks) != len(want) || len(want) == 0 {
		t.Fatalf("%d features after drift, want %d", len(s.picks), len(want))
	}
	for k, p := range s.picks {
		if p.column != want[k].column || !(math.Abs(dense.Sum(p.saved)-dense.Sum(want[k].saved)) <= 1e-9) {
			t.Errorf("feature %d is column %d at %v, want %d at %v", k, p.column, p.saved, want[k].column, want[k].saved)
		}
	}
}
