package boosting

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

func with(change func(e *Boosted)) Boosted {
	e := Kind.Defaults().(Boosted)
	e.Trees = 20
	if change != nil {
		change(&e)
	}
	return e
}

// of asks the suite for a type of target.
type of struct {
	Boosted
	target data.Type
	levels int
}

func (e of) Needs() engines.Needs {
	return engines.Needs{Target: e.target, Levels: e.levels, Rates: true}
}

func TestSuite(t *testing.T) {
	for name, change := range map[string]func(e *Boosted){
		"plain":     nil,
		"leaves":    func(e *Boosted) { e.Trees, e.MaxDepth, e.MaxLeaves, e.MinWeight, e.C1 = 5, 0, 6, 0.1, 0.5 },
		"sampled":   func(e *Boosted) { e.Trees, e.RowShare, e.ColumnShare, e.Bins = 7, 0.5, 0.4, 4 },
		"few":       func(e *Boosted) { e.Trees, e.Features, e.Importance = 5, 3, byCount },
		"validated": func(e *Boosted) { e.Patience, e.Validation = 3, 0.3 },
	} {
		for _, o := range []of{{target: data.Real}, {target: data.Count}, {target: data.Class}, {target: data.Class, levels: 2}} {
			t.Run(fmt.Sprint(name, " ", o.target, o.levels), func(t *testing.T) {
				o.Boosted = with(change)
				enginetest.Suite(t, o)
			})
		}
	}
}

func runOn(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(3, 4)), Workers: 2}
}
