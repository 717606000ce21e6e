package boosting

import (
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/poisson"
	"tenfold/engines/trees"
)

// response of the training rows: a number, whose loss is half the squared error; a rate, whose loss is that of Poisson's distribution with
// the logarithm of the mean as score, e^f − yf; or a level, whose loss is minus the logarithm of its probability. That is 1/(1 + e^−f) for the second of two levels with one score f, else e^f_k/Σ_l e^f_l with a score for each.
type response struct {
	levels int // 0: numbers, or rates
	rates  bool
	number []float64
	level  []int32
	weight data.Weights
}

// readResponse returns the rows where the only target is defined, and its values there.
func readResponse(train *data.View) (*data.View, *response, error) {
	rows, number, level, weight, err := trees.Response(train)
	if err != nil {
		return nil, nil, err
	}
	info := train.TargetInfo(0)
	return rows, &response{levels: len(info.Levels), rates: info.Type == data.Count, number: number, level: level, weight: weight}, nil
}

// scores returns how many scores a row has.
func (y *response) scores() int {
	if y.levels > 2 {
		return y.levels
	}
	return 1
}

// judges returns the rows held out that can tell when to end: those of levels that rows to fit have, too.
func (y *response) judges(fitted, held []int32) ([]int32, error) {
	if y.rates && !slices.ContainsFunc(fitted, func(i int32) bool { return y.number[i] > 0 && y.weight.Of(int(i)) > 0 }) {
		return nil, fmt.Errorf("patience: all counts of the %d rows that are left to fit are 0; with patience: 0 none is held out", len(fitted))
	}
	if y.levels == 0 {
		return held, nil
	}
	has, levels := make([]bool, y.levels), 0
	for _, i := range fitted {
		if l := y.level[i]; !has[l] {
			has[l] = true
			levels++
		}
	}
	held = slices.DeleteFunc(held, func(i int32) bool { return !has[y.level[i]] })
	if levels < 2 || len(held) == 0 {
		return nil, fmt.Errorf("patience: of %d rows that are left to fit all have one class, or none of those held out has a class of theirs; with patience: 0 none is held out", len(fitted))
	}
	return held, nil
}

// base returns the scores that fit some rows best without a tree. That of a level without a row is −∞.
func (y *response) base(rows []int32) []float64 {
	total, sum, count := 0.0, 0.0, make([]float64, max(2, y.levels))
	for _, i := range rows {
		m := y.weight.Of(int(i))
		total += m
		if y.levels == 0 {
			sum += float64(m * y.number[i])
		} else {
			count[y.level[i]] += m
		}
	}
	switch y.levels {
	case 0:
		if y.rates {
			return []float64{elementary.Log(sum / total)}
		}
		return []float64{sum / total}
	case 2:
		return []float64{elementary.Log(count[1]) - elementary.Log(count[0])}
	}
	base := make([]float64, y.levels)
	for k, c := range count {
		base[k] = elementary.Log(c / total)
	}
	return base
}

// derivatives of the loss by each score of each row, and their sums.
type derivatives struct {
	first, second [][]float64 // by score and row
	chunk         [][]sumsOf  // by chunk of rows and score
	p             [][]float64 // work space, by chunk
}

// sumsOf the derivatives by a score: of the first ones, the absolute values.
type sumsOf struct{ first, second float64 }

// chunkRows are added up by themselves, so that sums do not depend on who adds them.
const chunkRows = 4096

func newDerivatives(rows, fitted, scores int) *derivatives {
	d := &derivatives{chunk: make([][]sumsOf, (fitted+chunkRows-1)/chunkRows), p: make([][]float64, (fitted+chunkRows-1)/chunkRows)}
	for range scores {
		d.first, d.second = append(d.first, make([]float64, rows)), append(d.second, make([]float64, rows))
	}
	for c := range d.chunk {
		d.chunk[c], d.p[c] = make([]sumsOf, scores), make([]float64, scores)
	}
	return d
}

// compute them for some rows at their scores. O(rows · scores).
func (d *derivatives) compute(y *response, score []float64, rows []int32, workers int) {
	parallel.Each(workers, len(d.chunk), func(c int) {
		sums, p, width := d.chunk[c], d.p[c], len(d.first)
		clear(sums)
		for _, i := range rows[c*chunkRows : min(len(rows), (c+1)*chunkRows)] {
			m := y.weight.Of(int(i))
			f := score[int(i)*width : (int(i)+1)*width]
			for k := range f {
				var first, second float64
				switch {
				case y.rates:
					mean := elementary.Exp(f[0])
					first, second = float64(m*(mean-y.number[i])), float64(m*mean)
				case y.levels == 0:
					first, second = float64(m*(f[0]-y.number[i])), m
				case y.levels == 2:
					p1 := 1 / (1 + elementary.Exp(-f[0]))
					first, second = float64(m*(p1-float64(y.level[i]))), float64(m*float64(p1*(1-p1)))
				default:
					if k == 0 {
						elementary.SumExp(p, f, slices.Max(f))
						total := dense.Sum(p)
						for l := range p {
							p[l] /= total
						}
					}
					first, second = float64(m*p[k]), float64(m*float64(p[k]*(1-p[k])))
					if int(y.level[i]) == k {
						first = float64(m * (p[k] - 1))
					}
				}
				d.first[k][i], d.second[k][i] = first, second
				sums[k].first += math.Abs(first)
				sums[k].second += second
			}
		}
	})
}

// sums over all rows, by score.
func (d *derivatives) sums(k int) (s sumsOf) {
	for _, chunk := range d.chunk {
		s.first += chunk[k].first
		s.second += chunk[k].second
	}
	return s
}

// loss returns the mean over some rows: the squared error, the deviance, or minus the logarithm of the probability.
func (y *response) loss(score []float64, rows []int32) float64 {
	sum, total, p := 0.0, 0.0, make([]float64, y.scores())
	for _, i := range rows {
		m, raw := y.weight.Of(int(i)), score[int(i)*len(p):(int(i)+1)*len(p)]
		total += m
		switch {
		case y.rates:
			sum += float64(m * poisson.Deviance(y.number[i], elementary.Exp(raw[0])))
		case y.levels == 0:
			e := raw[0] - y.number[i]
			sum += float64(m * float64(e*e))
		case y.levels == 2:
			f := raw[0]
			if y.level[i] == 0 {
				f = -f
			}
			sum -= float64(m * elementary.LogSigmoid(f))
		default:
			copy(p, raw)
			elementary.LogSoftmax(p)
			sum -= float64(m * p[y.level[i]])
		}
	}
	return sum / total
}
