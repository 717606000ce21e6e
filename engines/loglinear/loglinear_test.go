package loglinear

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/sparse"
)

var background = context.Background()

// must panics where a test made a mistake.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func candidates(p *Problem, cutoff float64, always bool) []Candidate {
	return must(p.Candidates(background, cutoff, always))
}

func objective(p *Problem, fs []Candidate, precision []float64) *Objective {
	return must(p.Objective(background, fs, precision))
}

func started(p *Problem) *State { return must(p.Start(background)) }

// literal is a problem as given, and the model from its definition.
type literal struct {
	x       *sparse.Matrix
	y       []int32
	weight  []float64
	classes int
}

// sample has repeated rows, some with other labels, and weights that are whole, broken, or one.
func sample(seed uint64, binary bool, classes int) literal {
	rng := rand.New(rand.NewPCG(seed, 9))
	base := enginetest.Random(seed, 30, 8, 0.4, binary)
	l := literal{classes: classes}
	var rows []int32
	for range 50 {
		rows = append(rows, int32(rng.IntN(30)))
		l.y = append(l.y, int32(rng.IntN(classes)))
		l.weight = append(l.weight, []float64{1, 1, 2, 0.75}[rng.IntN(4)])
	}
	l.x = base.Pick(rows)
	return l
}

func (l literal) problem(t *testing.T) *Problem {
	t.Helper()
	p, err := New(background, l.x, l.y, l.weight, l.classes)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (l literal) value(i int, f Feature) float64 {
	if f.Column == Always {
		return 1
	}
	row := l.x.Row(i)
	if k := slices.Index(row.Idx, f.Column); k >= 0 {
		return row.At(k)
	}
	return 0
}

// probabilities of the classes in row i.
func (l literal) probabilities(i int, fs []Feature, w []float64) []float64 {
	p, z := make([]float64, l.classes), 0.0
	for k, f := range fs {
		p[f.Class] += w[k] * l.value(i, f)
	}
	high := slices.Max(p)
	for y := range p {
		p[y] = math.Exp(p[y] - high)
		z += p[y]
	}
	for y := range p {
		p[y] /= z
	}
	return p
}

func (l literal) logLik(fs []Feature, w []float64) float64 {
	sum := 0.0
	for i, y := range l.y {
		sum += l.weight[i] * math.Log(l.probabilities(i, fs, w)[y])
	}
	return sum
}

// every feature, in a shuffled order, with weights.
func (l literal) features(p *Problem, seed uint64) (cands []Candidate, fs []Feature, w []float64) {
	rng := rand.New(rand.NewPCG(seed, 10))
	cands = candidates(p, 1, true)
	rng.Shuffle(len(cands), func(a, b int) { cands[a], cands[b] = cands[b], cands[a] })
	for _, c := range cands {
		fs = append(fs, c.Feature)
		w = append(w, rng.NormFloat64())
	}
	return cands, fs, w
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: got %.15g, want %.15g", what, got, want)
	}
}

func TestNew(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(1, binary, 3)
		p := l.problem(t)
		if p.Rows() >= 30 || p.once == 0 || p.once == p.Rows() {
			t.Errorf("%d distinct rows, %d of them count once", p.Rows(), p.once)
		}
		total := 0.0
		for i := range p.Rows() {
			class, weight := p.Labels(i)
			sum := 0.0
			for k := range class {
				sum += weight[k]
				if k > 0 && class[k] <= class[k-1] {
					t.Errorf("row %d: classes %v", i, class)
				}
			}
			near(t, "weight of a row", sum, p.Mult(i), 1e-15)
			if (p.Mult(i) == 1) != (i < p.once) {
				t.Errorf("row %d of %d counts %v", i, p.once, p.Mult(i))
			}
			total += sum
		}
		near(t, "weight", total, p.Weight, 1e-14)
		for _, c := range candidates(p, 0, true) {
			var seen, holds, sum float64
			for i, y := range l.y {
				if x := l.value(i, c.Feature); x != 0 {
					holds += l.weight[i]
					if y == c.Class {
						seen += l.weight[i]
						sum += l.weight[i] * x
					}
				}
			}
			near(t, "seen", c.Seen, seen, 1e-14)
			near(t, "holds", c.Holds, holds, 1e-14)
			near(t, "sum", c.Sum, sum, 1e-12)
			if again := p.Count(c.Feature); math.Abs(again.Sum-c.Sum) > 1e-12 || again.Feature != c.Feature {
				t.Errorf("counted alone %+v, with others %+v", again, c)
			}
		}
	}
}

