package all

import (
	"maps"

	"tenfold/engines/ability"
)

// Gives returns what engines with their defaults give and cost, by name; TestGives holds it to fits.
func Gives() map[string]ability.Gives {
	all := map[string]ability.Gives{}
	for _, group := range []struct {
		ability.Gives
		cost map[string]string
	}{
		{ability.Gives{Probabilities: true, Columns: ability.Coefficients}, map[string]string{
			"l1": "entries · steps", "owl-qn": "entries · steps", "l1-dual": "entries · levels · passes", "logistic": "entries · steps",
			"lasso": "entries · passes", "elastic-net": "entries · passes", "adaptive-lasso": "entries · passes", "relaxed-lasso": "entries · passes",
			"mcp": "entries · passes", "scad": "entries · passes", "slope": "entries · steps",
			"group-lasso": "entries · rounds", "multitask-lasso": "entries · responses · rounds", "ando-zhang": "entries · responses · rounds",
			"mdl": "entries · selected", "naive-bayes": "entries", "bayes-factor": "entries · levels · rounds",
			"ifs": "entries · levels · selected", "sgc": "entries · levels", "count": "entries · levels · steps", "maxent": "entries · levels · steps",
			"chi2": "entries", "mutual-information": "entries", "anova": "entries", "fdr": "entries", "simes": "entries", "filter": "entries · log rows",
			"mim": "entries", "variance": "entries", "mrmr": "entries · selected", "jmi": "entries · selected", "jmim": "entries · selected",
			"njmim": "entries · selected", "disr": "entries · selected", "cmim": "entries · selected", "jim": "entries · selected",
			"cfs": "entries · columns expanded", "fcbf": "entries · selected", "relieff": "cells · rows", "oracle": "entries · steps",
		}},
		{ability.Gives{Columns: ability.Coefficients}, map[string]string{
			"ols": "entries · steps", "ridge": "entries · steps", "cox": "entries · steps", "cox-filter": "entries · steps",
			"car": "cells · steps", "cars": "cells · steps", "lars": "entries · steps", "l0": "entries · passes · sizes",
			"forward-stepwise": "entries · selected", "linear-svm": "entries · passes",
		}},
		{ability.Gives{Probabilities: true, Columns: ability.Coefficients, Draws: true}, map[string]string{
			"stagewise": "entries + columns · steps", "random": "entries · steps",
		}},
		{ability.Gives{Probabilities: true, Columns: ability.Importances, Draws: true}, map[string]string{
			"forest": "trees · √columns · rows · log rows", "boruta": "runs of forests on twice the columns", "boosted-trees": "trees · depth · entries",
		}},
		{ability.Gives{Probabilities: true, Columns: ability.Names}, map[string]string{"mkl": "rows² · classes of columns · steps"}},
		{ability.Gives{Columns: ability.Names}, map[string]string{"svm": "rows² · entries of a row"}},
		{ability.Gives{Probabilities: true, Columns: ability.Nothing}, map[string]string{"majority": "rows"}},
		{ability.Gives{Columns: ability.Nothing}, map[string]string{"mean": "rows"}},
	} {
		for name, cost := range maps.All(group.cost) {
			gives := group.Gives
			gives.Cost = cost
			all[name] = gives
		}
	}
	return all
}
