package all

import (
	"errors"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/entropy/naivebayes"
	"tenfold/engines/filters/redundancy"
	"tenfold/engines/param"
	"tenfold/engines/penalized/dual"
	"tenfold/engines/steps/stagewise"
	"tenfold/engines/trees/boosting"
)

// TestIdleParameters: values that have no effect beside the others are refused, each by its name and as such.
func TestIdleParameters(t *testing.T) {
	path, pairs := stagewise.Kind.Defaults().(stagewise.Stagewise), dual.Kind.Defaults().(dual.Dual)
	trees, filter, counts := boosting.Kind.Defaults().(boosting.Boosted), redundancy.MRMRKind.Defaults().(redundancy.MRMR), naivebayes.Kind.Defaults().(naivebayes.NaiveBayes)
	dal := pairs
	dal.Finish = "dal"
	for fields, e := range map[string]engines.Engine{
		"sample":   func(e stagewise.Stagewise) engines.Engine { e.Sample = 7; return e }(path),
		"loop_run": func(e stagewise.Stagewise) engines.Engine { e.LoopRun = 3; return e }(path),
		"loop":     func(e stagewise.Stagewise) engines.Engine { e.Step, e.Loop = "rms", false; return e }(path),
		"test_every validation": func(e stagewise.Stagewise) engines.Engine {
			e.Choose, e.TestEvery, e.Validation = "last", 3, 0.2
			return e
		}(path),
		"eta":                     func(e dual.Dual) engines.Engine { e.Eta = 2; return e }(pairs),
		"order damping threshold": func(e dual.Dual) engines.Engine { e.Order, e.Damping, e.Threshold = "shuffled", 0.5, 0.8; return e }(dal),
		"max_passes pass_tol":     func(e dual.Dual) engines.Engine { e.MaxPasses, e.PassTol = 7, 0.1; return e }(dal),
		"validation":              func(e boosting.Boosted) engines.Engine { e.Validation = 0.2; return e }(trees),
		"bins":                    func(e redundancy.MRMR) engines.Engine { e.Measure, e.Bins = "correlation", 5; return e }(filter),
		"prior":                   func(e naivebayes.NaiveBayes) engines.Engine { e.Event, e.Prior = "complement", "uniform"; return e }(counts),
	} {
		err := e.Validate()
		var field *param.FieldError
		if got := enginetest.Fields(err); got != fields || !errors.As(err, &field) || !field.Idle {
			t.Errorf("%s: %v", fields, err)
		}
	}
}
