package synthetic

import (
	"context"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/source"
)

// dense is a matrix of independent standard normal numbers, row by row.
type dense struct {
	columns int
	values  []float64
}

// drawNormals draws a matrix. Every row has its own stream, so that more rows leave the first ones as they are.
func drawNormals(ctx context.Context, seed uint64, rows, columns int) (dense, error) {
	x := dense{columns: columns, values: make([]float64, 0, rows*columns)}
	for i := range rows {
		if i%256 == 0 && ctx.Err() != nil {
			return dense{}, ctx.Err()
		}
		draw := random(hashNumbers(seed, forRow, uint64(i)))
		for range columns {
			x.values = append(x.values, draw.drawNormal())
		}
	}
	return x, nil
}

// asMatrix stores all numbers, also the few that are 0.
func (x dense) asMatrix() *sparse.Matrix {
	rows := len(x.values) / x.columns
	ptr, idx := make([]int, rows+1), make([]int32, len(x.values))
	for i := range rows {
		ptr[i+1] = (i + 1) * x.columns
		for j := range x.columns {
			idx[ptr[i]+j] = int32(j)
		}
	}
	return sparse.New(x.columns, ptr, idx, x.values)
}

// responseOf returns the target with these coefficients, and noise of a standard deviation.
func (x dense) responseOf(name string, truth []data.True, sd float64, noise *random) data.Target {
	t := data.Target{Name: name, Type: data.Real}
	for start := 0; start < len(x.values); start += x.columns {
		y := float64(sd * noise.drawNormal())
		for _, c := range truth {
			y += float64(c.Value * x.values[start+int(c.Feature)])
		}
		t.Values = append(t.Values, y)
	}
	return t
}

// partsOf numbers the parts of training and test rows; nil where there is no test row.
func partsOf(train, test int) []int8 {
	if test == 0 {
		return nil
	}
	return source.PartOf(train, test)
}

func numberedNames(prefix string, n int) []string {
	names := make([]string, n)
	for k := range names {
		names[k] = fmt.Sprintf("%s%d", prefix, k+1)
	}
	return names
}
