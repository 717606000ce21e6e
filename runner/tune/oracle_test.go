package tune

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/registry"
)

// one-se takes the simplest candidate within a standard error, whatever the order of the list.
func TestOracleOneSE(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"one_se_order": checkOneSE})
}

func checkOneSE(t *testing.T, raw oracle.Case) {
	var in struct {
		Candidates []map[string]any
		Scores     [][]*float64
	}
	var options struct {
		Direction string
		Simpler   [][2]string
	}
	var want struct {
		Best, Chosen int
		SE           *float64
		Error        *string
	}
	raw.Parts(t, &in, &options, &want)
	if want.Error != nil {
		return // of the file: TestOneSENeedsADirection
	}
	for _, backwards := range []bool{false, true} {
		c := &choice{errs: make([]error, len(in.Candidates))}
		number := func(i int) int {
			if backwards {
				return len(in.Candidates) - 1 - i
			}
			return i
		}
		for n := range in.Candidates {
			i := number(n)
			var candidate Candidate
			rest := map[string]any{}
			for name, v := range in.Candidates[i] {
				rest[name] = v
			}
			for _, s := range options.Simpler {
				if v, ok := rest[s[0]].(float64); ok {
					x, _ := registry.Param{Value: v, Simpler: s[1]}.Complexity()
					candidate.Complexity = append(candidate.Complexity, x)
					delete(rest, s[0])
				}
			}
			candidate.Fixed = fmt.Sprint(rest)
			scores := make([]float64, len(in.Scores[i]))
			for f, v := range in.Scores[i] {
				if scores[f] = math.NaN(); v != nil {
					scores[f] = *v
				}
			}
			c.candidates, c.points, c.scores = append(c.candidates, candidate), append(c.points, pathPoint{candidate: n}), append(c.scores, scores)
		}
		higher := options.Direction == "higher"
		best := c.best(higher)
		if got := number(best); got != want.Best {
			t.Errorf("best is %d, expected %d", got, want.Best)
		}
		if _, se := c.mean(best); want.SE != nil {
			oracle.Near(t, "se", se, *want.SE, 1e-9)
		}
		if got := number(c.simplestWithinSE(best, higher)); got != want.Chosen {
			t.Errorf("%d is chosen, expected %d", got, want.Chosen)
		}
	}
}

// A choice by complexity needs a parameter that tells it.
func TestOneSENeedsADirection(t *testing.T) {
	t.Parallel()
	e := Engine{Candidates: ridges(1, 2), Options: Options{InnerFolds: engines.InnerFolds{K: 2, Repeats: 1}, Choose: chooseOneSE, Search: Grid, Factor: defaultFactor, Resource: Rows}}
	for i := range e.Candidates {
		e.Candidates[i].Complexity, e.Candidates[i].Fixed = nil, fmt.Sprint(i)
	}
	if err := e.Validate(); err == nil || !strings.Contains(err.Error(), "one-se") || !strings.Contains(err.Error(), "lambda") {
		t.Errorf("got %v", err)
	}
	for i := range e.Candidates {
		e.Candidates[i].Complexity = []float64{float64(i)}
	}
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
}
