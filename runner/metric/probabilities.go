package metric

import (
	"math"

	"tenfold/engines/numeric/elementary"
)

// brierScore returns the mean over test rows of Σ_k (p_k − y_k)², where y_k is 1 for the true level and 0 for the others, by the
// definition for any number of classes (Brier 1950, Verification of forecasts expressed in terms of probability, equation 2): from
// 0 to 2. For two classes it is twice the mean of (p − y)² of one of them. NaN for models without probabilities.
func brierScore(o *Outcome) float64 {
	if !o.Probabilities {
		return math.NaN()
	}
	levels := len(o.Levels)
	return o.Test.mean(func(i int) float64 {
		sum := 0.0
		for k, s := range o.Test.Score[i*levels : (i+1)*levels] {
			d := elementary.Exp(s)
			if k == int(o.Test.Truth[i]) {
				d = -elementary.Expm1(s)
			}
			sum += float64(d * d)
		}
		return sum
	})
}

// calibrationBins is the number of bins, of equal width, of calibrationError.
const calibrationBins = 15

// calibrationError returns the expected calibration error of the predicted level (Naeini, Cooper & Hauskrecht 2015, Obtaining well
// calibrated probabilities using Bayesian binning; with the bins of Guo, Pleiss, Sun & Weinberger 2017, On calibration of modern
// neural networks, equations 2 and 3): over the bins of its probability ((m−1)/15, m/15], the mean of the distances between the share
// of rows that are right and their mean probability, weighted by rows. NaN for models that give no probabilities.
func calibrationError(o *Outcome) float64 {
	if !o.Probabilities {
		return math.NaN()
	}
	var right, sure [calibrationBins]float64
	levels, all := len(o.Levels), 0.0
	for i, t := range o.Test.Truth {
		w, predicted := o.Test.weight(i), int(o.Test.Prediction[i])
		p := elementary.Exp(o.Test.Score[i*levels+predicted])
		b := binOf(p)
		sure[b] += float64(w * p)
		if predicted == int(t) {
			right[b] += w
		}
		all += w
	}
	sum := 0.0
	for b := range right {
		sum += math.Abs(right[b] - sure[b])
	}
	return sum / all
}

// binOf returns the number of the bin of a probability, from 0.
func binOf(p float64) int {
	return min(max(int(math.Ceil(float64(p*calibrationBins)))-1, 0), calibrationBins-1)
}
