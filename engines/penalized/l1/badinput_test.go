package l1_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/dual"
	"tenfold/engines/penalized/owlqn"
	"tenfold/engines/prepare"
	"tenfold/engines/ridge/logistic"
)

// badInput is a case of that kind about a log-linear model: dense rows, in which null stands for what is no finite number.
type badInput struct {
	input struct {
		X      []oracle.Numbers `json:"X"`
		Y      oracle.Numbers   `json:"y"`
		Labels int              `json:"n_labels"`
	}
	options struct {
		Target string
		C1, C2 float64
		C      float64 // of the dual
		Free   []int   `json:"unpenalized"`
	}
	expect struct{ Error string }
}

// says is a part of what the refusal of each class of bad input says, whichever layer finds it.
var says = map[string][]string{
	"non_finite":         {"missing", "expected a finite number", "not finite"},
	"shape_mismatch":     {"labels for", "values for", "columns, the first has"},
	"empty_input":        {"no rows", "no row to learn", "no column to learn"},
	"label_out_of_range": {"outside 0.."},
	"bad_parameter":      {"c1: ", "c2: ", "bias: "},
}

func TestOracleBadInput(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"bad_input": func(t *testing.T, raw oracle.Case) {
		var c badInput
		raw.Decode(t, raw.Options, &c.options)
		if c.options.Target != "loglin" && c.options.Target != "dll" {
			t.Skipf("a case about %s", c.options.Target)
		}
		raw.Decode(t, raw.Input, &c.input)
		raw.Decode(t, raw.Expected, &c.expect)
		err := c.run(t)
		if err == nil {
			t.Fatalf("not refused, expected: %s", c.expect.Error)
		}
		if !slices.ContainsFunc(says[c.expect.Error], func(part string) bool { return strings.Contains(err.Error(), part) }) {
			t.Errorf("refused with %q, expected it to speak of %s", err, c.expect.Error)
		}
	}})
}

// run takes a case the way that an experiment takes: parameters, rows, the data set, its preparation, the fit.
func (c *badInput) run(t *testing.T) error {
	t.Helper()
	engine := c.engine()
	if err := engine.Validate(); err != nil {
		return err
	}
	x, err := matrix(c.input.X)
	if err != nil {
		return err
	}
	set := enginetest.Dataset(x, enginetest.Class("y", c.input.Labels, c.input.Y...))
	if err := errors.Join(set.Check(), prepare.Recipe{}.Check(set)); err != nil {
		return err
	}
	_, err = engine.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
	return err
}

// engine of the case's target, dll or log-linear models in general.
func (c *badInput) engine() engines.Engine {
	if c.options.Target == "dll" {
		e := dual.Kind.Defaults().(dual.Dual)
		if e.C1, e.Bias = c.options.C+c.options.C1, string(logits.NoBias); len(c.options.Free) > 0 {
			e.Bias = string(logits.FreeBias)
		}
		return e
	}
	e := owlqn.OWLQNKind.Defaults().(owlqn.OWLQN)
	e.C1, e.C2, e.Bias = c.options.C1, c.options.C2, string(logits.NoBias)
	if e.C1 == 0 {
		return logistic.Logistic{C2: e.C2, Bias: e.Bias, Stopping: e.Stopping}
	}
	return e
}

