package response

import "tenfold/engines"

// Links returns the link functions of the responses: with logistic loss, scores stand for probabilities.
func (r *Responses) Links() engines.Links {
	links := make(engines.Links, len(r.levels))
	for t, levels := range r.levels {
		links[t] = engines.Link{Logistic: r.Loss == Logistic, Class: levels > 0}
	}
	return links
}

// Model returns the model of one linear score a target; coefs have the number of the target as their output. It sets
// fitted.Probabilities.
func (r *Responses) Model(bias []float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model {
	fitted.Probabilities = r.Loss == Logistic
	return engines.NewLinked(engines.NewLinear(r.Train.Columns(), bias, coefs, fitted), r.Links())
}
