// Package naivebayes is Bayes' rule with columns taken as independent in each class: one pass over the data, and no search.
package naivebayes

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
)

// NaiveBayes is the engine's parameters.
type NaiveBayes struct {
	Event  string  `yaml:"event" doc:"what a row is in its class: multinomial (draws of columns, values are counts), bernoulli (each column is there or not: any value but 0 counts as one), or complement (multinomial counts of all other classes: better where classes differ in size; scores are no probabilities)"`
	Smooth float64 `yaml:"smooth" doc:"added to the count of each column in each class, > 0: 1 is Laplace's rule, less is Lidstone's"`
	Prior  string  `yaml:"prior" doc:"of the classes: empirical (their shares of the training rows) or uniform; complement has none"`
	Norm   bool    `yaml:"norm" doc:"with event complement, divide the weights of a class by the sum of their sizes (weight-normalised)"`
}

// Words of the parameters.
const (
	multinomial = "multinomial"
	bernoulli   = "bernoulli"
	complement  = "complement"

	empirical = "empirical"
	uniform   = "uniform"
)

// Kind is the engine naive-bayes.
var Kind = engines.Define(engines.Kind{
	Name: "naive-bayes",
	Doc:  "naive Bayes on all columns that occur in the training rows: multinomial, Bernoulli, complement; weights are log-odds",
	Cite: "McCallum & Nigam 1998; Rennie, Shih, Teevan & Karger 2003",
	Rev:  2,
}, NaiveBayes{Event: multinomial, Smooth: 1, Prior: empirical})

// Validate checks the parameters.
func (e NaiveBayes) Validate() error {
	return errors.Join(
		param.OneOf("event", e.Event, multinomial, bernoulli, complement),
		param.Require("smooth", e.Smooth > 0 && elementary.IsFinite(e.Smooth), "%v, expected a number above 0; without smoothing a column that a class never had would rule it out", e.Smooth),
		param.OneOf("prior", e.Prior, empirical, uniform),
		param.Idle("prior", e.Prior, empirical, e.Event != complement, "event complement has none"),
		param.Require("norm", !e.Norm || e.Event == complement, "the weights of event %s are logarithms of probabilities as they are; only complement divides them", e.Event),
	)
}

// Needs returns one class target; counts, but where only their presence matters.
func (e NaiveBayes) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Counts: e.Event != bernoulli, Keeps: true}
}

// Footprint returns the memory of a fit: counts and weights of every column in each class, of which there are often few.
func (NaiveBayes) Footprint(s engines.Shape) engines.Footprint {
	const likelyClasses = 4
	return engines.Footprint{Bytes: likelyClasses*80*int64(s.Columns) + 32*int64(s.Rows)}
}

// Fit counts. O(nnz + columns · classes).
func (e NaiveBayes) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	c, err := e.count(ctx, run.Train)
	if err != nil {
		return nil, err
	}
	weights, bias := e.weights(c)
	fitted := engines.Fitted{Stop: "done", Best: -1, Probabilities: e.Event != complement, Evaluated: int64(c.seen())}
	fitted.Facts = []data.Fact{{Name: "columns that occur in the training rows", Value: fmt.Sprintf("%d of %d", c.seen(), len(c.occurs))}}
	fitted.Notes = c.unseen(run.Train.TargetInfo(0).Levels)
	c.toLogOdds(weights)
	linear := softmax.NewDense(bias, weights, fitted)
	return &model{linear, traits{Presence: e.Event == bernoulli, Probabilities: fitted.Probabilities}}, nil
}

// model is a log-linear one, but for its traits.
type model struct {
	*softmax.Model
	traits
}

type traits struct {
	Presence      bool `json:"presence"`      // rows are of ones: of the columns that have a value
	Probabilities bool `json:"probabilities"` // outputs are logarithms of
}

// Fitted tells how the fit went.
func (m *model) Fitted() engines.Fitted {
	f := m.Model.Fitted()
	f.Probabilities = m.traits.Probabilities
	return f
}

// Predict fills dst, row-major, in.Len() × Outputs().
func (m *model) Predict(dst []float64, in data.Inputs) { engines.ScoreRows(dst, in, m) }

// Score fills dst with the outputs for one row.
func (m *model) Score(dst []float64, row sparse.Vec) {
	if m.Presence {
		row = present(row)
	}
	m.Model.Score(dst, row)
}

// present returns ones where a row has values other than 0.
func present(row sparse.Vec) sparse.Vec {
	out := sparse.Vec{Idx: row.Idx}
	for k, v := range row.Val {
		if v != 0 {
			continue
		}
		out.Idx = append([]int32(nil), row.Idx[:k]...) // zeros are stored: rare
		for q := k + 1; q < len(row.Val); q++ {
			if row.Val[q] != 0 {
				out.Idx = append(out.Idx, row.Idx[q])
			}
		}
		break
	}
	return out
}
