package supplement

import (
	"fmt"
	"strings"

	"tenfold/engines/prepare"
)

// preparation returns what a recipe does to columns and rows, a clause each, in the order in which it does so. All of it is learned from
// training rows.
func preparation(r prepare.Recipe) (out []string) {
	add := func(yes bool, format string, args ...any) {
		if yes {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(r.Drop != "", "these columns were left out: %s", list(strings.Split(r.Drop, "\n")))
	add(r.Cutoff > 1, "columns that occur in fewer than %d training rows were left out", r.Cutoff)
	if r.Fills() || r.KeepsGaps() {
		add(true, "missing numbers: %s", r.Becomes(false))
		add(r.Levels > 0, "missing words: %s", r.Becomes(true))
	}
	add(r.NearZero.Rule != "", "columns that hardly vary were left out (%s)", r.NearZero)
	add(r.Correlated.Rule != "", "columns that say nearly the same as another were left out (%s)", r.Correlated)
	add(r.Discretize > 0, "numbers were cut into %d intervals of equal frequency", r.Discretize)
	add(r.Scale == "sd", "columns, other than those of texts, were divided by their standard deviation")
	add(r.TFIDF != "", "values of words were multiplied by their inverse document frequency (%s)", r.TFIDF)
	add(r.Topics > 0, "%d columns of topics were added", r.Topics)
	add(r.Clusters > 0, "columns were clustered into %d classes", r.Clusters)
	add(r.Normalize != "", "rows were divided by their length (%s)", r.Normalize)
	add(r.Impute != "", "missing responses were replaced by the %s", r.Impute)
	add(r.Constant == "drop", "responses without variation in the training rows were dropped")
	add(r.Probes.Kind != "", "columns without information were added as probes (%s)", r.Probes)
	add(r.Frequency, "the weight of a row counted as so many equal rows")
	add(r.Treatment.Keep != "", "these columns were in every model: %s", list(strings.Split(r.Treatment.Keep, "\n")))
	add(r.Treatment.Penalty != "", "penalties had factors by column")
	add(r.Treatment.Unit != "", "columns of one variable counted as one feature")
	add(r.Beam > 1, "sequences were decoded with a beam of %d", r.Beam)
	return out
}

// list joins names: "a", "a and b", "a, b and c"; of many the first, and how many more.
func list(names []string) string {
	const most = 12
	if len(names) > most {
		names = append(names[:most:most], fmt.Sprintf("%d more", len(names)-most))
	}
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
