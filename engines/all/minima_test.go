package all

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// oddView returns a small data set of a kind, with a target of a type, whose columns belong to classes.
func oddView(kind oddKind, seed uint64, rows, columns int, of data.Type, noise float64) *data.View {
	rng := rand.New(rand.NewPCG(seed, 14))
	x := kind.draw(rng, rows, columns)
	d := enginetest.Dataset(enginetest.Matrix(x...), oddTarget(rng, x, of, noise))
	class := make([]int32, columns)
	for j := range class {
		class[j] = int32(j % 2)
	}
	d.Features = d.Features.WithClasses(class, []string{"even", "odd"})
	return enginetest.View(d, nil)
}

// minimiseNothing are engines whose models minimise no sum over the training rows.
var minimiseNothing = []string{"boruta", "forest", "naive-bayes", "stagewise"}

// penalizedBiases are engines of class targets whose models penalise all weights: without columns they are at zero weights.
var penalizedBiases = []string{"bayes-factor", "count", "ifs", "l1-dual", "maxent", "sgc"}

// nullLoss returns the loss of an engine's best model without columns: half the sum of squares around the mean, the entropy of the
// levels, or for engines with a hinge the errors of the commoner level, twice.
func nullLoss(v *data.View, name string) float64 {
	_, y := v.Target(0)
	n, sum := float64(len(y)), 0.0
	for _, t := range y {
		sum += t
	}
	loss := 0.0
	for _, t := range y {
		switch of := v.TargetInfo(0).Type; {
		case of == data.Real:
			loss += (t - sum/n) * (t - sum/n) / 2
		case slices.Contains(penalizedBiases, name):
			loss += math.Ln2
		case strings.HasSuffix(name, "svm"):
			loss += 2 * min(sum, n-sum) / n
		case t == 1:
			loss -= math.Log(sum / n)
		default:
			loss -= math.Log(1 - sum/n)
		}
	}
	return loss
}

// trainingLoss returns half the sum of squared errors of a model, or its log-loss; 0 where it has no probabilities.
func trainingLoss(m engines.Model, v *data.View) (loss float64) {
	out := make([]float64, v.Len()*m.Outputs())
	m.Predict(out, v.Inputs())
	_, y := v.Target(0)
	for i, t := range y {
		switch {
		case v.TargetInfo(0).Type == data.Real:
			loss += (t - out[i]) * (t - out[i]) / 2
		case m.(engines.Reporter).Fitted().Probabilities:
			loss -= out[i*m.Outputs()+int(t)]
		}
	}
	return loss
}

// atShare returns an engine whose penalty is a share of the smallest that selects nothing, where it has one that can be.
func atShare(e engines.Engine, share float64) engines.Engine {
	if p, ok := e.(engines.Pathed); ok && strings.HasSuffix(p.PathParameters()[0], "_ratio") {
		return p.AtValue(share)
	}
	return e
}

// TestNeverAboveNull: no engine that minimises something over its training rows returns a model that is worse there than its model without
// columns: neither its objective, where it certifies one, nor its loss, which a penalty can only raise, nor the length of its description.
func TestNeverAboveNull(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	const rows, columns, draws = 34, 4, 5
	for at, kind := range oddKinds {
		for draw := range draws {
			for _, noise := range []float64{0, 1} {
				for _, of := range []data.Type{data.Real, data.Class} {
					v := oddView(kind, uint64(draw), rows, columns, of, noise)
					for k, name := range set.Names() {
						e := atShare(set[name].Defaults(), []float64{0.1, 0.001}[draw%2])
						if !e.Needs().Takes(of) || slices.Contains(minimiseNothing, name) || testing.Short() && (k+at+draw)%4 != 0 {
							continue
						}
						m, err := e.Fit(t.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
						if err != nil {
							continue // it takes other columns, or nothing goes with the target
						}
						what := fmt.Sprintf("%s of %s, %s, draw %d, noise %v", name, kind.name, of, draw, noise)
						null := nullLoss(v, name)
						above := func(value float64) bool { return !(value <= null+1e-9*max(1, null)) }
						f := m.(engines.Reporter).Fitted()
						if loss := trainingLoss(m, v); above(loss) {
							t.Errorf("%s: loss %v, of the null model %v (stop: %s)", what, loss, null, f.Stop)
						}
						if c := f.Certificate; c != nil && name != "ando-zhang" && above(c.Objective) {
							t.Errorf("%s: objective %v, of the null model %v (stop: %s)", what, c.Objective, null, f.Stop)
						}
						if d := f.Description; d != nil && !(d.Length() <= d.Null+1e-9*max(1, math.Abs(d.Null))) {
							t.Errorf("%s: description %+v", what, d)
						}
					}
				}
			}
		}
	}
}

// TestEndsSoon: every engine ends on 50 × 50 of anything finite, within 2 seconds of a processor. Forests, which see orders alone, have one
// kind of columns.
func TestEndsSoon(t *testing.T) {
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	const size, limit = 50, 20 * time.Second
	for at, kind := range oddKinds {
		for _, of := range []data.Type{data.Real, data.Class, data.Survival} {
			v := oddView(kind, 15, size, size, of, float64(at%2))
			for k, name := range set.Names() {
				e := set[name].Defaults()
				if !e.Needs().Takes(of) || testing.Short() && (k+at)%8 != 0 || at > 0 && (name == "boruta" || name == "forest") {
					continue
				}
				ctx, stop := context.WithTimeout(t.Context(), limit)
				_, err := e.Fit(ctx, engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
				stop()
				if errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s of %s, %s: it does not end within %v", name, kind.name, of, limit)
				}
			}
		}
	}
}
