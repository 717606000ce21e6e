package forest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/trees"
)

// weightedBag compares samples by given draws, and the votes of rows out of them, with those of a case.
func weightedBag(t *testing.T, c oracle.Case) {
	var in struct {
		Weights  []float64
		Uniforms [][]float64
		Votes    [][]int32
		Y        []float64
		Classes  int
	}
	var want struct {
		InBag         [][]int32 `json:"in_bag"`
		OOBPrediction []*int    `json:"oob_prediction"`
		OOBError      float64   `json:"oob_error"`
	}
	c.Parts(t, &in, &struct{}{}, &want)
	column := make([][]float64, len(in.Y))
	for i := range column {
		column[i] = []float64{float64(i)}
	}
	set := enginetest.Dataset(enginetest.Matrix(column...), enginetest.Class("y", in.Classes, in.Y...))
	set.Weight = in.Weights
	_, y, err := readResponse(enginetest.View(set, nil), true)
	if err != nil {
		t.Fatal(err)
	}
	v, each := newVotes(len(in.Y), y), &tree{} // a leaf for each class
	for k := range in.Classes {
		each.Nodes = append(each.Nodes, node{Column: trees.Leaf, Next: int32(k)})
		each.Value = append(each.Value, slices.Concat(make([]float64, k), []float64{1}, make([]float64, in.Classes-k-1))...)
	}
	for k, uniforms := range in.Uniforms {
		count, drawn := make([]int32, len(in.Y)), 0
		next := func() float64 { drawn++; return uniforms[drawn-1] }
		y.bag.Draw(count, func(n int) int { return int(next() * float64(n)) }, next)
		if !slices.Equal(count, want.InBag[k]) {
			t.Fatalf("sample %d is %v, want %v", k, count, want.InBag[k])
		}
		var out outOf
		for i, n := range count {
			if n == 0 && in.Weights[i] > 0 {
				out.rows, out.leaf = append(out.rows, int32(i)), append(out.leaf, in.Votes[k][i])
			}
		}
		v.add(out, each)
	}
	for i, label := range want.OOBPrediction {
		if mean := v.mean(i); (mean == nil) != (label == nil) || label != nil && likeliest(mean) != *label {
			t.Errorf("row %d: votes %v, want %v", i, mean, label)
		}
	}
	loss, _ := v.loss()
	oracle.Near(t, "error out of the bag", loss, want.OOBError, 1e-9)
}

// TestWeightedDraws: a row is as often in a sample as it would be repeated, and out of the bag with the chance (1 − w/Σw)^draws.
func TestWeightedDraws(t *testing.T) {
	t.Parallel()
	const rows, samples = 100, 4000
	column, y, weight := make([][]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		column[i], y[i], weight[i] = []float64{float64(i)}, float64(i), 1
		if i < 10 {
			weight[i] = 5
		} else if i < 30 {
			weight[i] = 2
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(column...), enginetest.Real("y", y...))
	set.Weight = weight
	total := data.Weights(weight).Sum(rows)
	for name, v := range map[string]*data.View{"importance": enginetest.View(set, nil), "frequency": enginetest.Counted(set)} {
		_, y, err := readResponse(v, true)
		if err != nil {
			t.Fatal(err)
		}
		rng, count, drawn, out := rand.New(rand.NewPCG(1, 2)), make([]int32, rows), map[float64]float64{}, map[float64]float64{}
		for range samples {
			y.bag.Draw(count, rng.IntN, rng.Float64)
			for i, n := range count {
				if drawn[weight[i]] += float64(n); n == 0 {
					out[weight[i]]++
				}
			}
		}
		draws := map[string]float64{"importance": rows, "frequency": total}[name]
		for w, share := range map[float64]float64{1: 0.7, 2: 0.2, 5: 0.1} {
			n := share * rows * samples
			oracle.Near(t, fmt.Sprint(name, ", draws of weight ", w), drawn[w]/n, draws*w/total, 0.05)
			oracle.Near(t, fmt.Sprint(name, ", out of the bag of weight ", w), out[w]/n, math.Pow(1-w/total, draws), 0.01)
		}
	}
}
