package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/iob"
)

// tagged is an outcome of lines of tags, one a sentence; predictions stand below truths.
func tagged(truth, predicted string) *Outcome {
	o := &Outcome{Type: data.Class}
	add := func(lines string, first bool) (values []float64) {
		for _, line := range strings.Split(lines, "\n") {
			if first {
				o.Test.Starts = append(o.Test.Starts, int32(len(values)))
			}
			for _, tag := range strings.Fields(line) {
				at := slices.Index(o.Levels, tag)
				if at < 0 {
					at = len(o.Levels)
					o.Levels = append(o.Levels, tag)
				}
				values = append(values, float64(at))
			}
		}
		return values
	}
	o.Test.Truth, o.Test.Prediction = add(truth, true), add(predicted, false)
	return o
}

func TestChunks(t *testing.T) {
	for _, c := range []struct {
		name, truth, predicted string
		right, predictions     int
		truths                 int
	}{
		{"all right", "B-NP I-NP O B-VP", "B-NP I-NP O B-VP", 2, 2, 2},
		{"right to the end of the data", "O B-NP I-NP", "O B-NP I-NP", 1, 1, 1},
		{"too short", "B-NP I-NP I-NP", "B-NP I-NP O", 0, 1, 1},
		{"too long", "B-NP I-NP O", "B-NP I-NP I-NP", 0, 1, 1},
		{"another type", "B-NP I-NP", "B-VP I-VP", 0, 1, 1},
		{"cut in two", "B-NP I-NP I-NP", "B-NP B-NP I-NP", 0, 2, 1},
		{"joined", "B-NP B-NP", "B-NP I-NP", 0, 1, 2},
		{"I for B at the beginning", "B-NP I-NP O B-NP", "I-NP I-NP O I-NP", 2, 2, 2},
		{"I of another type begins a chunk", "B-NP B-VP I-VP", "B-NP I-VP I-VP", 2, 2, 2},
		{"IOB1 on both sides", "I-NP I-NP B-NP O", "I-NP I-NP B-NP O", 2, 2, 2},
		{"a sentence's end ends a chunk", "O B-NP\nI-NP O", "O B-NP\nI-NP O", 2, 2, 2},
		{"not across sentences", "B-NP I-NP\nI-NP", "B-NP I-NP\nO", 1, 1, 2},
		{"the first of two", "B-NP O B-NP", "B-NP O O", 1, 1, 2},
		{"nothing predicted", "B-NP I-NP", "O O", 0, 0, 1},
		{"starts together and ends later together", "B-NP I-NP I-NP O B-NP", "B-NP I-NP I-NP B-NP O", 1, 2, 2},
		{"one ends where the other changes type", "B-NP I-NP I-NP", "B-NP I-VP I-VP", 0, 2, 1},
	} {
		got, ok := countSpans(tagged(c.truth, c.predicted))
		if !ok || got.right != c.right || got.predicted != c.predictions || got.truth != c.truths {
			t.Errorf("%s: %+v, want %d right of %d predicted and %d true", c.name, got, c.right, c.predictions, c.truths)
		}
	}
}

func TestChunkMetrics(t *testing.T) {
	o := tagged("B-NP I-NP O B-VP\nB-NP", "B-NP I-NP O B-NP\nB-NP")
	for name, want := range map[string]float64{"chunk_precision": 2.0 / 3, "chunk_recall": 2.0 / 3, "chunk_f1": 2.0 / 3, "accuracy": 0.8} {
		m, ok := Find(name)
		if got := m.Score(o); !ok || !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := fmt.Sprint(ChunkFacts(tagged("I-NP O B-NP", "I-NP I-VP O"))); got != "[{chunks in the test rows: true, predicted, right 2, 2, 1} {of them begin with I: true, predicted 1, 2}]" {
		t.Error(got)
	}
	none := tagged("O O", "O O")
	none.Levels = []string{"O", "B-X"}
	if m, _ := Find("chunk_f1"); m.Score(none) != 0 {
		t.Error("no chunk on either side: F1 is not 0")
	}
	classes, rows := tagged("NN VB", "NN NN"), tagged("B-X O", "B-X O")
	rows.Test.Starts = nil
	for _, o := range []*Outcome{classes, rows} {
		if m, _ := Find("chunk_f1"); !math.IsNaN(m.Score(o)) || ChunkFacts(o) != nil {
			t.Errorf("levels %v, sequences %v: chunks where there are none", o.Levels, o.Test.Starts)
		}
	}
}

// spansOf is a second, plain count: all spans as texts.
func spansOf(o *Outcome, values []float64) map[string]bool {
	tags, _ := iob.ParseAll(o.Levels)
	out := map[string]bool{}
	for i := range values {
		before := iob.Tag{}
		if i > 0 && !slices.Contains(o.Test.Starts, int32(i)) {
			before = tags[int(values[i-1])]
		}
		if tag := tags[int(values[i])]; tag.Begins(before) {
			end := i + 1
			for end < len(values) && !slices.Contains(o.Test.Starts, int32(end)) && tags[int(values[end])].Continues(tags[int(values[end-1])]) {
				end++
			}
			out[fmt.Sprint(i, end, tag.Type)] = true
		}
	}
	return out
}

func TestChunkInvariants(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	levels := []string{"B-X", "B-Y", "I-X", "I-Y", "O"}
	for range 300 {
		o := &Outcome{Type: data.Class, Levels: levels}
		for i := range 1 + rng.IntN(20) {
			if i == 0 || rng.IntN(5) == 0 {
				o.Test.Starts = append(o.Test.Starts, int32(i))
			}
			o.Test.Truth = append(o.Test.Truth, float64(rng.IntN(5)))
			p := rng.IntN(5)
			if rng.IntN(3) > 0 {
				p = int(o.Test.Truth[i])
			}
			o.Test.Prediction = append(o.Test.Prediction, float64(p))
		}
		got, _ := countSpans(o)
		truth, predicted, right := spansOf(o, o.Test.Truth), spansOf(o, o.Test.Prediction), 0
		for span := range truth {
			if predicted[span] {
				right++
			}
		}
		if got.truth != len(truth) || got.predicted != len(predicted) || got.right != right {
			t.Fatalf("%+v: %+v, want %d right of %d and %d", o.Test, got, right, len(predicted), len(truth))
		}
		swapped := *o
		swapped.Test.Truth, swapped.Test.Prediction = o.Test.Prediction, o.Test.Truth
		back, _ := countSpans(&swapped)
		if back.right != got.right || back.precision() != got.recall() || back.recall() != got.precision() {
			t.Errorf("truth and prediction exchanged: %+v, %+v", got, back)
		}
		swapped.Test.Prediction = swapped.Test.Truth
		if same, _ := countSpans(&swapped); same.right != same.truth || same.right != same.predicted {
			t.Errorf("a perfect prediction: %+v", same)
		}
	}
}
