package mdl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/prepare"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){
		"mic":       checkMIC,
		"tpc":       checkTPC,
		"transfer":  checkTransfer,
		"bad_input": checkBadInput,
	})
}

// with is the defaults with some parameters changed.
func with(change func(e *MDL)) MDL {
	e := Kind.Defaults().(MDL)
	change(&e)
	return e
}

// watched is a fit with its selections.
type watched struct {
	*fitting
	done []*selection
}

// fit is Fit, watched.
func fit(t testing.TB, e MDL, view *data.View) (engines.Model, *watched, error) {
	t.Helper()
	return fitAs(t, e, view, func(*selection) {})
}

// fitAs changes the selections before they grow.
func fitAs(t testing.TB, e MDL, view *data.View, change func(*selection)) (engines.Model, *watched, error) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatalf("%+v: %v", e, err)
	}
	ctx := context.Background()
	f, err := e.newFitting(engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 2)), Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	w := &watched{fitting: f}
	for _, p := range f.problems() {
		s, err := p.newSelection(ctx)
		if err == nil {
			change(s)
			err = searchNamed(e.Search).run(ctx, s)
		}
		if err == nil {
			err = f.addDescription(ctx, s)
		}
		if err != nil {
			return nil, nil, err
		}
		w.done = append(w.done, s)
	}
	return f.newModel(), w, nil
}

// matrixCase is the input of the cases of this family.
type matrixCase struct {
	X []oracle.Numbers
	Y []oracle.Numbers
	V oracle.Numbers `json:"y"`
}

