package results_test

import (
	"fmt"
	"testing"

	"tenfold/engines/enginetest/oracle"
	"tenfold/io/results"
)

// TestOracleUnits: folds are compared by units, as many as there are; and, where nothing says so, by columns.
func TestOracleUnits(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"unit_counts": checkUnits})
}

func checkUnits(t *testing.T, c oracle.Case) {
	var in struct {
		Unit []int
		Sets [][]int
	}
	var want struct {
		Stability *float64
		Columns   *float64 `json:"stability_columns"`
	}
	c.Parts(t, &in, &struct{}{}, &want)
	units := 0
	for _, u := range in.Unit {
		units = max(units, u+1)
	}
	measure := func(counted bool) (float64, error) {
		var sets results.Sets
		for _, set := range in.Sets {
			o := results.Outcome{Columns: int64(len(in.Unit))}
			var selected []results.Selected
			seen := map[int]bool{}
			for _, j := range set {
				s := results.Selected{Feature: fmt.Sprint("x", j)}
				if seen[in.Unit[j]] = true; counted {
					s.Unit = fmt.Sprint("u", in.Unit[j])
				}
				selected = append(selected, s)
			}
			if o.Features = int32(len(set)); counted {
				o.Features = int32(len(seen))
				o.Scores = []results.Score{{Metric: results.UnitsMetric, Point: -1, Value: float64(units)}}
			}
			sets.Add(&o, selected)
		}
		s, err := sets.Stability()
		return s.Mean, err
	}
	for _, m := range []struct {
		counted bool
		want    *float64
	}{{true, want.Stability}, {false, want.Columns}} {
		got, err := measure(m.counted)
		if (err != nil) != (m.want == nil) {
			t.Errorf("units %v: %v", m.counted, err)
		} else if err == nil {
			oracle.Near(t, fmt.Sprintf("stability, units %v", m.counted), got, *m.want, 1e-9)
		}
	}
}
