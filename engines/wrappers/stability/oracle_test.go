package stability

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/steps/forward"
	"tenfold/engines/steps/lars"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){
		"stabsel_bound": checkBound, "stabsel_parameters": checkParameters, "stabsel_halves": checkHalves, "stabsel_path": checkPath,
		"stabsel_run": checkRun, "guarantees_refused": checkRefused, "stabsel_decoys": checkDecoys,
	})
}

// near accepts numbers within a relative tolerance of max(1, |want|).
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func checkBound(t *testing.T, c oracle.Case) {
	var in struct{ Rows [][]any }
	var want struct{ PFER []float64 }
	c.Parts(t, &in, &struct{}{}, &want)
	for k, row := range in.Rows {
		n := func(i int) int { return int(row[i].(float64)) }
		b := bound{shape: row[4].(string), columns: n(0), pairs: n(3), halves: 2 * n(3)}
		got, err := b.value(n(1), row[2].(float64))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "pfer", got, want.PFER[k], 1e-6)
	}
}

type parameters struct {
	Bound, Sampling string
	Draws, Q        int
	Threshold, PFER float64
}

func (p parameters) options() Options {
	return Options{Q: p.Q, Threshold: p.Threshold, PFER: p.PFER, Draws: p.Draws, Sampling: p.Sampling, Bound: p.Bound, Decoys: Decoys{Kind: "none", Share: 1}}
}

func checkParameters(t *testing.T, c oracle.Case) {
	var in struct{ Columns int }
	var options parameters
	var want struct {
		Q, Count        int
		Threshold, PFER float64
	}
	c.Parts(t, &in, &options, &want)
	got, _, err := Engine{univariate.AnovaKind.Defaults(), options.options()}.plan(in.Columns)
	if err != nil {
		t.Fatal(err)
	}
	if got.Q != want.Q || got.Count != want.Count {
		t.Errorf("q %d and %d halves, want %d and %d", got.Q, got.Count, want.Q, want.Count)
	}
	near(t, "threshold", got.Threshold, want.Threshold, 1e-9)
	near(t, "pfer", got.PFER, want.PFER, 1e-6)
}

// checkRefused: what cannot be kept, for numbers of columns alone. The rest of the kind is the command line's.
func checkRefused(t *testing.T, c oracle.Case) {
	var in struct {
		Columns int
		Rows    [][]any
	}
	var options struct {
		Target, Engine, Bound, Sampling string
		Draws                           int
		Q, Threshold, PFER              float64
	}
	c.Parts(t, &in, &options, &struct{}{})
	p := parameters{Bound: options.Bound, Sampling: cmp.Or(options.Sampling, pairs), Draws: options.Draws, Q: int(options.Q), Threshold: options.Threshold, PFER: options.PFER}
	base := univariate.AnovaKind.Defaults()
	switch options.Target {
	case "stabsel_parameters", "stabsel_run":
		if float64(p.Q) != options.Q {
			return // no experiment can say so: q is an integer
		}
		if options.Engine == "fdr" || options.Engine == "simes" {
			base = univariate.FDRKind.Defaults()
		}
	case "stabsel_bound":
		row := in.Rows[0]
		in.Columns, p.Q, p.Threshold, p.Draws, p.Bound = int(row[0].(float64)), int(row[1].(float64)), row[2].(float64), int(row[3].(float64)), row[4].(string)
	default:
		t.Skipf("it is about %s", options.Target)
	}
	e := Engine{base, p.options()}
	err := errors.Join(e.Options.Validate(), e.Validate())
	if err == nil {
		_, _, err = e.plan(in.Columns)
	}
	if err == nil {
		t.Error("accepted")
	}
}

func checkDecoys(t *testing.T, c oracle.Case) {
	var in struct {
		Real, Decoys [][]int
		Subsamples   int
	}
	var want struct {
		Curve     [thresholds]float64
		Threshold float64
		FDP       float64 `json:"fdp_plus"`
		Selected  []int
	}
	c.Parts(t, &in, &struct{ Grid int }{}, &want)
	largest := func(rows [][]int) []int { // over the penalties
		of := slices.Clone(rows[0])
		for _, row := range rows[1:] {
			for j, n := range row {
				of[j] = max(of[j], n)
			}
		}
		return of
	}
	real, decoy := largest(in.Real), largest(in.Decoys)
	d := data.Probes{First: len(real), Candidates: len(real), Number: len(decoy)}
	fdp, _ := curve(d, real, decoy, in.Subsamples)
	for k, v := range fdp {
		near(t, "curve", v, want.Curve[k], 1e-9)
	}
	counted := counts{times: slices.Concat(real, decoy), halves: in.Subsamples}
	var rule plan
	thresholdByDecoys(d, len(real), &rule, &counted)
	var selected []int
	for _, c := range counted.stable(rule.Count) {
		selected = append(selected, c.Feature)
	}
	slices.SortStableFunc(selected, func(a, b int) int { return real[b] - real[a] })
	if near(t, "threshold", rule.Threshold, want.Threshold, 1e-9); !slices.Equal(selected, want.Selected) {
		t.Errorf("selected %v, want %v", selected, want.Selected)
	}
}