// view of a case, its columns in classes where they are given.
func (in matrixCase) view(classes []int32) (*data.View, error) {
	rows := make([][]float64, len(in.X))
	for i, row := range in.X {
		rows[i] = row
	}
	var targets []data.Target
	if in.V != nil {
		targets = append(targets, enginetest.Real("y", in.V...))
	}
	if len(in.Y) > 0 {
		for k := range in.Y[0] {
			var y []float64
			for i := range in.Y {
				y = append(y, in.Y[i][k])
			}
			targets = append(targets, enginetest.Real(fmt.Sprint("y", k), y...))
		}
	}
	d := enginetest.Dataset(enginetest.Matrix(rows...), targets...)
	if classes != nil {
		if _, cols := d.X.Dims(); len(classes) != cols {
			return nil, fmt.Errorf("classes of %d columns for %d", len(classes), cols)
		}
		var names []string
		for _, c := range classes {
			for len(names) <= int(c) {
				names = append(names, fmt.Sprint("class", len(names)))
			}
		}
		d.Features = d.Features.WithClasses(classes, names)
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	p, err := prepare.Recipe{}.Fit(d, nil)
	if err != nil {
		return nil, err
	}
	return p.View(nil), nil
}

type wantedStep struct {
	Feature     int32
	Tasks       []int32
	DSE, SM, DS float64
}

func checkSteps(t *testing.T, s *selection, want []wantedStep, tol float64) {
	t.Helper()
	if len(s.picks) != len(want) {
		t.Errorf("%d features, want %d", len(s.picks), len(want))
		return
	}
	for k, p := range s.picks {
		w := want[k]
		if p.column != w.Feature || len(s.tasks) > 1 && !slices.Equal(p.tasks, w.Tasks) {
			t.Errorf("step %d: column %d for %v, want %d for %v", k, p.column, p.tasks, w.Feature, w.Tasks)
			return
		}
		oracle.Near(t, "dSE", dense.Sum(p.saved), w.DSE, tol)
		oracle.Near(t, "SM", p.price.Paid(), w.SM, tol)
		oracle.Near(t, "dS", p.netBits(), w.DS, tol)
	}
}

// tolerance of a group of numbers.
func tolerance(t *testing.T, c oracle.Case, group string) float64 {
	of := map[string]float64{}
	c.Decode(t, c.Tolerance, &of)
	if tol, ok := of[group]; ok {
		return tol
	}
	return 1e-9
}

func checkCoefs(t *testing.T, m engines.Model, output int, coef []float64, intercept, tol float64) {
	t.Helper()
	got := make([]float64, len(coef))
	for _, c := range m.Coefs() {
		if c.Output == output {
			got[c.Feature] = c.Value
		}
	}
	oracle.NearAll(t, "coef", got, coef, tol)
	bias := m.(interface{ Bias(target int) float64 }).Bias(output)
	oracle.Near(t, "intercept", bias, intercept, tol)
}

// micOptions are the options of kind mic.
type micOptions struct {
	Scheme, Cov string
	Rule        *string
	Lambda      *float64
	DF, Top     *int
	MCost       *float64 `json:"m_cost"`
	CoefBits    *float64 `json:"coef_bits"`
}

func (o micOptions) engine() MDL {
	return with(func(e *MDL) {
		e.Code = "mic-" + strings.ReplaceAll(o.Scheme, "_", "-")
		e.Covariance = cmp.Or(map[string]string{"diag": diagonal}[o.Cov], o.Cov, diagonal)
		if o.Scheme == "ric" { // with two bits a coefficient, and each task by itself
			e.Code, e.Covariance = "ric2", diagonal
		}
		if e.Covariance == shrunk {
			set(&e.Lambda, o.Lambda)
		}
		e.Top = 0
		set(&e.Top, o.Top)
		set(&e.DF, o.DF)
		set(&e.Accept, o.Rule)
		set(&e.CoefBits, o.CoefBits)
	})
}

func checkMIC(t *testing.T, c oracle.Case) {
	var in matrixCase
	var o micOptions
	var want struct {
		Steps     json.RawMessage
		Tasks     [][]int32
		SE        float64 `json:"s_e"`
		SM        float64 `json:"s_m"`
		TDL       float64
		Coef      [][]float64
		Intercept []float64
	}
	c.Parts(t, &in, &o, &want)
	view, err := in.view(nil)
	if err != nil {
		t.Fatal(err)
	}
	m, f, err := fitAs(t, o.engine(), view, func(s *selection) {
		terms := s.newTerms(s.data)
		set(&terms.Columns, o.MCost)
		s.coder = s.code.Make(terms)
	})
	if err != nil {
		t.Fatal(err)
	}
	bits := tolerance(t, c, "bits")
	steps := make([][]wantedStep, 1)
	if o.Scheme == "ric" {
		c.Decode(t, want.Steps, &steps)
	} else {
		c.Decode(t, want.Steps, &steps[0])
	}
	var all lengths
	for k, s := range f.done {
		checkSteps(t, s, steps[k], bits)
		l := s.lengths()
		all.responses, all.model = all.responses+l.responses, all.model+l.model
	}
	oracle.Near(t, "s_e", all.responses, want.SE, bits)
	oracle.Near(t, "s_m", all.model, want.SM, bits)
	oracle.Near(t, "tdl", all.responses+all.model, want.TDL, bits)
	for k := range want.Coef {
		checkCoefs(t, m, k, want.Coef[k], want.Intercept[k], tolerance(t, c, "coef"))
		if got := f.columnsOf(k); len(got)+len(want.Tasks[k]) > 0 && !slices.Equal(got, want.Tasks[k]) {
			t.Errorf("task %d has %v, want %v", k, got, want.Tasks[k])
		}
	}
}

// columnsOf a target, in order of entry.
func (f *fitting) columnsOf(target int) (out []int32) {
	for _, s := range f.descriptions {
		for _, p := range s.picks {
			for _, task := range p.tasks {
				if s.tasks[task].number == target {
					out = append(out, p.column)
				}
			}
		}
	}
	return out
}

// tpcOptions are the options of kind tpc.
type tpcOptions struct {
	Scheme, Search, Sigma, Loss string
	Sigma2, Ridge               *float64
	Classes, Order              []int32
	K, Patience                 *int
	CoefBits                    *float64 `json:"coef_bits"`
	Prior                       *priorOptions
}

func (o tpcOptions) engine() MDL {
	return with(func(e *MDL) {
		if o.Prior != nil {
			*e, o.Scheme = e.WithPrior(o.Prior.prior(o.Classes)), codes.TPC
		}
		e.Code = strings.ReplaceAll(o.Scheme, "_", "-")
		if e.Search = o.Search; o.Search == "alpha" {
			e.Search = searchAlpha
		}
		e.Sigma = cmp.Or(o.Sigma, likelihood.SigmaNull)
		if o.Loss == logisticLoss {
			e.Likelihood = logisticLoss
		}
		if e.Search == searchForward || e.Search == searchMixed {
			e.Top = 0
		}
		set(&e.Sigma2, o.Sigma2)
		set(&e.Ridge, o.Ridge)
		set(&e.ClassesTotal, o.K)
		set(&e.Patience, o.Patience)
		set(&e.CoefBits, o.CoefBits)
	})
}

func set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}

