package bayes

import (
	"fmt"
	"math"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/softmax"
)

// large is the value of a column from which on a prior on raw weights is hardly one.
const large = 100

// newModel returns the model with the facts of the fit.
func (s *selection) newModel() *softmax.Model {
	f := engines.Fitted{Stop: s.stop, Iterations: s.countPairs(), Best: s.countPairs(), Evaluated: s.evaluated}
	fact := func(name, format string, args ...any) {
		f.Facts = append(f.Facts, data.Fact{Name: name, Value: fmt.Sprintf(format, args...)})
	}
	fact("pairs selected", "%d", s.countPairs())
	fact("rounds", "%d", len(s.rounds))
	fact("β₀ by round", "%s", s.describeRounds(func(r roundStats) string { return fmt.Sprintf("%.6g", r.beta0) }))
	fact("misclassified training rows by round", "%s", s.describeRounds(func(r roundStats) string { return fmt.Sprintf("%.10g", r.wrong) }))
	fact("proposals by round", "%s", s.describeRounds(func(r roundStats) string { return fmt.Sprint(r.proposals) }))
	fact("pairs added by round", "%s", s.describeRounds(func(r roundStats) string { return fmt.Sprint(len(r.added)) }))
	fact("log-likelihood", "%.8g", s.estimate.LogLik)
	fact("misclassified training rows", "%.10g of %.10g", s.wrong, s.p.Weight)
	fact("distinct rows", "%d of %.10g", s.p.Rows(), s.p.Weight)
	if how := s.estimate.Unfinished(); how != "" {
		f.Notes = append(f.Notes, "the last estimation "+how)
	}
	if high := s.largestWeight(); high > large {
		f.Notes = append(f.Notes, fmt.Sprintf("columns have values up to %.6g: the prior is on weights of columns as they are, so scale them", high))
	}
	f.Notes = append(f.Notes, s.p.Unseen(s.run.Train.TargetInfo(0).Levels)...)
	return softmax.NewModel(s.run.Train.Columns(), s.weight[:s.p.Classes], s.coefs(), f)
}

// describeRounds lists one number a round; of many rounds the first and the last.
func (s *selection) describeRounds(tell func(roundStats) string) string {
	const first, last = 20, 3
	var out []string
	for k, r := range s.rounds {
		switch after := len(s.rounds) - k; {
		case k < first || after <= last:
			out = append(out, tell(r))
		case k == first:
			out = append(out, "…")
		}
	}
	return strings.Join(out, ", ")
}

// largestWeight returns the largest absolute value of a column.
func (s *selection) largestWeight() float64 {
	_, _, val := s.p.X.Rows()
	high := 0.0
	for _, x := range val {
		high = max(high, math.Abs(x))
	}
	return high
}
