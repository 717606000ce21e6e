// Package pooled warns where responses that are counted over training rows differ from those that test rows have.
package pooled

import "fmt"

// FewCounted is in the warning that the responses of training rows are counted over too few of them; tables repeat it.
const FewCounted = "counted over few rows"

// mostDistance is the share of the variance up to which there is no warning.
const mostDistance = 0.1

// Distance compares the responses of training rows, counted over these alone, with those that the same rows have if all rows count,
// as for test rows. No fit can learn the difference, but test errors contain it.
type Distance struct {
	rows         int
	share        float64 // mean squared difference, as a share of the variance of the responses counted over all rows
	counted, all float64 // means
}

// Compare compares values of the training rows. O(rows).
func Compare(all, counted []float64, train []int32) Distance {
	d := Distance{rows: len(train)}
	n := float64(len(train))
	for _, i := range train {
		d.all += all[i] / n
		d.counted += counted[i] / n
	}
	squares, variance := 0.0, 0.0
	for _, i := range train {
		squares += float64((all[i] - counted[i]) * (all[i] - counted[i]))
		variance += float64((all[i] - d.all) * (all[i] - d.all))
	}
	if squares > 0 {
		d.share = squares / variance
	}
	return d
}

// IsFar reports whether the distance deserves a warning; undefined shares, of infinite values, do.
func (d Distance) IsFar() bool { return !(d.share <= mostDistance) }

// Words returns the warning about a target, of so many rows.
func (d Distance) Words(target string, rows int) string {
	return fmt.Sprintf("the responses %s of the %d training rows are "+FewCounted+", theirs alone; test rows have theirs from all %d. On the training rows the two differ by %.2g of the variance (mean %.3g, not %.3g), which no fit can learn, and test errors measure it too: take more rows to train on, or train_only: false",
		target, d.rows, rows, d.share, d.counted, d.all)
}