func checkTPC(t *testing.T, c oracle.Case) {
	var in matrixCase
	var o tpcOptions
	var want struct {
		Selected   []int32
		Steps      []wantedStep
		SM         float64  `json:"s_m"`
		SE0        *float64 `json:"s_e0"`
		SE         *float64 `json:"s_e"`
		Coef       []float64
		Intercept  float64
		RSS        *float64
		TDL        *float64
		ForwardTop []int32 `json:"forward_top"`
		Visited    int     `json:"n_visited"`
		Trace      []struct {
			Feature          int32
			Alpha, P, Wealth float64
		}
	}
	c.Parts(t, &in, &o, &want)
	view, err := in.view(o.Classes)
	if err != nil {
		t.Fatal(err)
	}
	m, f, bets := fitInOrder(t, o.engine(), view, o.Order)
	s := f.done[0]
	bits := tolerance(t, c, "bits")

	selected := f.columnsOf(0)
	if o.Search == searchMixed {
		slices.Sort(selected)
	}
	if len(selected)+len(want.Selected) > 0 && !slices.Equal(selected, want.Selected) {
		t.Errorf("selected %v, want %v", selected, want.Selected)
	}
	if o.Search != searchMixed && o.Search != "alpha" {
		checkSteps(t, s, want.Steps, bits)
	}
	l := s.lengths()
	oracle.Near(t, "s_m", l.model, want.SM, bits)
	near := func(what string, got float64, want *float64) {
		if want != nil {
			oracle.Near(t, what, got, *want, bits)
		}
	}
	near("s_e0", l.empty, want.SE0)
	near("s_e", l.responses, want.SE)
	near("tdl", l.responses+l.model, want.TDL)
	if g, ok := s.like.(*likelihood.Gaussian); ok {
		near("rss", g.Responses[0].RSS, want.RSS)
	}
	if o.Search == searchMixed && (s.grown != len(want.ForwardTop) || s.visited != want.Visited) {
		t.Errorf("%d features on the way up and %d sets, want %d and %d", s.grown, s.visited, len(want.ForwardTop), want.Visited)
	}
	checkCoefs(t, m, 0, want.Coef, want.Intercept, tolerance(t, c, "coef"))
	if len(bets) != len(want.Trace) {
		t.Fatalf("%d bets, want %d", len(bets), len(want.Trace))
	}
	for k, b := range bets {
		w := want.Trace[k]
		if b.column != w.Feature {
			t.Errorf("bet %d on column %d, want %d", k, b.column, w.Feature)
		}
		oracle.NearAll(t, "bet", []float64{b.alpha, b.p, b.wealth}, []float64{w.Alpha, w.P, w.Wealth}, 1e-8)
	}
}

// fitInOrder is fit with a stream in the given order, and the bets of alpha-investing.
func fitInOrder(t *testing.T, e MDL, view *data.View, order []int32) (engines.Model, *watched, []alphaTest) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	f, err := e.newFitting(engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if order != nil {
		f.order = order
	}
	s, err := f.problems()[0].newSelection(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var bets []alphaTest
	if e.Search == searchAlpha {
		err = alphaInvest(ctx, s, func(b alphaTest) { bets = append(bets, b) })
	} else {
		err = searchNamed(e.Search).run(ctx, s)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.addDescription(ctx, s); err != nil {
		t.Fatal(err)
	}
	return f.newModel(), &watched{fitting: f, done: []*selection{s}}, bets
}

// checkBadInput answers for the cases about this engine: something along the way must refuse.
func checkBadInput(t *testing.T, c oracle.Case) {
	var in matrixCase
	var tpc tpcOptions
	var mic micOptions
	var about struct{ Target string }
	var want struct{ Error string }
	c.Decode(t, c.Options, &about)
	c.Decode(t, c.Expected, &want)
	if about.Target != "mic" && about.Target != "tpc" {
		t.Skipf("cases about %s are another package's", about.Target)
	}
	if errors.Join(json.Unmarshal(c.Options, &tpc), json.Unmarshal(c.Options, &mic), json.Unmarshal(c.Input, &in)) != nil {
		return // not even expressible: several classes a column, for example
	}
	view, err := in.view(tpc.Classes)
	if err != nil {
		return
	}
	e := mic.engine()
	if about.Target == "tpc" {
		e = tpc.engine()
		e.Search = cmp.Or(e.Search, searchForward)
	}
	if e.Validate() != nil {
		return
	}
	_, err = e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
	switch {
	case err == nil:
		t.Fatalf("not refused, expected: %s", want.Error)
	case want.Error == "constant_response" && !strings.Contains(err.Error(), "is constant"):
		t.Errorf("%v: expected it to name the constant response", err)
	}
}
