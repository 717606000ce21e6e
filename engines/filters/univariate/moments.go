package univariate

import (
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/numeric/tails"
)

// response is the target that all columns are tested against, with its moments.
type response struct {
	y       []float64
	weight  data.Weights
	n       float64 // Σ weight
	centred []float64
	total   float64 // Σ weight·centred, which is rounding
	square  float64 // Σ weight·centred²
	zeroOne bool
	ones    float64 // Σ weight of the ones, where every value is 0 or 1
	varies  bool
}

func newResponse(x *sparse.Matrix, y []float64, weight data.Weights, n float64) (response, error) {
	rows, _ := x.Dims()
	switch {
	case len(y) != rows:
		return response{}, fmt.Errorf("%d responses for %d rows", len(y), rows)
	case rows < 3:
		return response{}, fmt.Errorf("a test of correlation needs at least 3 rows, found %d", rows)
	}
	r := response{y: y, weight: weight, n: n, zeroOne: true}
	sum := 0.0
	for i, v := range y {
		if !elementary.IsFinite(v) {
			return response{}, fmt.Errorf("row %d: response %v, expected a finite number", i, v)
		}
		sum += float64(weight.Of(i) * v)
		r.varies = r.varies || v != y[0]
		r.zeroOne = r.zeroOne && (v == 0 || v == 1)
	}
	r.ones = sum
	mean := sum / n
	r.centred = make([]float64, rows)
	for i, v := range y {
		d := v - mean
		r.centred[i] = d
		r.total += float64(weight.Of(i) * d)
		r.square += float64(weight.Of(i) * d * d)
	}
	return r, nil
}

// moments of a column and the response about their means, up to a common factor: Σw(x−x̄)², Σw(x−x̄)(y−ȳ), Σw(y−ȳ)².
// All are 0 where one of the two is constant.
type moments struct{ xx, xy, yy float64 }

// momentsOf returns the moments of a column. A column of ones and a response of zeros and ones are counted, exactly, where each row counts
// once. Otherwise values are centred first, the zeros that are not stored as one term.
func (r response) momentsOf(col sparse.Vec) (moments, error) {
	n, entries := r.n, float64(col.Len())
	if col.Val == nil && r.zeroOne && r.weight == nil {
		both := col.Dot(r.y)
		return moments{entries * (n - entries), float64(n*both) - float64(entries*r.ones), r.ones * (n - r.ones)}.orNone(), nil
	}
	for k, v := range col.Val {
		if !elementary.IsFinite(v) {
			return moments{}, fmt.Errorf("row %d: value %v, expected a finite number", col.Idx[k], v)
		}
	}
	if !r.varies || ranking.IsConstant(col, len(r.y)) {
		return moments{}, nil
	}
	sum := 0.0
	for k, i := range col.Idx {
		sum += float64(r.weight.Of(int(i)) * col.At(k))
	}
	mean := sum / n
	m := moments{yy: r.square}
	rest, zeros := r.total, n
	for k, i := range col.Idx {
		w, d, c := r.weight.Of(int(i)), col.At(k)-mean, r.centred[i]
		m.xx += float64(w * d * d)
		m.xy += float64(w * d * c)
		rest -= float64(w * c)
		zeros -= w
	}
	if col.Len() < len(r.y) { // else both are rounding
		m.xx += float64(zeros * mean * mean)
		m.xy -= float64(mean * rest)
	}
	if !elementary.IsFinite(m.xx) || !elementary.IsFinite(m.xy) || !elementary.IsFinite(m.yy) {
		return moments{}, fmt.Errorf("all rows: the squares of the values or responses are too large to sum")
	}
	return m.orNone(), nil
}

func (m moments) orNone() moments {
	if !(m.xx > 0 && m.yy > 0) {
		return moments{}
	}
	return m
}

// correlationTail returns the one-sided p-value of the correlation over n rows.
func (m moments) correlationTail(n float64) float64 {
	if m.xx == 0 {
		return 1
	}
	square, rest := m.scaled().explainedShares()
	p := tails.Student(square, rest, n-2)
	if m.xy < 0 {
		return 1 - p
	}
	return p
}

// explainedShares returns the share of one's variation that the other explains, r², and the share that it leaves, each as
// accurate as the moments, which are scaled.
func (m moments) explainedShares() (square, rest float64) {
	square = math.Min(1, m.xy*m.xy/(m.xx*m.yy))
	if rest = 1 - square; rest < 0.5 { // take the difference before rounding the products (Jeannerod, Louvet & Muller 2013)
		w := m.xy * m.xy
		rest = math.Max(0, (math.FMA(m.xx, m.yy, -w)+math.FMA(-m.xy, m.xy, w))/(m.xx*m.yy))
	}
	return square, rest
}

// scaled returns the moments of the same correlation, by powers of two, whose products neither overflow nor vanish.
func (m moments) scaled() moments {
	_, x := math.Frexp(m.xx)
	_, y := math.Frexp(m.yy)
	y += (x + y) & 1
	return moments{math.Ldexp(m.xx, -x), math.Ldexp(m.xy, -(x+y)/2), math.Ldexp(m.yy, -y)}
}
