package loglinear

import (
	"context"
	"math"
)

// table holds, for every distinct row, the unnormalised probabilities of the classes and their sum: sum[i,y] and z[i] of
// Zhou et al., section 3. A row may be scaled by any factor, since only ratios count; that keeps it in range.
type table interface {
	// share fills dst with p_i(class) = sum[i,class]/z[i] of the rows.
	share(dst []float64, rows []int32, class int32)
	// row fills dst with p_i(y) of every class.
	row(dst []float64, i int)
	// multiply sum[i,class] by factor, and sum z anew.
	multiply(i int, class int32, factor float64)
	// uniform starts again. The error is the cause of ctx's end.
	uniform(ctx context.Context) error
}

// denseLimit is the number of probabilities that are kept in full; beyond it only those of classes that some feature moved.
const denseLimit = 200_000_000

// resum is the number of classes up to which z is summed anew at every change; beyond it z moves by the difference, unless
// it falls by more than a hundredth: what was rounded off the larger z would be an error of the smaller one.
const resum = 128

// huge is the sum from which a row is scaled down.
const huge = 0x1p500

func newTable(rows, classes int) table {
	if rows*classes > denseLimit {
		return newTouched(rows, classes)
	}
	return newDense(rows, classes)
}

// dense keeps every class, those of a row side by side.
type dense struct {
	classes int
	sum, z  []float64
}

func newDense(rows, classes int) *dense {
	return &dense{classes: classes, sum: make([]float64, rows*classes), z: make([]float64, rows)}
}

func (t *dense) uniform(ctx context.Context) error {
	for i := range t.z {
		if i%stride == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t.z[i] = float64(t.classes)
		row := t.sum[i*t.classes : (i+1)*t.classes]
		for y := range row {
			row[y] = 1
		}
	}
	return nil
}

func (t *dense) share(dst []float64, rows []int32, class int32) {
	sum := t.sum[class:]
	for k, i := range rows {
		dst[k] = capProbability(sum[int(i)*t.classes] / t.z[i])
	}
}

func (t *dense) row(dst []float64, i int) {
	for y, s := range t.sum[i*t.classes : (i+1)*t.classes] {
		dst[y] = capProbability(s / t.z[i])
	}
}

// capProbability takes back to one a probability that the rounding of z has taken above it.
func capProbability(p float64) float64 {
	if p > 1 {
		return 1
	}
	return p
}

func (t *dense) multiply(i int, class int32, factor float64) {
	sum := t.sum[i*t.classes : (i+1)*t.classes]
	old := sum[class]
	sum[class] = float64(old * factor)
	if rise := sum[class] - old; t.classes > resum && rise >= -t.z[i]/100 {
		t.z[i] += rise
	} else {
		t.z[i] = sumOf(sum)
	}
	if t.z[i] > huge || !(t.z[i] > 1/huge) {
		t.z[i] = rescaleRow(sum, sumOf(sum))
	}
}

// sumOf keeps four sums, since one alone waits for every addition.
func sumOf(v []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(v) >= 4 {
		s0 += v[0]
		s1 += v[1]
		s2 += v[2]
		s3 += v[3]
		v = v[4:]
	}
	for _, x := range v {
		s0 += x
	}
	return (s0 + s1) + (s2 + s3)
}

// rescaleRow scales by a power of two, so that the sum is about one: exact, but for what vanishes.
func rescaleRow(v []float64, sum float64) float64 {
	_, exp := math.Frexp(sum)
	for k := range v {
		v[k] = math.Ldexp(v[k], -exp)
	}
	return sumOf(v)
}

// touched keeps the classes that some feature moved; all others of a row share one value.
type touched struct {
	classes int
	rows    []touchedRow
}

type touchedRow struct {
	base  float64 // of every class that is not listed
	z     float64
	class []int32
	sum   []float64
}

func newTouched(rows, classes int) *touched {
	return &touched{classes: classes, rows: make([]touchedRow, rows)}
}

func (t *touched) uniform(ctx context.Context) error {
	for i := range t.rows {
		if i%stride == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t.rows[i] = touchedRow{base: 1, z: float64(t.classes)}
	}
	return nil
}

func (r *touchedRow) probability(class int32) *float64 {
	for k, c := range r.class {
		if c == class {
			return &r.sum[k]
		}
	}
	return &r.base
}

func (t *touched) share(dst []float64, rows []int32, class int32) {
	for k, i := range rows {
		r := &t.rows[i]
		dst[k] = *r.probability(class) / r.z
	}
}

func (t *touched) row(dst []float64, i int) {
	r := &t.rows[i]
	for y := range dst[:t.classes] {
		dst[y] = r.base / r.z
	}
	for k, c := range r.class {
		dst[c] = r.sum[k] / r.z
	}
}

func (t *touched) multiply(i int, class int32, factor float64) {
	r := &t.rows[i]
	probability := r.probability(class)
	if probability == &r.base {
		r.class, r.sum = append(r.class, class), append(r.sum, r.base)
		probability = &r.sum[len(r.sum)-1]
	}
	*probability *= factor
	r.z = float64(float64(t.classes-len(r.class))*r.base) + sumOf(r.sum)
	if r.z > huge || !(r.z > 1/huge) {
		_, exp := math.Frexp(r.z)
		r.base = math.Ldexp(r.base, -exp)
		for k := range r.sum {
			r.sum[k] = math.Ldexp(r.sum[k], -exp)
		}
		r.z = float64(float64(t.classes-len(r.class))*r.base) + sumOf(r.sum)
	}
}
