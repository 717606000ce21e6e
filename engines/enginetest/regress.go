package enginetest

import "math"

// Centred returns v less its mean.
func Centred(v []float64) []float64 {
	mean := 0.0
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x - mean
	}
	return out
}

// SumOfSquares returns Σ v².
func SumOfSquares(v []float64) float64 { return product(v, v) }

func product(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// Regress returns the residual of v on columns, by orthogonalising them twice (Gram and Schmidt). A column that follows from those before
// it, up to a share of 1e-12 of its length, adds nothing.
func Regress(v []float64, columns [][]float64) []float64 {
	var basis [][]float64
	rest := func(v []float64) []float64 {
		out := append([]float64(nil), v...)
		for range 2 {
			for _, b := range basis {
				along := product(out, b)
				for i, x := range b {
					out[i] -= float64(along * x)
				}
			}
		}
		return out
	}
	for _, c := range columns {
		unit := rest(c)
		length := math.Sqrt(SumOfSquares(unit))
		if !(length > 1e-12*math.Sqrt(SumOfSquares(c))) {
			continue
		}
		for i := range unit {
			unit[i] /= length
		}
		basis = append(basis, unit)
	}
	return rest(v)
}
