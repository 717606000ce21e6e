package tune

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/group"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/penalized/owlqn"
	machines "tenfold/engines/ridge/linear"
	"tenfold/engines/steps/lars"
	"tenfold/runner/inner"
)

// Candidates that a path fits together have the scores of single fits, and the same one is chosen, whatever the order of the values and
// however many lists there are.
func TestListsAlongPaths(t *testing.T) {
	numbers := linear(40, 60, 2)
	target := enginetest.Class("y", 2, make([]float64, 40)...)
	for i, y := range numbers.Targets[0].Values {
		if y > 0 {
			target.Values[i] = 1
		}
	}
	classes := enginetest.Dataset(numbers.X, target)
	grouped := *numbers
	class := make([]int32, 60)
	for j := range class {
		class[j] = int32(j % 12)
	}
	grouped.Features = grouped.Features.WithClasses(class, strings.Fields("a b c d e f g h i j k l"))
	for _, c := range []struct {
		name      string
		on        *data.Dataset
		parameter string
		values    []float64
		at        func(v float64) engines.Engine
	}{
		{"lasso", numbers, "lambda_ratio", []float64{0.01, 0.9, 0.3, 0.5, 0.1}, func(v float64) engines.Engine {
			return lasso.LassoKind.Defaults().(lasso.Lasso).AtValue(v)
		}},
		{"lasso of classes", classes, "lambda", []float64{8, 4, 2, 1, 0.1}, func(v float64) engines.Engine {
			e := lasso.LassoKind.Defaults().(lasso.Lasso)
			e.Lambda, e.Standardize = v, true
			return e
		}},
		{"elastic-net", numbers, "lambda", []float64{100, 30, 10, 3}, func(v float64) engines.Engine {
			e := lasso.ElasticNetKind.Defaults().(lasso.ElasticNet)
			e.Lambda = v
			return e
		}},
		{"l1", classes, "c1", []float64{1, 2, 4}, func(v float64) engines.Engine {
			e := l1.L1Kind.Defaults().(l1.L1)
			e.C1 = v
			return e
		}},
		{"owl-qn", classes, "c1_ratio", []float64{0.5, 0.2, 0.1}, func(v float64) engines.Engine {
			return owlqn.OWLQNKind.Defaults().(owlqn.OWLQN).AtValue(v)
		}},
		{"group-lasso", &grouped, "lambda_ratio", []float64{0.5, 0.2, 0.1}, func(v float64) engines.Engine {
			e := group.LassoKind.Defaults().(group.Lasso)
			e.Ratio = v
			return e
		}},
		{"linear-svm", classes, "c", []float64{1, 0.01, 0.1}, func(v float64) engines.Engine {
			return machines.Kind.Defaults().(machines.SVM).AtValue(v)
		}},
		{"lars", numbers, "fraction", []float64{0, 0.3, 0.1, 1}, func(v float64) engines.Engine {
			return lars.Kind.Defaults().(lars.LARS).AtValue(v)
		}},
	} {
		e := Engine{Options: Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}}
		if c.name == "linear-svm" {
			e.Metric = "accuracy"
		}
		p := Path{Engine: c.at(c.values[0]).(engines.Pathed), Points: engines.PathPoints{Parameter: c.parameter, Values: c.values}}
		for i, v := range c.values {
			e.Candidates = append(e.Candidates, Candidate{Engine: c.at(v), Label: fmt.Sprint(v)})
			p.Of = append(p.Of, i)
		}
		v := enginetest.View(c.on, nil)
		single, scores := scoresOf(t, e, v)
		e.Along = []Path{p}
		together, along := scoresOf(t, e, v)
		if single != together {
			t.Errorf("%s: %s along the path, %s by single fits", c.name, together, single)
		}
		for at := range scores {
			for k, want := range scores[at] {
				if got := along[at][k]; !(math.Abs(got-want) <= 1e-3*math.Abs(want)) {
					t.Errorf("%s = %v, inner fold %d: %v along the path, %v by itself", c.parameter, c.values[at], k, got, want)
				}
			}
		}
	}
}

// scoresOf all candidates on the inner folds, and the one that is chosen.
func scoresOf(t *testing.T, e Engine, v *data.View) (chosen string, scores [][]float64) {
	t.Helper()
	_, told := fit(t, e, v)
	run := engines.Run{Train: v, Rand: random(1), Workers: 1}
	innerFolds, err := inner.Divide(t.Context(), run, e.InnerFolds, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.expand(run, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	ms, err := inner.Metrics(nil, e.Metric, v)
	if err == nil {
		err = c.score(t.Context(), t.Context(), run, innerFolds, ms[:1], 1)
	}
	if err != nil || !c.allScored() {
		t.Fatal(err, c.errs)
	}
	return told["tuned"], c.innerScores[0]
}

func (c *choice) allScored() bool {
	for _, err := range c.errs {
		if err != nil {
			return false
		}
	}
	return true
}