func TestCandidates(t *testing.T) {
	p, err := New(background, enginetest.Matrix([]float64{1, 0}, []float64{1, 0}, []float64{1, 0}, []float64{0, 0}), []int32{2, 0, 2, 1}, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for cutoff, want := range map[float64]string{
		1: "[{{-1 0} 1 4 1} {{-1 1} 1 4 1} {{-1 2} 2 4 2} {{0 0} 1 3 1} {{0 2} 2 3 2}]",
		2: "[{{-1 2} 2 4 2} {{0 2} 2 3 2}]",
	} {
		if got := fmt.Sprint(candidates(p, cutoff, true)); got != want {
			t.Errorf("cutoff %v: got %s, want %s", cutoff, got, want)
		}
	}
	if got := len(candidates(p, 1, false)); got != 2 {
		t.Errorf("%d candidates without biases, want 2", got)
	}
}

func TestRefused(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{0})
	for name, err := range map[string]error{
		"labels":          second(New(background, x, []int32{0}, nil, 2)),
		"label too large": second(New(background, x, []int32{0, 2}, nil, 2)),
		"negative label":  second(New(background, x, []int32{-1, 0}, nil, 2)),
		"weights":         second(New(background, x, []int32{0, 1}, []float64{1}, 2)),
		"weight zero":     second(New(background, x, []int32{0, 1}, []float64{1, 0}, 2)),
		"no weight":       second(New(background, x, []int32{0, 1}, []float64{1, math.NaN()}, 2)),
		"no row":          second(New(background, x.Range(0, 0), nil, nil, 2)),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// The objective, its gradient, and that neither depends on the number of workers.
func TestObjective(t *testing.T) {
	for _, binary := range []bool{true, false} {
		for _, bias := range []bool{true, false} {
			l := sample(2, binary, 4)
			p := l.problem(t)
			cands, fs, w := l.features(p, 3)
			if !bias {
				cands = slices.DeleteFunc(cands, func(c Candidate) bool { return c.Column == Always })
				fs = slices.DeleteFunc(fs, func(f Feature) bool { return f.Column == Always })
				w = w[:len(fs)]
			}
			cands, fs, w = cands[:len(fs)*2/3], fs[:len(fs)*2/3], w[:len(fs)*2/3] // some columns have no feature
			precision := make([]float64, len(fs))
			for k := range precision {
				precision[k] = 0.1 * float64(k)
			}
			want := func(w []float64) float64 {
				v := -l.logLik(fs, w)
				for k := range w {
					v += 0.5 * precision[k] * w[k] * w[k]
				}
				return v
			}
			f := objective(p, cands, precision).Func(background, 1)
			grad := make([]float64, len(w))
			near(t, "objective", f(grad, w), want(w), 1e-12)
			for k := range w {
				const h = 1e-5
				up, down := slices.Clone(w), slices.Clone(w)
				up[k] += h
				down[k] -= h
				near(t, fmt.Sprintf("gradient of %v", fs[k]), grad[k], (want(up)-want(down))/(2*h), 1e-7)
			}
			for _, scale := range []float64{0, 1e3} { // nothing fires; scores beyond the range of e^x
				far := slices.Clone(w)
				for k := range far {
					far[k] *= scale
				}
				if v := f(grad, far); scale == 0 {
					near(t, "objective at 0", v, want(far), 1e-12)
				} else if v-v != 0 || slices.ContainsFunc(grad, func(g float64) bool { return g-g != 0 }) {
					t.Errorf("far away: value %v, gradient %v", v, grad)
				}
			}
		}
	}
}

func TestObjectiveWorkers(t *testing.T) {
	x := enginetest.Random(5, 1000, 20, 0.3, true)
	y := make([]int32, 1000)
	for i := range y {
		y[i] = int32(x.Row(i).Len() % 4)
	}
	p, err := New(background, x, y, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	cands := candidates(p, 1, true)
	w, precision := make([]float64, len(cands)), make([]float64, len(cands))
	for k := range w {
		w[k] = math.Sin(float64(k))
	}
	one, three := make([]float64, len(w)), make([]float64, len(w))
	o := objective(p, cands, precision)
	if len(o.blocks) != maxBlocks {
		t.Fatalf("%d blocks", len(o.blocks))
	}
	a, b := o.Func(background, 1)(one, w), o.Func(background, 3)(three, w)
	if a != b || !slices.Equal(one, three) {
		t.Errorf("values %v and %v", a, b)
	}
	ctx, cancel := context.WithCancelCause(background)
	why := errors.New("why")
	cancel(why)
	if v := o.Func(ctx, 1)(one, w); v == v {
		t.Errorf("value %v after the end of the context", v)
	}
	if _, err := p.Estimate(ctx, cands, w, Prior{Variance: 1}, 1e-6, 10, 1); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}

// tables are the ways to keep a state.
func tables(p *Problem) map[string]*State {
	states := map[string]*State{
		"dense":   {p: p, t: newDense(p.Rows(), p.Classes), loglik: p.Uniform()},
		"touched": {p: p, t: newTouched(p.Rows(), p.Classes), loglik: p.Uniform()},
	}
	for _, s := range states {
		must(0, s.t.uniform(background))
	}
	return states
}

// A state follows the definition, feature by feature, for few classes (z is summed) and many (it moves).
func TestState(t *testing.T) {
	for _, classes := range []int{1, 3, resum + 5} {
		for _, binary := range []bool{true, false} {
			l := sample(7, binary, classes)
			p := l.problem(t)
			cands, fs, w := l.features(p, 8)
			for name, s := range tables(p) {
				var buf Buffer
				n := min(len(fs), 40)
				for k := range n {
					was := make([][]float64, p.Rows())
					for i := range was {
						was[i] = make([]float64, classes)
						s.Probabilities(was[i], i)
					}
					changed := 0
					s.AddWatched(cands[k], w[k], &buf, func(i int, before, after []float64) {
						now := make([]float64, classes)
						s.Probabilities(now, i)
						if !slices.Equal(before, was[i]) || !slices.Equal(after, now) {
							t.Errorf("row %d: told %v to %v", i, before, after)
						}
						changed++
					})
					if changed != p.Col(fs[k].Column).Len() {
						t.Errorf("told of %d rows", changed)
					}
				}
				want := l.logLik(fs[:n], w[:n])
				near(t, name+": followed", s.LogLik(), want, 1e-11)
				near(t, name+": recounted", s.Recount(), want, 1e-12)
				if err := s.Set(background, cands[:3], w[:3]); err != nil {
					t.Fatal(err)
				}
				near(t, name+": set", s.LogLik(), l.logLik(fs[:3], w[:3]), 1e-12)
				errs := 0.0
				for i, y := range l.y {
					if int32(argmax(l.probabilities(i, fs[:3], w[:3]))) != y {
						errs += l.weight[i]
					}
				}
				if classes == 3 { // with more, classes tie by rounding
					near(t, name+": errors", s.Errors(), errs, 1e-12)
				}
			}
		}
	}
}

// Weights whose sum is beyond the range of e^x do no harm as long as the differences of classes are not.
func TestStateRange(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{1})
	p, err := New(background, x, []int32{0, 1}, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range tables(p) {
		var buf Buffer
		for range 30 {
			for y := range int32(3) {
				s.Add(p.Count(Feature{0, y}), 90+float64(y), &buf)
			}
		}
		for range 60 {
			for y := range int32(3) {
				s.Add(p.Count(Feature{0, y}), -90, &buf)
			}
		}
		got := make([]float64, 3)
		s.Probabilities(got, 0)
		z := 1 + math.Exp(30) + math.Exp(60)
		for y, want := range []float64{1 / z, math.Exp(30) / z, math.Exp(60) / z} {
			near(t, name, got[y]/want, 1, 1e-9)
		}
	}
}

// G, its derivatives by differences, and both ways of computing them.
func TestLine(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(11, binary, 3)
		p := l.problem(t)
		cands, fs, w := l.features(p, 12)
		s := started(p)
		var buf Buffer
		for k := range 10 {
			s.Add(cands[k], w[k], &buf)
		}
		before := s.Recount()
		for _, c := range cands[10:20] {
			line := s.Line(c, &Buffer{})
			for _, a := range []float64{-3, -0.1, 0, 0.7, 6} {
				want := l.logLik(append(slices.Clone(fs[:10]), c.Feature), append(slices.Clone(w[:10]), a)) - before
				near(t, "G", line.Value(a), want, 1e-11)
				const h = 1e-5
				slope, curve := line.Slope(a)
				near(t, "G'", slope, (line.Value(a+h)-line.Value(a-h))/(2*h), 1e-6)
				up, _ := line.Slope(a + h)
				down, _ := line.Slope(a - h)
				near(t, "−G''", curve, (down-up)/(2*h), 1e-6)
			}
			if line.x == nil { // the other way, with a value of one everywhere
				slow := line
				slow.x = slices.Repeat([]float64{1}, len(line.p))
				near(t, "G, slowly", slow.Value(2), line.Value(2), 1e-13)
			}
			for _, a := range []float64{-1000, 1000} {
				slope, curve := line.Slope(a)
				if v := line.Value(a); v != v || slope != slope || curve != curve {
					t.Errorf("at %v: %v %v %v", a, v, slope, curve)
				}
			}
		}
	}
}

// The best weight is a zero of the slope, or an end.
func TestMaximise(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(13, binary, 3)
		p := l.problem(t)
		cands, _, w := l.features(p, 14)
		s := started(p)
		var buf Buffer
		for k := range 12 {
			s.Add(cands[k], 3*w[k], &buf)
		}
		for _, lim := range []Limits{{Bound: 10}, {Bound: 0.2}, {Bound: 10, Variance: 0.5}, {Bound: math.Inf(1), Variance: 4}, {Bound: math.Inf(1), Variance: 1e6}} {
			for _, c := range cands {
				line := s.Line(c, &buf)
				a, gain := line.Maximise(lim)
				slope, curve := line.Slope(a)
				value := line.Value(a)
				if lim.Variance > 0 {
					slope -= a / lim.Variance
					curve += 1 / lim.Variance
					value -= a * a / (2 * lim.Variance)
				}
				near(t, "gain", gain, value, 1e-12)
				inside := math.Abs(slope) <= 1e-10*(curve+1)
				if !inside && !(a == lim.Bound && slope > 0) && !(a == -lim.Bound && slope < 0) || gain < 0 {
					t.Errorf("%+v, %+v: slope %v at %v, gain %v", lim, c, slope, a, gain)
				}
			}
		}
	}
	always := Line{e: 3, n: 3, p: []float64{0.2, 0.3, 0.9}}
	if a, gain := always.Maximise(Limits{Bound: 5}); a != 5 || !(gain > 0) {
		t.Errorf("always right: weight %v, gain %v", a, gain)
	}
	never := Line{e: 0, n: 3, p: []float64{0.2, 0.3, 0.9}}
	if a, gain := never.Maximise(Limits{Bound: 5}); a != -5 || !(gain > 0) {
		t.Errorf("never right: weight %v, gain %v", a, gain)
	}
	if a, gain := (Line{}).Maximise(Limits{Bound: 5}); a != 0 || gain != 0 {
		t.Errorf("no row: weight %v, gain %v", a, gain)
	}
}

func TestFirstGain(t *testing.T) {
	l := sample(17, true, 4)
	p := l.problem(t)
	s := started(p)
	for _, lim := range []Limits{{Bound: 10}, {Bound: 0.1}, {Bound: 10, Variance: 2}} {
		for _, c := range candidates(p, 1, true) {
			a, gain := s.Gain(c, lim, &Buffer{})
			b, first := p.FirstGain(c, lim)
			near(t, "weight", b, a, 1e-10)
			near(t, "gain", first, gain, 1e-11)
		}
	}
}

// An estimation ends where the gradient vanishes, and the model predicts what the state says.
func TestEstimateAndModel(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(19, binary, 3)
		p := l.problem(t)
		cands, fs, _ := l.features(p, 20)
		w := make([]float64, len(fs))
		done, err := p.Estimate(background, cands, w, Prior{Variance: 2, Bias: 100}, 1e-9, 1000, 2)
		if err != nil || done.Stop != "tol" {
			t.Fatalf("%+v, %v", done, err)
		}
		near(t, "log-likelihood", done.LogLik, l.logLik(fs, w), 1e-12)
		for k, f := range fs {
			slope, v := 0.0, 2.0
			if f.Column == Always {
				v = 100
			}
			for i, y := range l.y {
				q := -l.probabilities(i, fs, w)[f.Class]
				if y == f.Class {
					q++
				}
				slope += l.weight[i] * l.value(i, f) * q
			}
			if math.Abs(slope-w[k]/v) > 1e-8 {
				t.Errorf("%v: slope %v at weight %v", f, slope, w[k])
			}
		}
		bias, coefs := make([]float64, 3), []engines.Coef{}
		for k, f := range fs {
			if f.Column == Always {
				bias[f.Class] = w[k]
			} else {
				coefs = append(coefs, engines.Coef{Feature: int(f.Column), Output: int(f.Class), Value: w[k], Rank: k})
			}
		}
		m := NewModel(8, bias, append(coefs, engines.Coef{Feature: 3}), engines.Fitted{})
		got := make([]float64, len(l.y)*3)
		m.Predict(got, enginetest.View(enginetest.Dataset(l.x, enginetest.Real("y", make([]float64, len(l.y))...)), nil).Inputs())
		alone := make([]float64, 3)
		for i := range l.y {
			m.Score(alone, l.x.Row(i))
			for y, want := range l.probabilities(i, fs, w) {
				near(t, "probability", got[3*i+y], want, 1e-12)
				near(t, "probability of a row alone", alone[y], want, 1e-12)
			}
		}
		if len(m.Coefs()) != len(coefs) || !m.Fitted().Probabilities {
			t.Errorf("%d weights, want %d", len(m.Coefs()), len(coefs))
		}
	}
}

