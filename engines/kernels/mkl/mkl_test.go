package mkl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/response"
	"tenfold/engines/penalized/convex"
)

var defaults = Kind.Defaults().(MKL)

func with(change func(*MKL)) MKL {
	e := defaults
	change(&e)
	return e
}

func TestSuite(t *testing.T) {
	for _, e := range []MKL{defaults, with(func(e *MKL) { e.Loss, e.Products = response.Squared, byMean })} {
		t.Run(e.Loss, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		e      MKL
		fields string
	}{
		{defaults, ""},
		{with(func(e *MKL) { e.Lambda, e.Ratio = -1, 2 }), "lambda lambda_ratio"},
		{with(func(e *MKL) { e.Lambda = math.NaN() }), "lambda"},
		{with(func(e *MKL) { e.Loss, e.Products = "hinge", "max" }), "loss products"},
		{with(func(e *MKL) { e.Tol, e.MaxIter, e.Memory = 1, 0, 0 }), "tol max_iter max_memory"},
	} {
		if got := enginetest.Fields(c.e.Validate()); got != c.fields {
			t.Errorf("%+v: complaints about %q, want %q", c.e, got, c.fields)
		}
	}
}

// curved data: the response is a circle in the two columns of class a; those of b and of none say nothing.
func curved(rows int, logistic, weighted bool) *data.Dataset {
	rng := rand.New(rand.NewPCG(5, 6))
	dense, y := make([][]float64, rows), make([]float64, rows)
	for i := range dense {
		for range 5 {
			dense[i] = append(dense[i], 3+rng.NormFloat64())
		}
		dense[i] = append(dense[i], 1) // constant
		if rng.IntN(2) > 0 {
			dense[i][4] = 0
		}
		a, b := dense[i][0]-3, dense[i][1]-3
		y[i] = a*a + b*b + 0.3*rng.NormFloat64()
		if logistic {
			y[i] = map[bool]float64{true: 1, false: 0}[y[i] > 1.4]
		}
	}
	target := enginetest.Real("y", y...)
	if logistic {
		target = enginetest.Class("y", 2, y...)
	}
	set := enginetest.Dataset(enginetest.Matrix(dense...), target)
	set.Features = set.Features.WithClasses([]int32{0, 0, 1, 1, -1, 1}, []string{"a", "b", "empty"})
	if weighted {
		set.Weight = make([]float64, rows)
		for i := range set.Weight {
			set.Weight[i] = 0.5 + float64(i%3)
		}
	}
	return set
}

func read(t *testing.T, e MKL, set *data.Dataset) *fitRun {
	t.Helper()
	f, err := e.newFitRun(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// dense kernel matrix, literally: columns centred, divided by their standard deviation.
func literally(f *fitRun, k kernel, set *data.Dataset) [][]float64 {
	n, cols := set.X.Dims()
	x := make([][]float64, n)
	for i := range x {
		x[i] = make([]float64, cols)
		set.X.Row(i).AddTo(x[i], 1)
	}
	total := 0.0
	for i := range n {
		total += f.learner.loss.weightOf(i)
	}
	for j := range cols {
		mean, square := 0.0, 0.0
		for i := range n {
			m := f.learner.loss.weightOf(i)
			mean += m * x[i][j] / total
		}
		for i := range n {
			m := f.learner.loss.weightOf(i)
			square += m * (x[i][j] - mean) * (x[i][j] - mean) / total
		}
		for i := range n {
			if x[i][j] -= mean; square > 1e-12 {
				x[i][j] /= math.Sqrt(square)
			}
		}
	}
	out, trace := make([][]float64, n), 0.0
	for i := range out {
		out[i] = make([]float64, n)
		for l := range out[i] {
			dot, dist := 0.0, 0.0
			for j := range cols {
				name := map[int]string{0: "a", 1: "b", -1: data.None}[set.Features.Class(j)]
				if k.base >= 0 && f.bases[k.base].name != name {
					continue
				}
				share := 1.0
				if f.Products == byMean { // over the columns of the class that vary, all but the last; on all, the mean of the three classes
					varying := 0.0
					for c := range cols - 1 {
						if set.Features.Class(c) == set.Features.Class(j) {
							varying++
						}
					}
					if share = 1 / varying; k.base < 0 {
						share /= 3
					}
				}
				dot += share * x[i][j] * x[l][j]
				dist += share * (x[i][j] - x[l][j]) * (x[i][j] - x[l][j])
			}
			if out[i][l] = math.Exp(-dist / 2 / k.width / k.width); k.degree > 0 {
				out[i][l] = math.Pow(1+dot, float64(k.degree))
			}
		}
		trace += f.learner.loss.weightOf(i) * out[i][i]
	}
	for i := range out {
		for l := range out[i] {
			out[i][l] /= trace
		}
	}
	return out
}

// 13 kernels on each of three classes (one is _none; the empty one has none) and on all columns, each as it is defined.
func TestKernels(t *testing.T) {
	for k := range 8 {
		weighted, products := k%2 > 0, []string{bySum, byMean}[k/2%2]
		set := curved(12, false, weighted)
		if k >= 4 { // the first class has one column
			set.Features = set.Features.WithClasses([]int32{0, -1, 1, 1, 1, 1}, []string{"a", "b", "empty"})
		}
		f := read(t, with(func(e *MKL) { e.Products = products }), set)
		if n := len(f.learner.kernels); n != 13*4 {
			t.Fatalf("%d kernels", n)
		}
		for _, k := range f.learner.kernels {
			want := literally(f, k, set)
			for i := range want {
				for j, got := range k.k.Row(i) {
					if !(math.Abs(got-want[i][j]) <= 1e-12) {
						t.Fatalf("%v on %s, rows %d and %d: %v, want %v", k.kernelShape, f.baseName(k.base), i, j, got, want[i][j])
					}
				}
			}
		}
	}
	one := curved(12, false, false)
	one.Features = data.NewFeatures([]string{"p", "q", "r", "s", "t", "u"})
	if n := len(read(t, defaults, one).learner.kernels); n != 13 {
		t.Errorf("%d kernels without classes", n)
	}
}

// objective of functions α of all kernels, literally.
func objective(f *fitRun, lambda float64, ks [][][]float64) float64 {
	l := f.learner
	n := len(l.rho)
	s, score := 0.0, make([]float64, n)
	for m, a := range l.alpha {
		if a == nil {
			continue
		}
		square := 0.0
		for i := range n {
			for j := range n {
				square += a[i] * ks[m][i][j] * a[j]
				score[i] += ks[m][i][j] * a[j]
			}
		}
		s += lambda * math.Sqrt(square)
	}
	for i, y := range f.responses.Each[0].Y {
		z, m := score[i]+l.bias, l.loss.weightOf(i)
		if f.responses.Loss == response.Logistic {
			s += m * (math.Log1p(math.Exp(-math.Abs(z))) + math.Max(z, 0) - z*y)
		} else {
			s += m * (y - z) * (y - z) / 2
		}
	}
	return s
}

// At the minimum every kernel in use has ‖ρ‖_m = λ and α_m along ρ, no other exceeds λ, and the objective is what it says; the
// certificate proves it. Along a path from the null model, and alone.
func TestMinimum(t *testing.T) {
	for _, logistic := range []bool{false, true} {
		for _, weighted := range []bool{false, true} {
			set := curved(40, logistic, weighted)
			e := with(func(e *MKL) { e.Tol = 1e-9 })
			f := read(t, e, set)
			var ks [][][]float64
			for _, k := range f.learner.kernels {
				ks = append(ks, literally(f, k, set))
			}
			for _, ratio := range []float64{1, 0.5, 0.1, 0.02} {
				what := fmt.Sprintf("logistic %v, weighted %v, λ %v of the largest", logistic, weighted, ratio)
				lambda := ratio * f.lambdaMax
				m, err := convex.Fit(context.Background(), f, lambda)
				if err != nil {
					t.Fatal(err)
				}
				fitted := m.(engines.Reporter).Fitted()
				c := *fitted.Certificate
				if fitted.Stop != "gap" || !(c.Gap() <= 1e-9*f.learner.start) || c.Objective < c.Dual-1e-12 {
					t.Errorf("%s: stopped by %s at %+v", what, fitted.Stop, c)
				}
				if got := objective(f, lambda, ks); !(math.Abs(got-c.Objective) <= 1e-9*got) {
					t.Errorf("%s: objective %v, literally %v", what, c.Objective, got)
				}
				alone := read(t, e, set)
				again, err := convex.Fit(context.Background(), alone, lambda)
				if err != nil {
					t.Fatal(err)
				}
				if got := again.(engines.Reporter).Fitted().Certificate.Objective; !(math.Abs(got-c.Objective) <= 1e-8*got) {
					t.Errorf("%s: objective %v along the path, %v alone", what, c.Objective, got)
				}
				conditions(t, what, f, lambda, ks)
				if used := len(f.usedKernels()); (used == 0) != (ratio == 1) {
					t.Errorf("%s: %d kernels in use", what, used)
				}
			}
		}
	}
}

func conditions(t *testing.T, what string, f *fitRun, lambda float64, ks [][][]float64) {
	t.Helper()
	l := f.learner
	n := len(l.rho)
	r, sum := make([]float64, n), 0.0 // minus the gradient of the loss at the model
	for i, y := range f.responses.Each[0].Y {
		z := l.scores[i] + l.bias
		if f.responses.Loss == response.Logistic {
			z = 1 / (1 + math.Exp(-z))
		}
		r[i] = l.loss.weightOf(i) * (y - z)
		sum += r[i]
	}
	if !(math.Abs(sum) <= 1e-9) {
		t.Errorf("%s: gradients sum to %v", what, sum)
	}
	for m, k := range ks {
		square := 0.0
		for i := range r {
			for j := range r {
				square += r[i] * k[i][j] * r[j]
			}
		}
		norm := math.Sqrt(square)
		if norm > lambda*(1+1e-3) || l.functionNorm(m) > 1e-3*l.start/lambda && norm < lambda*(1-1e-3) {
			t.Errorf("%s: kernel %d of size %v has gradient %v of λ", what, m, l.functionNorm(m), norm/lambda)
		}
	}
}

// The minimum is that of the alternating method (Bach et al. 2004; Rakotomamonjy et al. 2007): ridge regression with the kernel
// Σ η_m·K_m, then η_m := ‖f_m‖/λ. It is slow, so it only comes near.
func TestAlternating(t *testing.T) {
	set := curved(25, false, false)
	f := read(t, defaults, set)
	lambda := 0.1 * f.lambdaMax
	m, err := convex.Fit(context.Background(), f, lambda)
	if err != nil {
		t.Fatal(err)
	}
	n, y := 25, f.responses.Each[0].Y
	var ks [][][]float64
	for _, k := range f.learner.kernels {
		ks = append(ks, literally(f, k, set))
	}
	eta := make([]float64, len(ks))
	for k := range eta {
		eta[k] = 1
	}
	value := 0.0
	for range 500 {
		// (ΣηK + I)·a + b = y, Σa = 0
		a := make([][]float64, n+1)
		for i := range a {
			a[i] = make([]float64, n+2)
			for j := range n {
				if i == n {
					a[i][j] = 1
					continue
				}
				for k, e := range eta {
					a[i][j] += e * ks[k][i][j]
				}
			}
			if i < n {
				a[i][i]++
				a[i][n], a[i][n+1] = 1, y[i]
			}
		}
		alpha := enginetest.Gauss(a)
		value = 0
		for _, r := range alpha[:n] {
			value += r * r / 2
		}
		for k := range eta {
			square := 0.0
			for i := range n {
				for j := range n {
					square += alpha[i] * ks[k][i][j] * alpha[j]
				}
			}
			size := eta[k] * math.Sqrt(square)
			value += lambda * size
			eta[k] = size / lambda
		}
	}
	got := m.(engines.Reporter).Fitted().Certificate.Objective
	if !(math.Abs(got-value) <= 1e-3*value) || got > value*(1+1e-6) {
		t.Errorf("objective %v, by the alternating method %v", got, value)
	}
}

// The model scores its training rows as the learner does, finds the class that matters, and a curve that no line has.
func TestModel(t *testing.T) {
	for _, products := range []string{bySum, byMean} {
		set := curved(120, true, false)
		e := with(func(e *MKL) { e.Products, e.Ratio = products, 0.3 })
		f := read(t, e, set)
		m, err := convex.Fit(context.Background(), f, 0.3*f.lambdaMax)
		if err != nil {
			t.Fatal(err)
		}
		view := enginetest.View(set, nil)
		scores := make([]float64, 240)
		m.Predict(scores, view.Inputs())
		enginetest.Exp(scores)
		for i, s := range f.learner.scores {
			if want := 1 / (1 + math.Exp(-s-f.learner.bias)); !(math.Abs(scores[2*i+1]-want) <= 1e-9) || !(math.Abs(scores[2*i]+scores[2*i+1]-1) <= 1e-12) {
				t.Fatalf("%s, row %d: %v, in the fit %v", products, i, scores[2*i:2*i+2], want)
			}
		}
		if acc := enginetest.Accuracy(m, view); acc < 85 {
			t.Errorf("%s: accuracy %v", products, acc)
		}
		if got := fmt.Sprint(m.(interface{ Selected() []int32 }).Selected()); got != "[0 1]" || len(m.Coefs()) != 0 {
			t.Errorf("%s: selected %s, %d coefficients: %+v", products, got, len(m.Coefs()), m.(engines.Reporter).Fitted().Facts)
		}
	}
}

// Kernels on all columns use all columns.
func TestAllColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	var dense [][]float64
	var y []float64
	for range 60 {
		row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		dense, y = append(dense, row), append(y, row[0]*row[1]*2+row[1]*row[2]*2+row[2]*row[3]*2+row[0]*row[3]*2)
	}
	set := enginetest.Dataset(enginetest.Matrix(dense...), enginetest.Real("y", y...))
	set.Features = set.Features.WithClasses([]int32{0, 1, 0, 1}, []string{"a", "b"})
	for _, products := range []string{bySum, byMean} {
		f := read(t, with(func(e *MKL) { e.Products = products }), set)
		m, err := convex.Fit(context.Background(), f, 0.1*f.lambdaMax)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(m.(interface{ Selected() []int32 }).Selected()); got != "[0 1 2 3]" {
			t.Errorf("selected %s", got)
		}
		if m.(*model).all == nil {
			t.Errorf("products of columns of both classes need a kernel on all columns")
		}
		got := make([]float64, 60)
		m.Predict(got, enginetest.View(set, nil).Inputs())
		for i, s := range f.learner.scores {
			if !(math.Abs(got[i]-s-f.learner.bias) <= 1e-9*(1+math.Abs(s))) {
				t.Fatalf("%s, row %d: %v, in the fit %v", products, i, got[i], s+f.learner.bias)
			}
		}
	}
}

// Scores that are all larger by a number make the best intercept smaller by it, however far that is from where it is looked for.
func TestIntercept(t *testing.T) {
	for _, weight := range []data.Weights{nil, {1, 2, 0.5, 3, 1, 1}} {
		side := rows{y: []float64{0, 1, 1, 0, 1, 0}, weight: weight}
		for _, l := range []loss{squaredLoss{side}, logisticLoss{side}} {
			scores := []float64{-1, 2, 0.5, 0.25, -0.5, 1}
			value, at := l.primal(scores, 0)
			for _, by := range []float64{-800, -30, -3, 3, 30, 800} {
				moved := make([]float64, len(scores))
				for i, s := range scores {
					moved[i] = s + by
				}
				if v, b := l.primal(moved, 0); !(math.Abs(v-value) <= 1e-9) || !(math.Abs(b+by-at) <= 1e-9*(1+math.Abs(by))) {
					t.Errorf("%T, scores moved by %v: loss %v with the intercept %v, want %v with %v", l, by, v, b, value, at-by)
				}
			}
			for _, b := range []float64{at - 0.01, at + 0.01} { // it is the best one
				other := 0.0
				for i, s := range scores {
					switch z := s + b; l.(type) {
					case squaredLoss:
						other += side.weightOf(i) * (side.y[i] - z) * (side.y[i] - z) / 2
					default:
						other += side.weightOf(i) * math.Log1p(math.Exp(z*(1-2*side.y[i])))
					}
				}
				if other <= value || other > value+1e-3 {
					t.Errorf("%T: loss %v with the intercept %v, %v with %v", l, value, at, other, b)
				}
			}
		}
	}
}

func TestMemory(t *testing.T) {
	set := curved(40, true, false)
	e := with(func(e *MKL) { e.Memory = 1e-4 })
	_, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil)})
	if err == nil || !strings.Contains(err.Error(), "52 kernel matrices of 40 × 40 (13 kernels on each of 3 classes of features and on all columns) take 0.000342 GiB, max_memory is 0.0001") {
		t.Errorf("got %v", err)
	}
	if got, least := defaults.Footprint(engines.Shape{Rows: 20_000, Columns: 1000, Entries: 1e6, Classes: 10}).Bytes, int64(13*11*8)*20_000*20_000/2; got < least {
		t.Errorf("footprint %d, the kernels alone take %d", got, least)
	}
	if one := (engines.Shape{Rows: 100, Columns: 10, Entries: 500, Classes: 1}); defaults.Footprint(one) != defaults.Footprint(engines.Shape{Rows: 100, Columns: 10, Entries: 500}) {
		t.Error("a footprint without classes is that of one")
	}
}

