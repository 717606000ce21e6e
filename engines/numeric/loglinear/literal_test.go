package loglinear

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
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
