package prepare_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

func TestClusters(t *testing.T) {
	// Columns 0, 2 and 5 are multiples of one, 1 and 4 of another; 3 is constant in the training rows.
	rows := [][]float64{{1, 0, 2, 7, 0, 1}, {0, 1, 0, 7, 3, 0}, {1, 0, 2, 7, 0, 1}, {0, 0, 0, 7, 0, 0}, {9, 9, 9, 9, 9, 0}}
	d := enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", 1, 2, 3, 4, 5))
	for seed := range int64(5) {
		p, err := prepare.Recipe{Clusters: 4, ClusterSeed: seed}.Fit(d, []int32{0, 1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		f := p.View(nil).Features()
		var class []int
		for j := range f.Len() {
			class = append(class, f.Class(j))
		}
		if !slices.Equal(class, []int{0, 1, 0, 2, 1, 0}) || strings.Join(f.Classes(), ", ") != "cluster 1, cluster 2, _none" {
			t.Errorf("seed %d: classes %v %v", seed, class, f.Classes())
		}
	}
	p, err := prepare.Recipe{Clusters: 2, Cutoff: 3}.Fit(d, []int32{0, 1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	if f := p.View(nil).Features(); f.Name(0) != "x3" || f.Class(0) != 0 || !f.HasClasses() {
		t.Errorf("after a cutoff: %s %d", f.Name(0), f.Class(0))
	}
}

// Every column lies nearest to the centroid of its own cluster, computed densely.
func TestClustersAreSettled(t *testing.T) {
	const rows, cols, k = 40, 200, 7
	x := enginetest.Random(3, rows, cols, 0.4, false)
	d := enginetest.Dataset(x, enginetest.Real("y", make([]float64, rows)...))
	p, err := prepare.Recipe{Clusters: k, ClusterSeed: 9}.Fit(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := p.View(nil).Features()
	unit := make([][]float64, cols)
	centroid, size := make([][]float64, len(f.Classes())), make([]float64, len(f.Classes()))
	for c := range centroid {
		centroid[c] = make([]float64, rows)
	}
	for j := range unit {
		unit[j] = make([]float64, rows)
		x.Col(j).AddTo(unit[j], 1)
		mean, length := 0.0, 0.0
		for _, v := range unit[j] {
			mean += v / rows
		}
		for i := range unit[j] {
			unit[j][i] -= mean
			length += unit[j][i] * unit[j][i]
		}
		for i := range unit[j] {
			unit[j][i] /= math.Sqrt(length)
			centroid[f.Class(j)][i] += unit[j][i]
		}
		size[f.Class(j)]++
	}
	if len(f.Classes()) != k {
		t.Errorf("%d classes", len(f.Classes()))
	}
	distance := func(j, c int) (d float64) {
		for i := range rows {
			d += math.Pow(unit[j][i]-centroid[c][i]/size[c], 2)
		}
		return d
	}
	for j := range cols {
		for c := range centroid {
			if distance(j, c) < distance(j, f.Class(j))-1e-9 {
				t.Errorf("column %d is nearer to cluster %d than to its own, %d", j, c, f.Class(j))
			}
		}
	}
}

func BenchmarkClusters(b *testing.B) {
	x := enginetest.Random(3, 104, 6715, 1, false)
	d := enginetest.Dataset(x, enginetest.Real("y", make([]float64, 104)...))
	for b.Loop() {
		if _, err := (prepare.Recipe{Clusters: 40}).Fit(d, nil); err != nil {
			b.Fatal(err)
		}
	}
}
