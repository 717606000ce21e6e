package lasso

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
)

// says is a part of what the refusal of each class of bad input says, whichever layer finds it.
var says = map[string][]string{
	"non_finite":        {"missing", "expected a finite number", "not finite"},
	"shape_mismatch":    {"values for", "columns, the first has"},
	"empty_input":       {"no rows"},
	"bad_parameter":     {"lambda: ", "lambda2: ", "alpha: "},
	"constant_response": {"is constant"},
}

func TestOracleBadInput(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"bad_input": func(t *testing.T, raw oracle.Case) {
		var in struct {
			X []oracle.Numbers
			Y oracle.Numbers
		}
		options := struct {
			Target                  string
			Lambda1, Lambda2, Alpha float64
		}{Alpha: 1}
		var want struct{ Error string }
		raw.Decode(t, raw.Options, &options)
		if options.Target != "lasso" && options.Target != "enet" {
			t.Skipf("a case about %s", options.Target)
		}
		raw.Decode(t, raw.Input, &in)
		raw.Decode(t, raw.Expected, &want)
		err := tried(in.X, in.Y, ElasticNet{Alpha: options.Alpha, Lambda2: options.Lambda2, Strength: Strength{Lambda: options.Lambda1}, Stopping: DefaultStopping})
		if err == nil {
			t.Fatalf("not refused, expected: %s", want.Error)
		}
		if !slices.ContainsFunc(says[want.Error], func(part string) bool { return strings.Contains(err.Error(), part) }) {
			t.Errorf("refused with %q, expected it to speak of %s", err, want.Error)
		}
	}})
}

// tried is how a fit goes the way that an experiment takes: parameters, rows, the data set, its preparation, the fit.
func tried(rows []oracle.Numbers, y []float64, e ElasticNet) error {
	if err := e.Validate(); err != nil {
		return err
	}
	var b sparse.Builder
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return fmt.Errorf("row %d has %d columns, the first has %d", i, len(row), len(rows[0]))
		}
		idx := make([]int32, len(row))
		for j := range idx {
			idx[j] = int32(j)
		}
		if err := b.Add(idx, row); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	set := enginetest.Dataset(b.Matrix(0), enginetest.Real("y", y...))
	if err := errors.Join(set.Check(), prepare.Recipe{}.Check(set)); err != nil {
		return err
	}
	_, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
	return err
}
