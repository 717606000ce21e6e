package metric

import (
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/io/iob"
)

// chunks returns the metrics of chunks: spans of rows of a sequence that tags B-X, I-X and O mark. They are defined if all levels
// are such tags and rows form sequences. As in the scorer of the CoNLL shared tasks (Tjong Kim Sang & Buchholz 2000, conlleval), a
// predicted chunk is right if a true one has the same first row, last row and type; I without a chunk of its type before it begins
// one. Values are shares, not percentages; row weights are ignored.
func chunks() []Metric {
	m := func(name, axis, doc string, score func(c spans) float64) Metric {
		properties := Properties{Commensurable: true, Axis: axis, None: "none without tags B-X, I-X and O of sequences"}
		return Metric{Name: name, Doc: doc, Better: Higher, Target: data.Class, Needs: TagSequences, Properties: properties, Score: func(o *Outcome) float64 {
			c, ok := countSpans(o)
			if !ok {
				return math.NaN()
			}
			return score(c)
		}}
	}
	return []Metric{
		m("chunk_precision", "precision of chunks in test rows", "right among the predicted chunks of tags B-X, I-X, O, as conlleval counts", spans.precision),
		m("chunk_recall", "recall of chunks in test rows", "found among the true chunks", spans.recall),
		m("chunk_f1", "F1 of chunks in test rows", "harmonic mean of chunk_precision and chunk_recall", func(c spans) float64 { return fMeasure(c.precision(), c.recall(), 1) }),
	}
}

// spans counts the chunks in the test rows.
type spans struct {
	truth, predicted, right    int
	looseTruth, loosePredicted int // chunks that begin with I
}

func (c spans) precision() float64 { return ratio(float64(c.right), float64(c.predicted)) }
func (c spans) recall() float64    { return ratio(float64(c.right), float64(c.truth)) }

// countSpans reports false if levels are not such tags, or rows form no sequences.
func countSpans(o *Outcome) (c spans, ok bool) {
	tags, ok := iob.ParseAll(o.Levels)
	if !ok || o.Type != data.Class || o.Test.Starts == nil {
		return c, false
	}
	starts := o.Test.Starts
	var truth, predicted iob.Tag // tags of the previous row
	same := false                // whether a true and a predicted chunk with the same first row and type both continue
	for i := range o.Test.Truth {
		if len(starts) > 0 && int(starts[0]) == i {
			starts, truth, predicted = starts[1:], iob.Tag{}, iob.Tag{}
			if same { // both end with the sequence
				c.right++
			}
			same = false
		}
		t, p := tags[int(o.Test.Truth[i])], tags[int(o.Test.Prediction[i])]
		goes, went := t.Continues(truth), p.Continues(predicted)
		if same && !goes && !went {
			c.right++
		}
		same = same && goes && went
		if t.Begins(truth) {
			c.truth++
		}
		if p.Begins(predicted) {
			c.predicted++
		}
		if t.Loose(truth) {
			c.looseTruth++
		}
		if p.Loose(predicted) {
			c.loosePredicted++
		}
		same = same || t.Begins(truth) && p.Begins(predicted) && t.Type == p.Type
		truth, predicted = t, p
	}
	if same {
		c.right++
	}
	return c, true
}

// ChunkFacts returns the counts of chunks in the test rows, for reports; nil if there are no chunks.
func ChunkFacts(o *Outcome) []data.Fact {
	c, ok := countSpans(o)
	if !ok {
		return nil
	}
	return []data.Fact{
		{Name: "chunks in the test rows: true, predicted, right", Value: fmt.Sprintf("%d, %d, %d", c.truth, c.predicted, c.right)},
		{Name: "of them begin with I: true, predicted", Value: fmt.Sprintf("%d, %d", c.looseTruth, c.loosePredicted)},
	}
}
