package source

import (
	"fmt"
	"strings"

	"tenfold/engines/data"
)

// LabelFacts counts the labels of so many rows, if the targets are several labels with two levels each; nil if not.
func LabelFacts(targets []data.Target, rows int) []data.Fact {
	total, least, most := 0, rows, 0
	var rare []string
	for _, t := range targets {
		if t.Type != data.Class || len(t.Levels) != 2 || t.Numbers != nil || len(targets) < 2 {
			return nil
		}
		n := 0
		for _, v := range t.Values {
			if int(v) == t.Positive {
				n++
			}
		}
		total, least, most = total+n, min(least, n), max(most, n)
		if n < 2 {
			rare = append(rare, t.Name)
		}
	}
	facts := []data.Fact{
		{Name: "labels", Value: fmt.Sprint(len(targets))},
		{Name: "labels of a row, on average", Value: fmt.Sprintf("%.4g", float64(total)/float64(rows))},
		{Name: "rows with a label, least and most", Value: fmt.Sprintf("%d, %d", least, most)},
	}
	if len(rare) > 0 {
		facts = append(facts, data.Fact{Name: "labels of one row or none", Value: strings.Join(rare, ", ")})
	}
	return facts
}
