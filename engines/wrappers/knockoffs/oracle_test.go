package knockoffs

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/steps/lars"
)

func TestOracle(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"knock_statistic": checkStatistic, "knock_filter": checkFilter, "knock_evalues": checkEvalues})
}

// around an engine, with the defaults of the options.
func around(base engines.Engine) Engine { return Engine{base, Wrapper.Kind.Defaults().(Options)} }

func checkStatistic(t *testing.T, c oracle.Case) {
	var in struct {
		X, Knockoffs [][]float64
		Y            []float64
		Swap         []int
	}
	var options struct {
		Statistic string
		Lambda    float64
	}
	var want struct{ W []float64 }
	c.Parts(t, &in, &options, &want)
	base := lasso.LassoKind.Defaults().(lasso.Lasso)
	base.Lambda, base.Ratio, base.Standardize, base.Tol = options.Lambda, 0, false, 1e-14
	e := around(base)
	if options.Statistic == byEntry {
		path := lars.Kind.Defaults().(lars.LARS)
		path.Scale = "none"
		e = around(path)
		e.Statistic = byEntry
	}
	swapped := make([]bool, len(in.Swap))
	for k, s := range in.Swap {
		swapped[k] = s == 1
	}
	standardise(in.X)
	standardise(in.Knockoffs)
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Real("y", in.Y...)), nil)
	own := v.Features()
	d := &comparison{engine: e}
	for k := range in.Swap {
		d.paired = append(d.paired, k)
	}
	on := engines.Run{Train: v.Replaced(d.beside(in.X, in.Knockoffs, swapped), own.WithProbes(data.Numbers(own.Len()))), Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
	w, err := d.contrast(t.Context(), on, swapped)
	if err != nil {
		t.Fatal(err)
	}
	oracle.NearAll(t, "W", w, want.W, 1e-7)
}

func checkFilter(t *testing.T, c oracle.Case) {
	var in struct{ W []float64 }
	var options struct {
		FDR    float64
		Offset int
	}
	var want struct {
		Threshold *float64
		Selected  []int
	}
	c.Parts(t, &in, &options, &want)
	got, selected := filter(in.W, options.FDR, options.Offset)
	if want.Threshold == nil {
		inf := math.Inf(1)
		want.Threshold = &inf
	}
	if got != *want.Threshold || !equal(selected, want.Selected) {
		t.Errorf("threshold %v and %v, expected %v and %v", got, selected, *want.Threshold, want.Selected)
	}
}

func checkEvalues(t *testing.T, c oracle.Case) {
	var in struct{ W [][]float64 }
	var options struct {
		FDR     float64
		FDRDraw float64 `json:"fdr_draw"`
	}
	var want struct {
		E        []float64
		Selected []int
	}
	c.Parts(t, &in, &options, &want)
	e, selected := derandomised(in.W, options.FDR, options.FDRDraw)
	oracle.NearAll(t, "e-values", e, want.E, 1e-9)
	if !equal(selected, want.Selected) {
		t.Errorf("selected %v, expected %v", selected, want.Selected)
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}
