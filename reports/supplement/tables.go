package supplement

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/selection"
)

// results has a row for each cell and metric; state is that of results.State, or how the folds failed.
func (s *supplement) results() ([][]string, error) {
	rows := [][]string{{"dataset", "algorithm", "metric", "state", "mean", "se", "low", "high", "folds_with_value", "folds", "optimistic", "cell"}}
	for _, c := range s.cells {
		add := func(metric, state string, stat results.Stat) {
			rows = append(rows, append(labels(c), metric, state, digits.Exact(stat.Mean), digits.Exact(stat.SE), digits.Exact(stat.Low), digits.Exact(stat.High),
				fmt.Sprint(stat.N), fmt.Sprint(c.Folds), yesNo(c.Optimistic()), c.Key))
		}
		if trouble := c.Trouble(); trouble != "" {
			add("", trouble, results.Summarise(nil))
			continue
		}
		var names []string
		for _, r := range c.Rows {
			for _, score := range r.Scores {
				if !slices.Contains(names, score.Metric) {
					names = append(names, score.Metric)
				}
			}
		}
		for _, name := range append(names, results.StabilityMetric) {
			if stat := cells.Measure(s.Source, []*cells.Cell{c}, name); stat.N > 0 {
				add(name, string(stat.State()), stat)
			}
		}
	}
	return rows, s.Source.(*cells.Cached).Err()
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// features has a row for each feature that some fold of a cell selects, for each output. Cells that use all columns have none, nor
// have those whose selections were not kept.
func (s *supplement) features() ([][]string, error) {
	rows := [][]string{{"dataset", "algorithm", "output", "feature", "class", "folds_selecting", "folds", "frequency", "mean_rank", "mean_coefficient",
		"sd_coefficient", "sign", "stability", "stability_low", "stability_high", "cell"}}
	for _, c := range s.cells {
		if c.Dense() {
			continue
		}
		f, err := selection.FrequencyOf(s.Source, c)
		if err != nil {
			if cells.WhyNot(err) == cells.ErrNotKept.Error() {
				continue
			}
			return nil, err
		}
		stable := cells.Measure(s.Source, []*cells.Cell{c}, results.StabilityMetric)
		for _, x := range f.Features {
			rows = append(rows, append(labels(c), x.Output, x.Name, x.Class, fmt.Sprint(x.Folds), fmt.Sprint(f.Folds),
				digits.Exact(float64(x.Folds)/float64(f.Folds)), digits.Exact(x.Rank), digits.Exact(x.Coefficient.Mean), digits.Exact(x.Coefficient.SD), sign(x),
				digits.Exact(stable.Mean), digits.Exact(stable.Low), digits.Exact(stable.High), c.Key))
		}
	}
	return rows, nil
}

// sign returns the sign of a feature's coefficients: "positive", "negative", "±" if folds differ, "" if all are 0.
func sign(f selection.Feature) string {
	switch mean := f.Coefficient.Mean; {
	case f.Flips:
		return "±"
	case mean > 0:
		return "positive"
	case mean < 0:
		return "negative"
	}
	return ""
}

// folds has a row for each fold of each data set.
func (s *supplement) folds() ([][]string, error) {
	rows := [][]string{{"dataset", "repeat", "fold", "training_rows", "test_rows", "fold_digest"}}
	for _, set := range s.Sets {
		for _, f := range set.Folds {
			rows = append(rows, []string{set.Name, fmt.Sprint(f.Repeat), fmt.Sprint(f.Fold), fmt.Sprint(f.Train), fmt.Sprint(f.Test), f.Digest})
		}
	}
	return rows, nil
}

// points returns a cell for each algorithm at each point of its grid, in the order of the file.
func (s *supplement) points() []*cells.Cell {
	var out []*cells.Cell
	seen := map[string]bool{}
	for _, c := range s.cells {
		if name := c.NamedLabel(); !seen[name] {
			seen[name] = true
			out = append(out, c)
		}
	}
	return out
}

// parameters has a row for each parameter of each algorithm.
func (s *supplement) parameters() ([][]string, error) {
	rows := [][]string{{"algorithm", "engine", "parameter", "value"}}
	for _, c := range s.points() {
		all, err := flatParameters(c.Params)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			rows = append(rows, []string{c.NamedLabel(), c.Engine, name, all[name]})
		}
	}
	return rows, nil
}

// flatParameters returns the parameters of JSON by their dotted paths.
func flatParameters(text string) (map[string]string, error) {
	var tree map[string]any
	if text == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		return nil, err
	}
	out := map[string]string{}
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, below := range v {
				walk(strings.TrimPrefix(prefix+"."+key, "."), below)
			}
		case string:
			out[prefix] = v
		case float64:
			out[prefix] = digits.Exact(v)
		case nil:
		default:
			text, _ := json.Marshal(v) // lists and booleans of JSON are JSON
			out[prefix] = string(text)
		}
	}
	walk("", tree)
	return out, nil
}

// Names of facts of a fit that tuned: what it chose, and the metric by which.
const (
	tunedFact   = "tuned"
	innerPrefix = "inner "
)

// chosen has a row for each parameter that tuning chose on a fold.
func (s *supplement) chosen() ([][]string, error) {
	rows := [][]string{{"dataset", "algorithm", "repeat", "fold", "parameter", "value"}}
	for _, c := range s.cells {
		for _, r := range c.Finished() {
			facts, err := s.Source.Facts(r)
			if err != nil {
				return nil, err
			}
			for _, f := range facts {
				prefix, tuned := strings.CutSuffix(f.Name, tunedFact)
				if !tuned {
					continue
				}
				for one := range strings.SplitSeq(f.Value, ", ") {
					name, value, _ := strings.Cut(one, "=")
					rows = append(rows, append(labels(c), fmt.Sprint(r.Repeat), fmt.Sprint(r.Fold), prefix+name, value))
				}
			}
		}
	}
	return rows, nil
}

// versions has a row for what computed the results, engine by engine, and for each data set.
func (s *supplement) versions() ([][]string, error) {
	rows := [][]string{{"what", "name", "version"}}
	add := func(what, name, version string) {
		if row := []string{what, name, version}; version != "" && !slices.ContainsFunc(rows, func(r []string) bool { return slices.Equal(r, row) }) {
			rows = append(rows, row)
		}
	}
	add("results", s.Name, s.Digest)
	for i := range s.Rows {
		r := &s.Rows[i]
		add("program", "tenfold", cmp.Or(r.Version, "unknown"))
		add("commit", "of the experiment file", results.CommitText(r.Commit, r.Dirty))
		_, platform, _ := strings.Cut(r.Machine, " ")
		add("platform", "tenfold", platform)
	}
	for i := range s.Rows {
		add("engine", s.Rows[i].Engine, fmt.Sprintf("revision %d", s.Rows[i].Revision))
	}
	for _, m := range s.Methods {
		for _, f := range m.Facts {
			add("method", m.Name+", "+f.Name, f.Value)
		}
	}
	for _, set := range s.Sets {
		add("data", set.Name, "sha256:"+set.Digest)
	}
	return rows, nil
}
