package decide_test

import (
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/decision"
	"tenfold/engines/enginetest"
	"tenfold/engines/kernels/svm"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
	"tenfold/engines/wrappers/decide"
)

// around returns an engine that decides by costs of 5 for each level taken for a lower one, and 1 for each taken for a higher one.
func around(base engines.Engine) engines.Engine {
	return decide.Wrapper.Wrap(base, decide.Options{Metric: "cost"}.WithMatrix(func(levels []string) [][]float64 {
		costs := make([][]float64, len(levels))
		for t := range costs {
			costs[t] = make([]float64, len(levels))
			for p := range costs {
				if p < t {
					costs[t][p] = 5
				} else if p > t {
					costs[t][p] = 1
				}
			}
		}
		return costs
	}))
}

func TestSuite(t *testing.T) {
	t.Parallel()
	enginetest.Suite(t, around(logistic.Kind.Defaults()))
}

// An engine with a path keeps it, and models along it decide by the costs.
func TestPath(t *testing.T) {
	t.Parallel()
	e, ok := around(l1.L1Kind.Defaults()).(engines.Pathed)
	if !ok {
		t.Fatal("it has no path")
	}
	enginetest.Suite(t, e)
}

// Rows go to the level that is dearer to miss, and probabilities stay.
func TestDecisions(t *testing.T) {
	t.Parallel()
	e := around(logistic.Kind.Defaults())
	m, train, err := enginetest.Fitted(e, e.Needs())
	if err != nil {
		t.Fatal(err)
	}
	d := m.(engines.Reporter).Fitted().Decision
	outputs := make([]float64, train.Len()*m.Outputs())
	m.Predict(outputs, train.Inputs())
	moved := 0
	for i := range train.Len() {
		row := outputs[i*m.Outputs() : (i+1)*m.Outputs()]
		plain, now := (*decision.Rule)(nil).Level(row), d.Level(row)
		if now < plain {
			t.Errorf("row %d: %d in place of %d", i, now, plain)
		}
		if now > plain {
			moved++
		}
	}
	if moved == 0 {
		t.Error("costs change no decision")
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	e := around(svm.Kind.Defaults())
	if _, _, err := enginetest.Fitted(e, e.Needs()); err == nil || !strings.Contains(err.Error(), "tune: {threshold: {metric: cost}}") {
		t.Error(err)
	}
	if got := enginetest.Fields(around(leastsquares.OLSKind.Defaults()).Validate()); got != "decide" {
		t.Errorf("complaints about %q", got)
	}
}
