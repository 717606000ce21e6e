package data_test

import (
	"fmt"
	"math"
	"testing"

	"tenfold/engines/data/pairs"
	"tenfold/engines/enginetest/oracle"
)

func TestOracleMI(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"mi": checkMI})
}

func checkMI(t *testing.T, c oracle.Case) {
	var in struct {
		Instances [][]*string
		Train     []int32
	}
	options := struct {
		Kappa     float64
		TrainOnly bool `json:"train_only"`
	}{Kappa: 1}
	var want struct{ MI []float64 }
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Options, &options)
	c.Decode(t, c.Expect, &want)

	pairs := &pairs.Pairs{Kappa: options.Kappa}
	left, right := numbering{}, numbering{}
	for _, of := range in.Instances {
		pairs.Left = append(pairs.Left, left.number(of, 0, 1, 2, 3, 8))
		pairs.Right = append(pairs.Right, right.number(of, 4, 5, 6, 7, 9))
	}
	var counted []int32
	if options.TrainOnly {
		counted = in.Train
	}
	got := pairs.Information(counted)
	if c.WantError(t) != "" {
		for _, v := range got {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return
			}
		}
		t.Fatal("every value is finite")
	}
	oracle.NearAll(t, "mi", got, want.MI, c.Tol(t))
}

// numbering gives equal sides equal numbers.
type numbering map[string]int32

func (n numbering) number(values []*string, at ...int) int32 {
	key := ""
	for _, p := range at {
		if values[p] == nil {
			key += "leaf;"
		} else {
			key += fmt.Sprintf("%q;", *values[p])
		}
	}
	if _, ok := n[key]; !ok {
		n[key] = int32(len(n))
	}
	return n[key]
}