func checkHalves(t *testing.T, c oracle.Case) {
	var in struct {
		Rows       int
		Order      []int32
		Orders     [][]int32
		Start      int
		Groups     []int32
		GroupOrder []int32 `json:"group_order"`
	}
	var want struct{ First, Second []int32 }
	c.Parts(t, &in, &struct{}{}, &want)
	orders := in.Orders
	s := sampler{}
	switch {
	case in.GroupOrder != nil:
		orders = [][]int32{in.GroupOrder}
		s.units = make([][]int32, len(in.GroupOrder))
		for i, g := range in.Groups {
			s.units[g] = append(s.units[g], int32(i))
		}
	default:
		if orders == nil {
			orders = [][]int32{in.Order}
		}
		for _, order := range orders {
			for range order {
				s.units = append(s.units, []int32{int32(len(s.units))})
			}
		}
	}
	sides := split(orders, in.Start)
	if first, second := s.rows(sides[0]), s.rows(sides[1]); !slices.Equal(first, want.First) || !slices.Equal(second, want.Second) {
		t.Errorf("halves %v and %v, want %v and %v", first, second, want.First, want.Second)
	}
}

func checkPath(t *testing.T, c oracle.Case) {
	var in struct{ Path [][]int32 }
	var options struct{ Q int }
	var want struct{ First []int32 }
	c.Parts(t, &in, &options, &want)
	row := make([]float64, 1000)
	row[0] = 1
	u := newUnion(options.Q, itemsOf(enginetest.View(enginetest.Dataset(enginetest.Matrix(row), enginetest.Real("y", 1)), nil)))
	for _, active := range in.Path {
		if !u.add(active) {
			break
		}
	}
	if !slices.Equal(u.items, want.First) {
		t.Errorf("got %v, want %v", u.items, want.First)
	}
}

func checkRun(t *testing.T, c oracle.Case) {
	var in struct {
		X      [][]float64
		Y      []float64
		Halves [][]int32
	}
	var options struct {
		Engine string
		parameters
	}
	var want struct {
		Sets     [][]int32
		Counts   []int
		Selected []int
		PFER     float64
	}
	c.Parts(t, &in, &options, &want)
	base := map[string]engines.Engine{
		"anova": univariate.AnovaKind.Defaults(), "lars": lars.Kind.Defaults(), "forward-stepwise": forward.Kind.Defaults(),
	}[options.Engine]
	if base == nil {
		t.Fatalf("no engine %q", options.Engine)
	}
	e := Engine{base, options.options()}
	e.Sampling = pairs
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Real("y", in.Y...)), nil)
	var found []outcome
	for k, rows := range in.Halves {
		run := engines.Run{Train: view.Sub(rows), Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
		chosen, err := selectOn(context.Background(), e.Base, run, itemsOf(view), options.Q)
		if err != nil {
			t.Fatal(err)
		}
		set := slices.Sorted(slices.Values(chosen.items))
		if !slices.Equal(set, want.Sets[k]) {
			t.Errorf("half %d: selected %v, want %v", k, set, want.Sets[k])
		}
		found = append(found, outcome{entered: chosen})
	}
	rule, _, err := e.plan(view.Columns())
	if err != nil {
		t.Fatal(err)
	}
	near(t, "pfer", rule.PFER, want.PFER, 1e-6)
	counts := tally(found, view.Columns(), options.Q)
	var selected []int
	for _, c := range counts.stable(rule.Count) {
		selected = append(selected, c.Feature)
	}
	slices.SortStableFunc(selected, func(a, b int) int { return counts.times[b] - counts.times[a] })
	if !slices.Equal(counts.times, want.Counts) || !slices.Equal(selected, want.Selected) {
		t.Errorf("counts %v and selected %v, want %v and %v", counts.times, selected, want.Counts, want.Selected)
	}
}
