package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/sanitize"
)

// Name returns one line for people: data set, algorithm, stage, grid point, repeat and fold.
func (l *Label) Name() string { return sanitize.Line(l.describe()) }

// ImportEngine is the engine's name in rows whose predictions were made elsewhere.
const ImportEngine = "import"

// Imported reports whether the predictions were made elsewhere: the work that they took is then unknown.
func (l *Label) Imported() bool { return l.Engine == ImportEngine }

func (l *Label) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s × %s", l.Dataset, l.Algorithm)
	for _, p := range l.Grid {
		fmt.Fprintf(&b, " %s=%v", p.Name, p.Value)
	}
	if l.Stage != "" {
		return b.String() + ": " + l.Stage
	}
	if l.Repeat > 0 {
		fmt.Fprintf(&b, " repeat %d", l.Repeat)
	}
	fmt.Fprintf(&b, " fold %d", l.Fold)
	return b.String()
}

// Labels returns the names of a data set and an algorithm, each followed by its own parameters of a point in the grid: "pairs
// cutoff=5", "stagewise epsilon=0.01". write formats a parameter's value. Parameters are sorted by name: labels are keys of
// metrics.json and of baselines, and must depend neither on the order of keys in an experiment file nor on that of the columns in a
// result file, which other algorithms influence.
func Labels(dataset, algorithm string, grid []Param, write func(any) string) (ofDataset, ofAlgorithm string) {
	byName := func(a, b Param) int { return strings.Compare(a.Name, b.Name) }
	for _, p := range slices.SortedStableFunc(slices.Values(grid), byName) {
		if name, ok := strings.CutPrefix(p.Name, dataPrefix); ok {
			dataset += " " + name + "=" + write(p.Value)
		} else {
			algorithm += " " + p.Name + "=" + write(p.Value)
		}
	}
	return dataset, algorithm
}

// Brief formats a parameter's value for people: numbers with at most six digits.
func Brief(v any) string {
	if x, ok := v.(float64); ok {
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	return fmt.Sprint(v)
}

// checkLabels returns an error if two cells have the same label, because reports would join them. No file written by this program
// has such rows.
func checkLabels(rows []Row) error {
	keys := map[[2]string]string{}
	var last *Label
	for i := range rows {
		l := &rows[i].Label
		if l.Dataset+l.Algorithm == "" || last != nil && l.Cell == last.Cell && l.Dataset == last.Dataset && l.Algorithm == last.Algorithm {
			continue
		}
		last = l
		dataset, algorithm := Labels(l.Dataset, l.Algorithm, l.Grid, Exact)
		label := [2]string{dataset, algorithm}
		if was, known := keys[label]; known && was != l.Cell {
			return fmt.Errorf("two cells, %.12s and %.12s, are both called %q on %q", was, l.Cell, sanitize.Line(algorithm), sanitize.Line(dataset))
		}
		keys[label] = l.Cell
	}
	return nil
}

// PointDim is the dimension of cells along a path: the size of the model, which is the Point of its scores.
const PointDim = "point"

// TaskDim is the dimension of the tasks of a family.
const TaskDim = "task"

// Exact formats a parameter's value so that a number can be read back exactly.
func Exact(v any) string {
	if x, ok := v.(float64); ok {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// OfData reports whether a grid parameter belongs to the data set.
func OfData(name string) bool { return strings.HasPrefix(name, dataPrefix) }