func TestPath(t *testing.T) {
	run := engines.Run{Train: enginetest.View(curved(40, true, false), nil)}
	usual, err := defaults.PathValues(run)
	values := usual.Values
	if err != nil || len(values) != 21 || !usual.Open || values[0] != 1 || defaults.PathParameters()[0] != "lambda_ratio" {
		t.Fatalf("%v, %v", values, err)
	}
	if err := defaults.FitPath(context.Background(), run, engines.PathPoints{Parameter: defaults.PathParameters()[0], Values: []float64{1, 0}, MayEnd: true}, nil); err == nil || !strings.Contains(err.Error(), "lambda_ratio 0, expected a share above 0") {
		t.Errorf("a share of 0: %v", err)
	}
	next := 0
	err = defaults.FitPath(context.Background(), run, engines.PathPoints{Parameter: defaults.PathParameters()[0], Values: values[:10], MayEnd: true}, func(i int, m engines.Model) {
		one, err := defaults.AtValue(values[i]).Fit(context.Background(), run)
		if err != nil || i != next {
			t.Fatalf("model %d as number %d: %v", i, next, err)
		}
		next++
		a, b := m.(engines.Reporter).Fitted().Certificate, one.(engines.Reporter).Fitted().Certificate
		if !(math.Abs(a.Objective-b.Objective) <= 2e-6*40) {
			t.Errorf("value %d: objective %v along the path, %v alone", i, a.Objective, b.Objective)
		}
	})
	if err != nil || next != 10 {
		t.Errorf("%d models, %v", next, err)
	}
}
