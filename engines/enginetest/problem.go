package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/prepare"
)

// problem is a fold of a tiny data set.
type problem struct {
	set         *data.Dataset
	train, test *data.View
	watch       bool
	plain       *plainFit
}

// plainFit is a fit by one worker without a listener, which the laws that look at a model share.
type plainFit struct {
	model engines.Model
	outcome
	err error
}

// fit returns the plain fit of an engine, always the same engine, and what it shows.
func (p problem) fit(e engines.Engine) (engines.Model, outcome, error) {
	if p.plain.model == nil && p.plain.err == nil {
		p.plain.model, p.plain.outcome, p.plain.err = fit(e, p, 1, nil)
	}
	return p.plain.model, p.plain.outcome, p.plain.err
}

// run returns a fresh run: every fit gets the same random numbers.
func (p problem) run(workers int, trace engines.Trace) engines.Run {
	r := engines.Run{Train: p.train, Rand: rand.New(rand.NewPCG(7, 8)), Trace: trace, Workers: workers, Divide: Divide}
	if p.watch {
		r.Watch = p.test
	}
	return r
}

// problemFor makes 60 rows × 12 columns with what the needs ask for: a quarter of the rows is the test part.
func problemFor(needs engines.Needs) problem { return problemOf(needs, 60, 12) }

// problemOf makes a data set with what the needs ask for: a quarter of the rows is the test part. Rows come in groups of two;
// the last column repeats the first, and the one before it is constant.
func problemOf(needs engines.Needs, rows, cols int) problem {
	rng := rand.New(rand.NewPCG(1, 2))
	dense := make([][]float64, rows)
	for i := range dense {
		dense[i] = make([]float64, cols)
		for j := range cols - 2 {
			if rng.Float64() < 0.4 {
				dense[i][j] = 1
				if !needs.Binary {
					dense[i][j] = 1 + math.Round(8*rng.NormFloat64())/16
					if needs.Counts {
						dense[i][j] = math.Abs(dense[i][j])
					}
				}
			}
		}
		dense[i][cols-2], dense[i][cols-1] = 1, dense[i][0]
	}
	tasks := 1
	if needs.Tasks {
		tasks = 2
	}
	var targets []data.Target
	for k := range tasks {
		targets = append(targets, respond(needs, fmt.Sprintf("y%d", k), dense, k, rng))
	}
	set := Dataset(Matrix(dense...), targets...)
	if needs.FeatureClasses {
		class := make([]int32, cols)
		for j := range class {
			class[j] = int32(j % 3)
		}
		set.Features = set.Features.WithClasses(class, []string{"a", "b", "c"})
	}
	if needs.Truth {
		for t := range targets {
			set.Truth = append(set.Truth, data.True{Feature: int32(t), Target: int32(t), Value: 2}, data.True{Feature: int32(t + 2), Target: int32(t), Value: -1})
		}
	}
	if needs.Target == data.Count {
		for i := range rows {
			set.Exposure = append(set.Exposure, 1+float64(i%5)/2)
		}
	}
	set.Groups = &data.Groups{Name: "pair", Of: make([]int32, rows), Key: make([]uint64, rows/2)}
	for i := range rows {
		set.Groups.Of[i] = int32(i / 2)
	}
	for k := range set.Groups.Key {
		set.Groups.Key[k] = rng.Uint64()
	}
	return split(set, needs.Watch)
}

func split(set *data.Dataset, watch bool) problem {
	p, err := prepare.Recipe{}.Fit(set, nil)
	if err != nil {
		panic(err)
	}
	n := set.Rows() * 3 / 4
	return problem{set, p.View(between(0, n)), p.View(between(n, set.Rows())), watch, &plainFit{}}
}

func respond(needs engines.Needs, name string, dense [][]float64, task int, rng *rand.Rand) data.Target {
	y := make([]float64, len(dense))
	for i, row := range dense {
		y[i] = max(0.1, 3+2*row[task]-row[task+2]+0.25*row[5]+0.5*rng.NormFloat64()) // some families take it for a weight
	}
	levels := needs.Levels
	switch {
	case levels > 0:
	case needs.Target == data.Survival:
		return Survival(name, y...)
	case needs.Target == data.Count:
		for i, v := range y {
			y[i] = math.Floor(v)
		}
		return Count(name, y...)
	case needs.Target == data.Class:
		levels = 3
	default:
		return Real(name, y...)
	}
	for i, v := range y {
		y[i] = min(float64(levels-1), max(0, math.Floor(v-2)))
	}
	return Class(name, levels, y...)
}