// matrix of dense rows, as a reader makes one.
func matrix(rows []oracle.Numbers) (*sparse.Matrix, error) {
	var b sparse.Builder
	width := 0
	for i, row := range rows {
		if i == 0 {
			width = len(row)
		}
		if len(row) != width {
			return nil, fmt.Errorf("row %d has %d columns, the first has %d", i, len(row), width)
		}
		idx := make([]int32, len(row))
		for j := range idx {
			idx[j] = int32(j)
		}
		if err := b.Add(idx, row); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return b.Matrix(width), nil
}

// What every layer refuses, and that it says where.
func TestBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	rows := func(x ...oracle.Numbers) []oracle.Numbers { return x }
	y := oracle.Numbers{0, 1}
	good := rows(oracle.Numbers{1, 2}, oracle.Numbers{0, 1})
	for _, c := range []struct {
		name   string
		x      []oracle.Numbers
		y      oracle.Numbers
		labels int
		c1, c2 float64
		want   string
	}{
		{"no penalty", good, y, 2, 0, 0, "c2: 0: without a penalty"},
		{"negative c1", good, y, 2, -1, 0, "c1: -1"},
		{"c1 is no number", good, y, 2, nan, 0, "c1: NaN"},
		{"negative c2", good, y, 2, 1, -2, "c2: -2"},
		{"infinite c2", good, y, 2, 0, inf, "c2: +Inf"},
		{"label too high", good, oracle.Numbers{0, 2}, 2, 1, 0, "row 1: label 2 outside 0..1"},
		{"label below 0", good, oracle.Numbers{-1, 1}, 2, 1, 0, "row 0: label -1 outside 0..1"},
		{"label between", good, oracle.Numbers{0, 0.5}, 2, 1, 0, "row 1: label 0.5 outside 0..1"},
		{"label missing", good, oracle.Numbers{0, nan}, 2, 1, 0, "row 1: value NaN, expected a finite number"},
		{"too few labels", good, oracle.Numbers{0}, 2, 1, 0, "1 values for 2 rows"},
		{"too many labels", good, oracle.Numbers{0, 1, 1}, 2, 1, 0, "3 values for 2 rows"},
		{"value missing", rows(oracle.Numbers{1, 2}, oracle.Numbers{0, nan}), y, 2, 1, 0, "row 1 (from 0), column x1: the value is missing"},
		{"infinite value", rows(oracle.Numbers{1, inf}, oracle.Numbers{0, 1}), y, 2, 1, 0, "row 0: column 1"},
		{"ragged rows", rows(oracle.Numbers{1, 2}, oracle.Numbers{1}), y, 2, 1, 0, "row 1 has 1 columns, the first has 2"},
		{"no rows", nil, nil, 2, 1, 0, "no rows"},
		{"no columns", rows(oracle.Numbers{}, oracle.Numbers{}), y, 2, 1, 0, "no column to learn from"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b badInput
			b.input.X, b.input.Y, b.input.Labels = c.x, c.y, c.labels
			b.options.C1, b.options.C2 = c.c1, c.c2
			if err := b.run(t); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, expected %q", err, c.want)
			}
		})
	}
}

// The dual has no way to leave a column unpenalised, and no start without a penalty.
func TestBadInputDual(t *testing.T) {
	for want, change := range map[string]func(c *badInput){
		"c1: -1":                      func(c *badInput) { c.options.C = -1 },
		"bias: free":                  func(c *badInput) { c.options.Free = []int{0} },
		"row 1: label 2 outside 0..1": func(c *badInput) { c.input.Y[1] = 2 },
	} {
		var c badInput
		c.options.Target, c.options.C = "dll", 1
		c.input.X, c.input.Y, c.input.Labels = []oracle.Numbers{{1, 2}, {0, 1}}, oracle.Numbers{0, 1}, 2
		change(&c)
		if err := c.run(t); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// What looks odd and is legal: a single label, a class without rows, columns of zeros, penalties that select nothing.
func TestLegalInput(t *testing.T) {
	for name, c := range map[string]struct {
		y      []float64
		levels int
		c1     float64
	}{
		"one label":        {[]float64{1, 1, 1}, 2, 0.1},
		"one of three":     {[]float64{2, 2, 2}, 3, 0.1},
		"an unseen class":  {[]float64{0, 1, 0}, 3, 0.1},
		"nothing selected": {[]float64{0, 1, 0}, 2, 1e6},
		"one level":        {[]float64{0, 0, 0}, 1, 0.1},
	} {
		x := enginetest.Matrix([]float64{1, 2, 0}, []float64{0, 1, 0}, []float64{1, 1, 0})
		view := enginetest.View(enginetest.Dataset(x, enginetest.Class("y", c.levels, c.y...)), nil)
		for _, bias := range []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias} {
			e := owlqn.OWLQNKind.Defaults().(owlqn.OWLQN)
			e.C1, e.Bias = c.c1, string(bias)
			for _, engine := range []engines.Engine{e, logistic.Logistic{C2: c.c1, Bias: e.Bias, Stopping: e.Stopping}} {
				m, err := engine.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
				if err != nil {
					t.Errorf("%s, bias %s: %v", name, bias, err)
					continue
				}
				if f := m.(engines.Reporter).Fitted(); f.Stop != "gap" {
					t.Errorf("%s, bias %s, %T: stop %q, %+v", name, bias, engine, f.Stop, f)
				}
				for _, w := range m.Coefs() {
					if w.Feature == 2 {
						t.Errorf("%s, bias %s: the column of zeros has the weight %v", name, bias, w.Value)
					}
				}
			}
		}
	}
}
