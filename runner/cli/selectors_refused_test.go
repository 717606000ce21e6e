package cli_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

// refusals are what is said of bad input of selectors, by its class.
var refusals = map[string][]string{
	"bad_size":              {"size"},
	"bad_folds":             {"k: 1"},
	"metric_not_by_row":     {"pairs"},
	"bad_share":             {"share: 1.2"},
	"bad_cutoff":            {"cutoff: 0"},
	"bad_intensity":         {"shrink: 2, expected a share from 0 to 1, or −1 to estimate it"},
	"bad_cap":               {"cap: 0.5, expected a number of at least 1"},
	"needs_real":            {"needs a real target (numbers)"},
	"not_positive_definite": {"have no inverse; expected more rows than columns, or shrink above 0"},
}

// selecting returns an experiment with a number, 0 or 1 if it is a class, as response of columns of waves.
func selecting(columns int, target, algorithm string) selection {
	x, real, class := waves(24, columns)
	y := real
	if target == "class" {
		y = class
	}
	return selection{table: numbersAsCSV(x, y), target: target, algorithm: algorithm}
}

func (s selection) refusedAs(t *testing.T, class string) {
	t.Helper()
	said := s.refused(t)
	for _, words := range refusals[class] {
		if !strings.Contains(said, words) {
			t.Errorf("%s: got  %s\nwant %s", class, said, words)
		}
	}
}

// TestOracleSelectorsRefused: what reference cases call bad input of searches, importances and pruning is refused in an experiment that asks for
// it. The packages of engines have the others.
func TestOracleSelectorsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range oracle.Extra(t) {
		if c.Kind != "selectors_refused" {
			continue
		}
		t.Run(c.File, func(t *testing.T) {
			t.Parallel()
			var in struct {
				Columns      int
				Folds        []int
				Permutations [][][]int
			}
			var options struct {
				Target, Rule  string
				Size          json.RawMessage
				Sizes         []int
				Share, Cutoff float64
				Metrics       []string
			}
			var want struct{ Error string }
			c.Parts(t, &in, &options, &want)
			switch options.Target {
			case "sequential_fit":
				said := []string{"size: " + strings.Trim(string(options.Size), `"`)}
				if options.Sizes != nil {
					said = append(said, fmt.Sprintf("sizes: [%d, %d]", options.Sizes[0], options.Sizes[1]))
				}
				if in.Folds != nil {
					said = append(said, "k: 1") // all rows are in one fold
				}
				selecting(max(2, in.Columns), "real", "engine: ridge, sequential: {"+strings.Join(said, ", ")+"}").refusedAs(t, want.Error)
			case "permutation_importance":
				if in.Permutations != nil {
					t.Skip("no file can give permutations: they are drawn")
				}
				selecting(3, "class", "engine: logistic, importance: {kind: permutation, pairs: true, metric: roc_auc}").refusedAs(t, want.Error)
			case "near_zero":
				s := selecting(3, "real", "engine: ridge")
				s.prepare = fmt.Sprintf("near_zero: {rule: %s, share: %v}", options.Rule, options.Share)
				s.refusedAs(t, want.Error)
			case "correlated":
				s := selecting(3, "real", "engine: ridge")
				s.prepare = fmt.Sprintf("correlated: {cutoff: %v}", options.Cutoff)
				s.refusedAs(t, want.Error)
			default:
				t.Skipf("tests of the engine have %s", options.Target)
			}
		})
	}
}

// TestCARRefuses: each row of the list of bad input of adjusted correlations is an error that says what is expected.
func TestCARRefuses(t *testing.T) {
	t.Parallel()
	for class, s := range map[string]selection{
		"bad_intensity":         selecting(4, "real", "engine: car, params: {shrink: 2}"),
		"needs_real":            selecting(4, "class", "engine: car"),
		"not_positive_definite": selecting(20, "real", "engine: car, params: {shrink: 0}"),
		"bad_cap":               selecting(4, "real", "engine: cars, params: {cap: 0.5}"),
	} {
		s.refusedAs(t, class)
	}
}
