package curve

import "math"

// Bin holds rows of similar predicted probability.
type Bin struct {
	Number    int // from 0, among the bins asked for
	Rows      int
	Weight    float64
	Predicted float64 // weighted mean of the probabilities
	Observed  float64 // share of the positive class, by weight
	Low, High float64 // 95 % interval of that share (Wilson 1927), which takes rows for independent
}

// Binning says how probabilities are divided into bins.
type Binning int

// Ways to divide probabilities into B bins.
const (
	Quantile Binning = iota // bin ⌊B·(weight below v + half the weight at v) / weight of all⌋ of the probability v
	Uniform                 // bin b has ((b−1)/B, b/B], the first also 0
)

// Calibrate divides rows, whose scores are probabilities of the positive class, into bins, and returns those with rows by rising
// probability, and Σ weight·|observed − predicted| / Σ weight. Equal probabilities are in one bin. O(n log n).
func Calibrate(r Rows, bins int, how Binning) (out []Bin, distance float64) {
	runs := r.byFallingScore()
	positive, negative := r.masses()
	total, below := positive+negative, 0.0
	var hits float64 // of the last bin
	for k := len(runs) - 1; k >= 0; k-- {
		v := r.Score[runs[k][0]]
		tp, fp := r.count(runs[k], 0, 0)
		number := uniformBin(v, bins)
		if how == Quantile {
			number = min(bins-1, int(float64(bins)*(below+float64((tp+fp)/2))/total))
		}
		below += tp + fp
		if len(out) == 0 || out[len(out)-1].Number != number {
			out, hits = append(out, Bin{Number: number}), 0
		}
		b := &out[len(out)-1]
		hits += tp
		b.Rows += len(runs[k])
		b.Predicted = (float64(b.Predicted*b.Weight) + float64(v*(tp+fp))) / (b.Weight + tp + fp)
		b.Weight += tp + fp
		b.Observed = hits / b.Weight
	}
	for k := range out {
		b := &out[k]
		b.Low, b.High = wilson(b.Observed, float64(b.Rows))
		distance += float64(b.Weight * math.Abs(b.Observed-b.Predicted))
	}
	return out, distance / total
}

// uniformBin returns the bin of a probability among bins of equal width, counted from 0.
func uniformBin(p float64, bins int) int {
	b := int(math.Ceil(p * float64(bins)))
	for b > 1 && p <= float64(b-1)/float64(bins) { // the product was rounded up
		b--
	}
	return min(max(b, 1), bins) - 1
}

// wilson returns the 95 % score interval of a share of n rows (Wilson 1927).
func wilson(share, n float64) (low, high float64) {
	const z = 1.959963984540054
	middle := share + float64(z*z/(2*n))
	half := float64(z * math.Sqrt(float64(share*float64(1-share)/n)+float64(z*z/(4*n*n))))
	return max(0, (middle-half)/(1+z*z/n)), min(1, (middle+half)/(1+z*z/n))
}