// Rows without the target, and weights, as a view gives them.
func TestRead(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 0}, []float64{0, 1}, []float64{1, 1}, []float64{1, 0})
	target := enginetest.Class("y", 4, 2, 0, 1)
	target.Rows = []int32{0, 2, 3}
	set := enginetest.Dataset(x, target)
	set.Weight = []float64{1, 5, 2, 3}
	p, err := Read(background, enginetest.View(set, nil))
	if err != nil {
		t.Fatal(err)
	}
	if p.Rows() != 2 || p.Weight != 6 {
		t.Errorf("%d rows of weight %v, want 2 of 6", p.Rows(), p.Weight)
	}
	if got := fmt.Sprint(candidates(p, 1, true)); got != "[{{-1 0} 2 6 2} {{-1 1} 3 6 3} {{-1 2} 1 6 1} {{0 0} 2 6 2} {{0 1} 3 6 3} {{0 2} 1 6 1} {{1 0} 2 2 2}]" {
		t.Errorf("candidates %s", got)
	}
	if notes := p.Unseen([]string{"a", "b", "c", "d"}); len(notes) != 1 || p.Unseen([]string{"a", "b", "c"}) != nil {
		t.Errorf("notes %q", notes)
	}
	target.Rows, target.Values = []int32{0}, []float64{1}
	set = enginetest.Dataset(x, target)
	if _, err := Read(background, enginetest.View(set, []int32{1, 2})); err == nil {
		t.Error("no training row was accepted")
	}
}

// TestManyClassesFall moves one class far up and down again: z must not keep what was rounded off when it was large.
func TestManyClassesFall(t *testing.T) {
	const classes = resum + 72
	for up := 1.0; up <= 8; up++ {
		dense := newDense(1, classes)
		if err := dense.uniform(background); err != nil {
			t.Fatal(err)
		}
		for range int(up) {
			dense.multiply(0, 0, math.Exp(10))
		}
		for down := 1.0; down <= up; down++ {
			dense.multiply(0, 0, math.Exp(-10))
			var got [1]float64
			dense.share(got[:], []int32{0}, 1)
			if want := 1 / (classes - 1 + math.Exp(10*(up-down))); math.Abs(got[0]-want) > 1e-9*want {
				t.Errorf("%v up, %v down: another class has %v, expected %v", up, down, got[0], want)
			}
		}
	}
}
