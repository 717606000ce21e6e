package results

import (
	"fmt"
	"strconv"
	"strings"
)

// Labels are the names of a data set and an algorithm, each with its own parameters of a point in the grid:
// "pairs cutoff=5", "stagewise epsilon=0.01". write turns a parameter's value into text.
func Labels(dataset, algorithm string, grid []Param, write func(any) string) (ofDataset, ofAlgorithm string) {
	for _, p := range grid {
		if name, ok := strings.CutPrefix(p.Name, dataPrefix); ok {
			dataset += " " + name + "=" + write(p.Value)
		} else {
			algorithm += " " + p.Name + "=" + write(p.Value)
		}
	}
	return dataset, algorithm
}

// Exact writes a parameter's value so that a number can be read back as it was.
func Exact(v any) string {
	if x, ok := v.(float64); ok {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}
