package score

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/sourcegraph/conc/pool"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/decision"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// decoded holds the labels of a view's rows and, row-major, the scores of each row given the labels before it.
type decoded struct {
	labels []int32
	scores []float64
}

// decodeSequences labels sequences whose columns depend on previous labels, from the first row of each to the last. It is
// a beam search that keeps the steps.Beam best prefixes of a sequence, each scored by the sum over its rows of
//
//	log p(label | row, labels before),
//
// which is the model's output if outputs are logarithms of probabilities, else their log-softmax. Of equal sums the prefix that was better
// before wins, then the lower label. Workers share the sequences, so the result does not depend on their number. O(rows ·
// beam · (scoring a row + levels)), a little more if many labels are close.
func decodeSequences(model engines.Model, steps *data.Steps, rows int, probabilities bool, workers int) (decoded, error) {
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
					d.decodeGreedy(k)
				} else {
					d.decodeBeam(k)
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

// scoreRow fills dst with the model's scores of row i.
func (d *decoder) scoreRow(dst []float64, i int, before []int32) {
	row := d.steps.Row(d.columns, i, before)
	d.columns = row.Idx
	d.model.Score(dst, sparse.Vec{Idx: row.Idx})
}

// decodeGreedy takes the best label of each row in turn, which is beam search of width 1.
func (d *decoder) decodeGreedy(k int) {
	first, end := d.steps.Span(k)
	levels := d.steps.Levels
	for i := first; i < end; i++ {
		scores := d.out.scores[i*levels : (i+1)*levels]
		d.scoreRow(scores, i, d.out.labels[first:i])
		d.out.labels[i] = int32((*decision.Rule)(nil).Level(scores))
	}
}

// hypothesis is a labelled prefix of a sequence.
type hypothesis struct {
	sum    float64 // of log-probabilities
	labels []int32
}

// extension is a hypothesis with one more label.
type extension struct {
	from  int // index of the hypothesis; they are sorted, best first
	label int32
	sum   float64
}

// decodeBeam keeps several hypotheses at once. The scores of the rows along the best one are computed again at the end.
func (d *decoder) decodeBeam(k int) {
	first, end := d.steps.Span(k)
	levels := d.steps.Levels
	kept := []hypothesis{{}}
	scores := make([]float64, levels)
	best := make([]extension, 0, d.steps.Beam)
	for i := first; i < end; i++ {
		best = best[:0]
		for h := range kept {
			d.scoreRow(scores, i, kept[h].labels)
			d.logProbabilities(scores)
			for l, x := range scores {
				best = insertExtension(best, extension{from: h, label: int32(l), sum: kept[h].sum + x})
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
		d.scoreRow(d.out.scores[i*levels:(i+1)*levels], i, d.out.labels[first:i])
	}
}

// insertExtension inserts e into best, sorted by falling sum, and keeps at most cap(best). Extensions come by better
// hypothesis and lower label first, and keep that order if sums are equal.
func insertExtension(best []extension, e extension) []extension {
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

// logProbabilities makes log-probabilities of the labels of a row's scores.
func (d *decoder) logProbabilities(scores []float64) {
	if !d.probabilities {
		elementary.LogSoftmax(scores)
	}
}
