package maxent

import (
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/loglinear"
)

// reporter gathers what a fit tells.
type reporter struct {
	run    engines.Run
	p      *loglinear.Problem
	fitted engines.Fitted
}

func (r *reporter) addFact(name, format string, args ...any) {
	r.fitted.Facts = append(r.fitted.Facts, data.Fact{Name: name, Value: fmt.Sprintf(format, args...)})
}

// addSelection adds the facts of a finished selection.
func (r *reporter) addSelection(s *selection, evaluated int64) {
	r.fitted.Stop, r.fitted.Iterations, r.fitted.Evaluated, r.fitted.Best = s.stop, len(s.picks), evaluated, len(s.picks)
	r.addFact("features selected", "%d of %d candidates", len(s.picks), len(s.cands))
	if n := float64(len(s.picks)); n > 0 {
		cover := 0.0
		for _, pick := range s.picks {
			cover += s.cands[pick.k].Holds
		}
		r.addFact("gains computed per stage", "%.4g", float64(evaluated)/n)
		r.addFact("training rows that a selected feature's column covers, on average", "%.6g", cover/n)
		r.addFact("gain of the first and the last feature", "%.6g, %.6g", s.picks[0].gain, s.picks[len(s.picks)-1].gain)
	}
	r.addFact("log-likelihood without features", "%.8g", s.p.Uniform())
	r.addFact("log-likelihood after selection", "%.8g", s.state.LogLik())
	if s.refits > 0 {
		r.addFact("estimations during selection", "%d", s.refits)
	}
}

// addEstimation adds the facts of an estimation.
func (r *reporter) addEstimation(e loglinear.Estimate) {
	r.addFact("log-likelihood after estimation", "%.8g", e.LogLik)
	r.addFact("estimation", "%d iterations, %d evaluations, largest gradient %.3g (%s)", e.Iterations, e.Evaluations, e.Gradient, e.Stop)
	if how := e.Unfinished(); how != "" {
		r.fitted.Notes = append(r.fitted.Notes, "the estimation "+how)
	}
}

// newModel returns the model of the weights; those of feature -1 are biases.
func (r *reporter) newModel(coefs []engines.Coef) engines.Model {
	bias := make([]float64, r.p.Classes)
	var weights []engines.Coef
	for _, c := range coefs {
		if c.Feature == loglinear.Always {
			bias[c.Output] = c.Value
		} else {
			weights = append(weights, c)
		}
	}
	if n := len(coefs) - len(weights); n > 0 {
		r.addFact("biases among the features", "%d of %d classes", n, r.p.Classes)
	}
	r.addContexts()
	r.fitted.Notes = append(r.fitted.Notes, r.p.Unseen(r.run.Train.TargetInfo(0).Levels)...)
	return softmax.NewModel(r.run.Train.Columns(), bias, weights, r.fitted)
}

// addContexts adds the numbers of rows and columns without information.
func (r *reporter) addContexts() {
	_, cols := r.p.X.Dims()
	never, always := 0, 0
	for j := range cols {
		switch r.p.X.Col(j).Len() {
		case 0:
			never++
		case r.p.Rows():
			always++
		}
	}
	r.addFact("distinct rows", "%d of %.10g", r.p.Rows(), r.p.Weight)
	if never > 0 {
		r.fitted.Notes = append(r.fitted.Notes, fmt.Sprintf("%d of %d columns hold in no training row: they have no feature", never, cols))
	}
	if always > 0 {
		r.fitted.Notes = append(r.fitted.Notes, fmt.Sprintf("%d of %d columns hold in every training row: they act as biases", always, cols))
	}
}
