package figure

import (
	"cmp"
	"strings"

	"tenfold/io/results"
)

// words names dimensions, if there are better words than their names.
var words = map[string]string{
	results.PointDim: "number of features on the path", "data_train_fraction": "share of the training rows", "lambda": "penalty λ", "epsilon": "step size ε",
}

// axisWords returns the name of a metric or a parameter on an axis: the label of the file, else words of its own.
func (in Input) axisWords(name string) string { return cmp.Or(in.Labels[name], in.ownWords(name)) }

func (in Input) ownWords(name string) string {
	parameter := strings.NewReplacer("_", " ", ".", " ").Replace(strings.TrimPrefix(name, "data_"))
	return cmp.Or(in.Source.Metric(name).Axis, words[name], parameter)
}
