package classweight_test

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/classweight"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"class_weights": func(t *testing.T, c oracle.Case) {
		var in struct {
			Y       []float64
			Weights []float64
			Levels  int
		}
		var options struct {
			Of json.RawMessage `json:"class_weight"`
		}
		var want struct {
			Factor []*float64 `json:"class_factor"`
			Rows   []float64  `json:"row_weights"`
		}
		c.Decode(t, c.Input, &in)
		c.Decode(t, c.Options, &options)
		c.Decode(t, c.Expected, &want)
		by := classweight.Weights{Balanced: string(options.Of) == `"balanced"`}
		if !by.Balanced {
			of := map[string]float64{}
			c.Decode(t, options.Of, &of)
			by.Of = map[string]float64{}
			for level, factor := range of {
				by.Of["l"+level] = factor
			}
		}
		set := enginetest.Dataset(enginetest.Matrix(make([][]float64, len(in.Y))...), enginetest.Class("y", in.Levels, in.Y...))
		set.Weight = in.Weights
		rows := enginetest.View(set, nil)
		_, level, err := rows.LevelsOf(0)
		if err != nil {
			t.Fatal(err)
		}
		got := by.Factors(rows.TargetInfo(0).Levels, sparse.Weights(in.Weights), level)
		for k, f := range want.Factor {
			if f != nil { // no row has the others
				oracle.Near(t, "factor "+strconv.Itoa(k), got[k], *f, 1e-9)
			}
		}
		oracle.NearAll(t, "row weights", rows.Weighted(by).Weights(), want.Rows, 1e-9)
	}})
}

// view returns rows of levels 0, 1 and 2 with weights.
func view() *data.View {
	set := enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}, []float64{3}, []float64{4}, []float64{5}, []float64{6}), enginetest.Class("y", 3, 0, 0, 0, 1, 1, 2))
	set.Weight = []float64{1, 2, 1, 3, 1, 1}
	return enginetest.View(set, nil)
}

// Balanced levels weigh the same, and the weights keep their sum, in a view and in views of some of its rows; the weights of the data stay.
func TestBalanced(t *testing.T) {
	v := view().Weighted(classweight.Weights{Balanced: true})
	for _, rows := range [][]int32{{0, 1, 2, 3, 4, 5}, {0, 3, 4}, {1, 2}, {5, 0, 3}} {
		some := v.Sub(rows)
		_, y := some.Target(0)
		sum, all := map[float64]float64{}, 0.0
		for i, w := range some.Weights() {
			sum[y[i]] += w
			all += w
		}
		if before := some.CaseWeights().Sum(len(rows)); !(math.Abs(all-before) <= 1e-12) {
			t.Errorf("rows %v: the sum of weights is %v, was %v", rows, all, before)
		}
		for level, s := range sum {
			if !(math.Abs(s-all/float64(len(sum))) <= 1e-12) {
				t.Errorf("rows %v: level %v weighs %v of %v", rows, level, s, all)
			}
		}
		if w, n := some.TestWeights(); !(math.Abs(w.Sum(len(rows))-n) <= 1e-12) || n != float64(len(rows)) {
			t.Errorf("rows %v: tests count %v rows", rows, n)
		}
	}
}

// Views made of a view have its class weights; rows of a level that counts nothing are left out.
func TestFactors(t *testing.T) {
	by := classweight.Weights{Of: map[string]float64{"l0": 0, "l1": 2}}
	v := view().Weighted(by)
	if v.Len() != 3 || by.Zeros() != 1 {
		t.Fatalf("%d rows are left", v.Len())
	}
	want := []float64{6, 2, 1}
	for name, made := range map[string]*data.View{"itself": v, "with other columns": v.Narrow([]int32{0}), "of two levels": v.OneVsRest(1), "subsample": v.Subsample([]int32{0, 1, 2}),
		"with factors": v.WithFactors([]float64{1})} {
		oracle.NearAll(t, name, made.Weights(), want, 0)
	}
}

func TestText(t *testing.T) {
	for want, by := range map[string]classweight.Weights{
		"none": {}, "balanced": {Balanced: true}, `{ill: 2, well: 0.5}`: {Of: map[string]float64{"well": 0.5, "ill": 2}}, `{"a, b": 1}`: {Of: map[string]float64{"a, b": 1}},
	} {
		if got := by.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, bad := range []float64{-1, math.Inf(1), math.NaN()} {
		if (classweight.Weights{Of: map[string]float64{"ill": bad}}).Validate() == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}
