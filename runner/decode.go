package runner

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/sourcegraph/conc/pool"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/elementary"
	"tenfold/engines/sparse"
	"tenfold/runner/metric"
)

// decoded is the labels of a view's rows, and the scores of each row after the labels before it, row-major.
type decoded struct {
	labels []int32
	scores []float64
}

// decode labels sequences whose columns depend on previous labels, from the first row of each to the last. It keeps the
// steps.Beam best beginnings of a sequence; greedy decoding keeps one. A beginning is as good as the sum over its rows of
//
//	log p(label | row, labels before),
//
// where p is what the model says where its scores are probabilities, else the softmax of its scores. Of equal sums the one
// whose beginning was better wins, then the lower label. Workers share the sequences, so the result does not depend on
// their number. O(rows · beam · (scoring a row + levels)),
// a little more where many labels are close.
func decode(model engines.Model, steps *data.Steps, rows int, probabilities bool, workers int) (decoded, error) {
	scorer, ok := model.(engines.Scorer)
	if !ok {
		return decoded{}, errors.New("columns of this data set look at previous labels, and this engine's model cannot score a row by itself, which decoding needs: take an engine that makes linear or log-linear models, or leave out templates that look at the predicted column")
	}
	if model.Outputs() != steps.Levels {
		return decoded{}, errors.New("decoding needs a model with one output a class")
	}
	out := decoded{labels: make([]int32, rows), scores: make([]float64, rows*steps.Levels)}
	var next atomic.Int64
	p := pool.New()
	for range max(1, min(workers, steps.Len())) {
		p.Go(func() {
			d := decoder{model: scorer, steps: steps, probabilities: probabilities, out: out}
			for {
				k := int(next.Add(1)) - 1
				if k >= steps.Len() {
					return
				}
				if steps.Beam == 1 {
					d.greedy(k)
				} else {
					d.beam(k)
				}
			}
		})
	}
	p.Wait()
	return out, nil
}

// decoder is the state of one worker.
type decoder struct {
	model         engines.Scorer
	steps         *data.Steps
	probabilities bool
	out           decoded
	columns       []int32 // scratch
}

// score fills dst with the model's scores of row i.
func (d *decoder) score(dst []float64, i int, before []int32) {
	row := d.steps.Row(d.columns, i, before)
	d.columns = row.Idx
	d.model.Score(dst, sparse.Vec{Idx: row.Idx})
}

// greedy takes the best label of each row, one after the other. With one beginning to keep, sums decide nothing.
func (d *decoder) greedy(k int) {
	first, end := d.steps.Span(k)
	levels := d.steps.Levels
	for i := first; i < end; i++ {
		scores := d.out.scores[i*levels : (i+1)*levels]
		d.score(scores, i, d.out.labels[first:i])
		d.out.labels[i] = int32(metric.Largest(scores))
	}
}

// hypothesis is the beginning of a labelled sequence.
type hypothesis struct {
	sum    float64 // of log-probabilities
	labels []int32
}

// extension is a hypothesis with one more label.
type extension struct {
	from  int // number of the hypothesis, which are sorted
	label int32
	sum   float64
}

// beam follows several beginnings at once. The scores of the rows on the best way are computed again at the end.
func (d *decoder) beam(k int) {
	first, end := d.steps.Span(k)
	levels := d.steps.Levels
	kept := []hypothesis{{}}
	scores, logs := make([]float64, levels), make([]float64, levels)
	best := make([]extension, 0, d.steps.Beam)
	for i := first; i < end; i++ {
		best = best[:0]
		for h := range kept {
			d.score(scores, i, kept[h].labels)
			d.logs(logs, scores)
			for l, x := range logs {
				best = insert(best, extension{from: h, label: int32(l), sum: kept[h].sum + x})
			}
		}
		longer := make([]hypothesis, len(best))
		for q, e := range best {
			longer[q] = hypothesis{sum: e.sum, labels: append(slices.Clip(kept[e.from].labels), e.label)}
		}
		kept = longer
	}
	copy(d.out.labels[first:end], kept[0].labels)
	for i := first; i < end; i++ {
		d.score(d.out.scores[i*levels:(i+1)*levels], i, d.out.labels[first:i])
	}
}

// insert keeps the best extensions, as many as fit. They come from the better hypothesis and the lower label on, and stand
// in that order where sums are equal.
func insert(best []extension, e extension) []extension {
	if len(best) < cap(best) {
		best = append(best, e)
	} else if last := len(best) - 1; e.sum > best[last].sum {
		best[last] = e
	} else {
		return best
	}
	for q := len(best) - 1; q > 0 && best[q].sum > best[q-1].sum; q-- {
		best[q], best[q-1] = best[q-1], best[q]
	}
	return best
}

// logs are the log-probabilities of the labels.
func (d *decoder) logs(dst, scores []float64) {
	if d.probabilities {
		for l, p := range scores {
			dst[l] = elementary.Log(p)
		}
		return
	}
	high, z := slices.Max(scores), 0.0
	for _, s := range scores {
		z += elementary.Exp(s - high)
	}
	z = elementary.Log(z)
	for l, s := range scores {
		dst[l] = s - high - z
	}
}
