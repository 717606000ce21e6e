package paired

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/io/results"
)

// Swapping the two flips the sign and nothing else, in every test.
func TestSwapped(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	near := func(a, b float64) bool {
		return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))+1e-15
	}
	for i := range 200 {
		n := []int{2, 3, 5, 10, 30, 120}[i%6]
		a, b := make([]Fold, n), make([]Fold, n)
		var p, q results.Predictions
		right := [2]float64{}
		for k := range n {
			f := Fold{Digest: fmt.Sprint("f", k), Train: 90, Test: int64(10 + k%3)}
			a[k], b[k] = f, f
			a[k].Score = math.Round(8*rng.Float64()) / 8 // with ties
			b[k].Score = math.Round(8*rng.Float64())/8 + 0.125*float64(i%3)
			truth, one, two := float64(rng.IntN(2)), float64(rng.IntN(2)), float64(rng.IntN(3)/2)
			right[0], right[1] = right[0]+indicator(truth == one), right[1]+indicator(truth == two)
			row := fmt.Sprint(k)
			p.Row, p.Truth, p.Prediction = append(p.Row, row), append(p.Truth, truth), append(p.Prediction, one)
			q.Row, q.Truth, q.Prediction = append(q.Row, row), append(q.Truth, truth), append(q.Prediction, two)
		}
		rng.Shuffle(n, func(i, j int) { b[i], b[j] = b[j], b[i] })
		for _, test := range Tests() {
			var r, s Result
			var err, other error
			if test.Folds != nil {
				r, err = test.Folds(a, b)
				s, other = test.Folds(b, a)
			} else {
				l, bad := lossesOf("accuracy", known["accuracy"], p, right[0]/float64(n))
				m, worse := lossesOf("accuracy", known["accuracy"], q, right[1]/float64(n))
				if bad != nil || worse != nil {
					t.Fatal(bad, worse)
				}
				r, err = test.Rows(l, m)
				s, other = test.Rows(m, l)
			}
			if err != nil || other != nil {
				t.Fatal(test.Name, err, other)
			}
			if r.N != s.N || r.Differ != s.Differ || r.Constant != s.Constant || r.Direction() != -s.Direction() || !near(r.P, s.P) || !near(r.Mean, -s.Mean) ||
				!near(r.SE, s.SE) || !near(r.T, -s.T) || !near(r.Low, -s.High) || !near(r.High, -s.Low) || !near(r.Below(0.1), s.Above(-0.1)) || !near(r.Equivalent(0.2), s.Equivalent(0.2)) {
				t.Errorf("%s over %d: %+v, swapped %+v", test.Name, n, r, s)
			}
		}
	}
}
