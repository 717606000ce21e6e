package rowascent

import "tenfold/engines/core/sparse"

// addColumns adds the weights of the row's columns to s, four at a time. The weights of column j begin at j·len(s).
func addColumns(s, weights []float64, row sparse.Vec) {
	n, idx := len(s), row.Idx
	if row.Val != nil {
		addScaledColumns(s, weights, row)
		return
	}
	for ; len(idx) >= 4; idx = idx[4:] {
		a, b := weights[int(idx[0])*n:][:n], weights[int(idx[1])*n:][:n]
		c, d := weights[int(idx[2])*n:][:n], weights[int(idx[3])*n:][:n]
		for k := range s {
			s[k] += (a[k] + b[k]) + (c[k] + d[k])
		}
	}
	for _, j := range idx {
		a := weights[int(j)*n:][:n]
		for k := range s {
			s[k] += a[k]
		}
	}
}

// addScaledColumns is addColumns of a row with values.
func addScaledColumns(s, weights []float64, row sparse.Vec) {
	n, idx, val := len(s), row.Idx, row.Val
	for ; len(idx) >= 2; idx, val = idx[2:], val[2:] {
		a, b := weights[int(idx[0])*n:][:n], weights[int(idx[1])*n:][:n]
		x, y := val[0], val[1]
		for k := range s {
			s[k] += float64(x*a[k]) + float64(y*b[k])
		}
	}
	for q, j := range idx {
		a, x := weights[int(j)*n:][:n], val[q]
		for k := range s {
			s[k] += float64(x * a[k])
		}
	}
}

// takeFromColumns takes d, times the row's value, from the weights of each of its columns.
func takeFromColumns(weights, d []float64, row sparse.Vec) {
	n := len(d)
	for q, j := range row.Idx {
		a := weights[int(j)*n:][:n]
		if row.Val == nil {
			for k, v := range d {
				a[k] -= v
			}
			continue
		}
		x := row.Val[q]
		for k, v := range d {
			a[k] -= float64(x * v)
		}
	}
}
