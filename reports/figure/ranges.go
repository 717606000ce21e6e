package figure

import (
	"math"

	"tenfold/reports/drawing"
)

// box is the range of a set of series on both axes.
type box struct{ left, right, low, high float64 }

// boundingBox returns the box of all points with their error bars.
func boundingBox(series []drawing.Series) box {
	b := box{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for _, s := range series {
		for _, p := range s.Points {
			b.left, b.right = math.Min(b.left, p.X-p.ErrorX), math.Max(b.right, p.X+p.ErrorX)
			b.low, b.high = math.Min(b.low, p.Y-p.Error), math.Max(b.high, p.Y+p.Error)
		}
	}
	return b
}

// needsLogAxis reports whether no value is negative, and those above zero span more than a decade and a half.
func needsLogAxis(values []float64) bool {
	low, high := math.Inf(1), 0.0
	for _, v := range values {
		if v < 0 {
			return false
		}
		if v > 0 {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	return low < high && math.Log10(high)-math.Log10(low) > 1.5
}
