package aso

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
)

var defaults = published(Kind.Defaults().(AndoZhang))

// published returns the engine with the published method's penalties, on columns as they are.
func published(e AndoZhang) AndoZhang {
	e.Standardize, e.Lambda, e.Ridge = false, 1e-4, 1e-6
	return e
}

func with(change func(*AndoZhang)) AndoZhang {
	e := defaults
	change(&e)
	return e
}

func TestSuite(t *testing.T) {
	for _, e := range []AndoZhang{
		defaults,
		with(func(e *AndoZhang) { e.Loss, e.Standardize = response.Squared, true }),
		with(func(e *AndoZhang) { e.Loss, e.Dimensions = huber, 1 }),
	} {
		t.Run(e.Loss, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		e      AndoZhang
		fields string
	}{
		{defaults, ""},
		{with(func(e *AndoZhang) { e.Dimensions, e.Lambda, e.Ridge = 0, 0, -1 }), "d lambda ridge"},
		{with(func(e *AndoZhang) { e.Lambda, e.Ridge = math.NaN(), math.Inf(1) }), "lambda ridge"},
		{with(func(e *AndoZhang) { e.Rounds, e.Loss, e.Tol, e.MaxIter = 0, "hinge", 0, 0 }), "rounds loss tol max_iter"},
	} {
		if got := enginetest.Fields(c.e.Validate()); got != c.fields {
			t.Errorf("%+v: complaints about %q, want %q", c.e, got, c.fields)
		}
	}
}

// tasks whose weights lie in two dimensions.
func tasks(seed uint64, rows, cols, n int, noise float64) *data.Dataset {
	rng := rand.New(rand.NewPCG(17, 18)) // of the weights: the same for every seed
	shared := [2][]float64{}
	for k := range shared {
		for range cols {
			shared[k] = append(shared[k], rng.NormFloat64()/math.Sqrt(float64(cols)))
		}
	}
	mix := make([][2]float64, n)
	for t := range mix {
		mix[t] = [2]float64{rng.NormFloat64(), rng.NormFloat64()}
	}
	x := enginetest.Random(seed, rows, cols, 0.7, false)
	rng = rand.New(rand.NewPCG(seed, 19))
	var targets []data.Target
	for t := range n {
		y := make([]float64, rows)
		for i := range y {
			y[i] = 5 + mix[t][0]*x.Row(i).Dot(shared[0]) + mix[t][1]*x.Row(i).Dot(shared[1]) + noise*rng.NormFloat64()
		}
		targets = append(targets, enginetest.Real(fmt.Sprint("t", t), y...))
	}
	return enginetest.Dataset(x, targets...)
}

func fit(t *testing.T, e engines.Engine, v *data.View) engines.Model {
	t.Helper()
	m, err := e.Fit(context.Background(), engines.Run{Train: v, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Tasks that share two dimensions are better learned together than alone, where there is much noise.
func TestShares(t *testing.T) {
	train := enginetest.View(tasks(1, 60, 40, 12, 1), nil)
	test := enginetest.View(tasks(2, 300, 40, 12, 0.1), nil)
	best := func(ridge float64) float64 { // of several penalties
		most := math.Inf(-1)
		for _, lambda := range []float64{0.1, 0.3, 1} {
			e := with(func(e *AndoZhang) { e.Dimensions, e.Rounds, e.Lambda, e.Ridge = 2, 5, lambda, ridge })
			most = math.Max(most, enginetest.RSquared(fit(t, e, train), test))
		}
		return most
	}
	together, alone := best(0), best(1e6) // a ridge that leaves nothing to share
	if together < alone+0.1 {
		t.Errorf("R² %.3f together, %.3f alone", together, alone)
	}
}

// The method from its definition: normal equations of (w, v, b), and singular vectors by power iteration.
func TestLiteral(t *testing.T) {
	const rows, cols, n, d = 25, 6, 4, 2
	set := tasks(3, rows, cols, n, 0.5)
	set.Weight = make([]float64, rows)
	total := 0.0
	for i := range set.Weight {
		set.Weight[i] = 0.5 + float64(i%3)
		total += set.Weight[i]
	}
	e := with(func(e *AndoZhang) { e.Dimensions, e.Lambda, e.Ridge, e.Tol = d, 0.02, 0.001, 1e-9 })
	m := fit(t, e, enginetest.View(set, nil))

	var theta, u [][]float64
	var bias []float64
	for round := range 4 {
		u, bias = nil, nil
		for k := range n {
			size := cols + len(theta) + 1
			a := make([][]float64, size)
			for r := range a {
				a[r] = make([]float64, size+1)
			}
			for i := range rows {
				x := make([]float64, cols)
				set.X.Row(i).AddTo(x, 1)
				z := append([]float64(nil), x...)
				for _, q := range theta {
					z = append(z, dense.DotInOrder(q, x))
				}
				z = append(z, 1)
				for r := range z {
					for c := range z {
						a[r][c] += set.Weight[i] / total * z[r] * z[c]
					}
					a[r][size] += set.Weight[i] / total * z[r] * set.Targets[k].Values[i]
				}
			}
			for r := range size - 1 {
				if a[r][r] += 2 * e.Ridge; r < cols {
					a[r][r] += 2 * (e.Lambda - e.Ridge)
				}
			}
			s := enginetest.Gauss(a)
			one := append([]float64(nil), s[:cols]...)
			for q, v := range theta {
				for j := range one {
					one[j] += s[cols+q] * v[j]
				}
			}
			u, bias = append(u, one), append(bias, s[size-1])
		}
		if round < 3 {
			theta = singular(u, d)
		}
	}
	linear := m.(*engines.Linear)
	got := make([][]float64, n)
	for k := range got {
		got[k] = make([]float64, cols)
		if !(math.Abs(linear.Bias(k)-bias[k]) <= 1e-5) {
			t.Errorf("task %d: intercept %v, want %v", k, linear.Bias(k), bias[k])
		}
	}
	for _, c := range m.Coefs() {
		got[c.Output][c.Feature] = c.Value
	}
	for k := range u {
		for j, want := range u[k] {
			if !(math.Abs(got[k][j]-want) <= 1e-5) {
				t.Errorf("task %d, column %d: %v, want %v", k, j, got[k][j], want)
			}
		}
	}
}

func singular(u [][]float64, d int) (out [][]float64) {
	for k := range d {
		q := make([]float64, len(u[0]))
		for j := range q {
			q[j] = 1 + math.Sin(float64(j+7*k))
		}
		for range 3000 {
			next := make([]float64, len(q))
			for _, v := range u {
				c := dense.DotInOrder(v, q)
				for j, x := range v {
					next[j] += c * x
				}
			}
			for _, p := range out {
				c := dense.DotInOrder(p, next)
				for j, x := range p {
					next[j] -= c * x
				}
			}
			norm := math.Sqrt(dense.DotInOrder(next, next))
			for j := range next {
				next[j] /= norm
			}
			q = next
		}
		out = append(out, q)
	}
	return out
}

// Every turn lowers Σ_t loss + λ‖w_t‖², since Θ takes the most of the predictors that so many dimensions can.
func TestFalls(t *testing.T) {
	set := tasks(4, 20, 30, 8, 0.5)
	for _, loss := range []string{response.Squared, huber} {
		e := with(func(e *AndoZhang) { e.Dimensions, e.Lambda, e.Ridge, e.Loss, e.Tol = 2, 0.05, 0, loss, 1e-9 })
		r, err := response.Read(enginetest.View(set, nil), response.Squared)
		if err != nil {
			t.Fatal(err)
		}
		if loss == huber {
			for k := range r.Each {
				y := append([]float64(nil), r.Each[k].Y...)
				for i, v := range y {
					y[i] = map[bool]float64{true: 1, false: 0}[v > 5]
				}
				r.Each[k].Y = y
			}
		}
		d, err := newDesign(context.Background(), r.Train, false)
		if err != nil {
			t.Fatal(err)
		}
		f := &fitting{AndoZhang: e, responses: r, design: d, weight: shares(r.Train), rowLoss: losses[loss]}
		last := math.Inf(1)
		for round := range 6 {
			if err := f.fitTasks(context.Background()); err != nil {
				t.Fatal(err)
			}
			now := 0.0
			for _, task := range f.tasks {
				now += task.loss + e.Lambda*dense.DotInOrder(task.w, task.w)
			}
			if now > last*(1+1e-9) {
				t.Errorf("%s, round %d: %v after %v", loss, round, now, last)
			}
			last = now
			f.share()
			for a, p := range f.theta {
				for b, q := range f.theta {
					if want := map[bool]float64{true: 1, false: 0}[a == b]; !(math.Abs(dense.DotInOrder(p, q)-want) <= 1e-12) {
						t.Errorf("rows %d and %d of Θ: %v", a, b, dense.DotInOrder(p, q))
					}
				}
			}
		}
	}
}

// asked counts how often somebody looks whether it has ended.
type asked struct {
	context.Context
	times int
}

func (a *asked) Err() error {
	a.times++
	return a.Context.Err()
}

// Coordinates in the space of the rows: the same inner products, scores and slopes as by column.
func TestReduce(t *testing.T) {
	for _, rank := range []bool{false, true} {
		set := tasks(5, 12, 30, 1, 1)
		if rank { // rows that repeat
			set = enginetest.Dataset(set.X.Pick([]int32{0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 4, 5}), enginetest.Real("y", 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3))
		}
		g, err := scaled.Standardize(set.X, nil, "sd")
		if err != nil {
			t.Fatal(err)
		}
		asked := &asked{Context: t.Context()}
		small, err := reduce(asked, g)
		if err != nil {
			t.Fatal(err)
		}
		if least := len(small.l) + len(small.pivots); asked.times < least {
			t.Errorf("looked %d times whether its context has ended, on the way through %d rows", asked.times, least)
		}
		if want := map[bool]int{true: 5, false: 11}[rank]; small.size() != want {
			t.Fatalf("%d dimensions, want %d", small.size(), want)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		pair := [2][]float64{}
		for k := range pair {
			for range small.size() {
				pair[k] = append(pair[k], rng.NormFloat64())
			}
		}
		large := [2][]float64{}
		for k, u := range pair {
			w, bias := small.raw(u)
			by, got := make([]float64, 12), make([]float64, 12)
			small.scores(got, u)
			for j := range w {
				w[j] /= g.Scale[j]
			}
			large[k] = w
			columns{g}.scores(by, w)
			for i, v := range by {
				if !(math.Abs(v-got[i]) <= 1e-9) || !(math.Abs(set.X.Row(i).Dot(product(w, g.Scale))+bias-v) <= 1e-9) {
					t.Errorf("row %d: %v by column, %v", i, v, got[i])
				}
			}
		}
		if a, b := dense.DotInOrder(pair[0], pair[1]), dense.DotInOrder(large[0], large[1]); !(math.Abs(a-b) <= 1e-9) {
			t.Errorf("inner product %v, by column %v", a, b)
		}
		slopes, by := make([]float64, small.size()), make([]float64, 30)
		e := make([]float64, 12)
		for i := range e {
			e[i] = rng.NormFloat64()
		}
		small.slopes(slopes, e)
		columns{g}.slopes(by, e)
		if a, b := dense.DotInOrder(slopes, pair[1]), dense.DotInOrder(by, large[1]); !(math.Abs(a-b) <= 1e-9) {
			t.Errorf("slope %v, by column %v", a, b)
		}
	}
}

func product(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for j := range a {
		out[j] = a[j] * b[j]
	}
	return out
}

func TestLosses(t *testing.T) {
	for name, loss := range losses {
		for _, y := range []float64{0, 1} {
			for s := -3.05; s < 3; s += 0.1 {
				const h = 1e-6
				up, _ := loss(y, s+h)
				down, _ := loss(y, s-h)
				if value, slope := loss(y, s); !(math.Abs((up-down)/(2*h)-slope) <= 1e-5) || value < 0 {
					t.Errorf("%s(%v, %v): slope %v, by differences %v", name, y, s, slope, (up-down)/(2*h))
				}
			}
		}
	}
}

// Values and vectors are those of the matrix, however large or small its numbers are, and where it is diagonal.
func TestEigen(t *testing.T) {
	const n = 7
	for _, scale := range []float64{1, 1e-20, 1e20, 0} {
		rng := rand.New(rand.NewPCG(2, 3))
		a, b := make([][]float64, n), make([][]float64, n)
		for i := range a {
			a[i] = make([]float64, n)
		}
		for i := range a {
			for j := range i + 1 {
				a[i][j] = scale * rng.NormFloat64()
				if scale == 0 && i == j {
					a[i][j] = float64(i % 3)
				}
				a[j][i] = a[i][j]
			}
		}
		for i := range a {
			b[i] = slices.Clone(a[i])
		}
		values, vectors := dense.Eigen(b)
		near := 1e-12 * max(scale, 1e-300)
		for k, v := range vectors {
			if k > 0 && values[k] > values[k-1] {
				t.Errorf("values %v", values)
			}
			for i := range a {
				if !(math.Abs(dense.DotInOrder(a[i], v)-values[k]*v[i]) <= near) {
					t.Errorf("times %v: vector %d, row %d: %v, want %v", scale, k, i, dense.DotInOrder(a[i], v), values[k]*v[i])
				}
			}
			for q, w := range vectors {
				if want := map[bool]float64{true: 1, false: 0}[q == k]; !(math.Abs(dense.DotInOrder(v, w)-want) <= 1e-12) {
					t.Errorf("times %v: vectors %d and %d: %v", scale, k, q, dense.DotInOrder(v, w))
				}
			}
		}
	}
}

// What is traced of a round is the mean squared error of its predictors: that of the last round is the model's.
func TestTrace(t *testing.T) {
	set := tasks(6, 20, 5, 3, 0.5)
	view := enginetest.View(set, nil)
	var steps []engines.Step
	m, err := defaults.Fit(t.Context(), engines.Run{Train: view, Workers: 1, Trace: func(s engines.Step) { steps = append(steps, s) }})
	if err != nil {
		t.Fatal(err)
	}
	if n := m.(engines.Reporter).Fitted().Iterations; n < len(steps)*3 { // a minimisation of each task and round takes some
		t.Errorf("%d quasi-Newton steps", n)
	}
	scores, loss := make([]float64, 60), 0.0
	m.Predict(scores, view.Inputs())
	for k := range 3 {
		_, y := view.Target(k)
		for i, v := range y {
			loss += (v - scores[3*i+k]) * (v - scores[3*i+k]) / 60
		}
	}
	if n := len(steps); n != defaults.Rounds+1 || steps[n-1].Iter != n-1 || !(math.Abs(steps[n-1].TrainError-loss) <= 1e-9) || !steps[0].Whole || steps[n-1].Active != 15 {
		t.Errorf("%d rounds, the last %+v, want an error of %v", len(steps), steps[len(steps)-1], loss)
	}
}

// More dimensions than tasks are as many as tasks, and it says so; targets on different rows are refused.
func TestEdges(t *testing.T) {
	set := tasks(6, 20, 5, 2, 0.5)
	m := fit(t, with(func(e *AndoZhang) { e.Dimensions = 9 }), enginetest.View(set, nil))
	f := m.(engines.Reporter).Fitted()
	if !strings.HasPrefix(strings.Join(f.Notes, "\n"), "d is 9, and there are 2 targets") || f.Facts[0].Value != "2 of 2 targets" {
		t.Errorf("%+v", f)
	}
	clamped := fit(t, with(func(e *AndoZhang) { e.Dimensions = 2 }), enginetest.View(set, nil))
	if fmt.Sprint(clamped.Coefs()) != fmt.Sprint(m.Coefs()) {
		t.Error("d clamped is another model than d given")
	}
	some := enginetest.Real("part", 1, 2)
	some.Rows = []int32{0, 2}
	set.Targets = append(set.Targets, some)
	_, err := defaults.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil)})
	if err == nil || !strings.Contains(err.Error(), "t0 and part are defined on different rows") {
		t.Errorf("got %v", err)
	}
}

// Where no column varies, predictors are zero, and nothing of them is shared.
func TestNothingShared(t *testing.T) {
	set := enginetest.Dataset(enginetest.Matrix([]float64{1, 0}, []float64{1, 0}, []float64{1, 0}), enginetest.Real("a", 1, 2, 3), enginetest.Real("b", 3, 1, 1))
	m := fit(t, defaults, enginetest.View(set, nil))
	if facts := fmt.Sprint(m.(engines.Reporter).Fitted().Facts); facts != "[{dimensions shared 0 of 2 targets} {share of the predictors in them 0.0000}]" || len(m.Coefs()) > 0 {
		t.Errorf("facts %s, coefficients %v", facts, m.Coefs())
	}
	got := make([]float64, 2)
	m.Predict(got, enginetest.View(set, []int32{1}).Inputs())
	if !(math.Abs(got[0]-2) <= 1e-4) || !(math.Abs(got[1]-5./3) <= 1e-4) {
		t.Errorf("means %v", got)
	}
}

// The factor of the rows' inner products is in memory as long as rows are reduced, at eight bytes a number.
func TestFootprint(t *testing.T) {
	for rows := 1000; rows <= mostReduced; rows += 1000 {
		if got, factor := defaults.Footprint(engines.Shape{Rows: rows, Columns: 9000, Entries: 1}).Bytes, int64(8*rows*rows); got < factor || got > 3*factor+1e7 {
			t.Errorf("%d rows: %d bytes, of which the factor is %d", rows, got, factor)
		}
	}
	if got := defaults.Footprint(engines.Shape{Rows: mostReduced + 1, Columns: 9000, Entries: 1}).Bytes; got > 1e7 {
		t.Errorf("%d bytes where nothing is reduced", got)
	}
}

// Scores of a class: of the second level 1/(1 + e^−s), or (1 + s)/2 where the loss is Huber's.
func TestOutputs(t *testing.T) {
	x := enginetest.Random(3, 60, 4, 1, false)
	y := make([]float64, 60)
	for i := range y {
		y[i] = map[bool]float64{true: 1, false: 0}[x.Row(i).At(0)+0.3*x.Row(i).At(1) > 0.2]
	}
	view := enginetest.View(enginetest.Dataset(x, enginetest.Class("c", 2, y...)), nil)
	for _, loss := range []string{response.Logistic, response.Squared, huber} {
		m := fit(t, with(func(e *AndoZhang) { e.Loss = loss }), view)
		if acc := enginetest.Accuracy(m, view); acc < 95 {
			t.Errorf("%s: accuracy %v", loss, acc)
		}
		if got := m.(engines.Reporter).Fitted().Probabilities; got != (loss == response.Logistic) {
			t.Errorf("%s: probabilities %v", loss, got)
		}
		for _, c := range m.Coefs() {
			if c.Output != 1 {
				t.Errorf("%s: %+v", loss, c)
			}
		}
	}
}
