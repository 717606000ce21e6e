package score

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/decision"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/formats/conll"
	"tenfold/io/source/sourcetest"
)

// corpus is some sentences of random tokens and tags.
func corpus(rng *rand.Rand, sentences int) string {
	var b strings.Builder
	for range sentences {
		for range 1 + rng.IntN(4) {
			fmt.Fprintf(&b, "%c %c %s\n", 'a'+rng.IntN(4), 'T'+rng.IntN(3), []string{"B-X", "I-X", "O"}[rng.IntN(3)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func prepared(t testing.TB, beam int, contents map[string]string) (train, test *data.View) {
	t.Helper()
	f := conll.Kind.Defaults().(conll.Format)
	f.Columns, f.Target.Column = map[string]int{"w": 0, "t": 1, "c": 2}, "c"
	f.Target.Scheme = "as-is"
	f.Features.Templates = []string{"w[0]", "c[-1]", "c[-2] c[-1]", "c[-1] t[0]", "bias"}
	f.Decode.Beam = beam
	set, err := f.Load(t.Context(), sourcetest.Input(contents))
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	var rows [2][]int32
	for i, part := range set.Part {
		rows[part] = append(rows[part], int32(i))
	}
	p, err := f.Recipe().Fit(set, rows[0])
	if err != nil {
		t.Fatal(err)
	}
	return p.View(rows[0]), p.View(rows[1])
}

// drawn is a linear model with random weights on some of the columns.
func drawn(rng *rand.Rand, columns, levels int, whole bool) *engines.Linear {
	var coefs []engines.Coef
	for j := range columns {
		for l := range levels {
			value := rng.NormFloat64()
			if whole { // few values, many ties
				value = float64(rng.IntN(3) - 1)
			}
			coefs = append(coefs, engines.Coef{Feature: j, Output: l, Value: value})
		}
	}
	return engines.NewLinear(columns, make([]float64, levels), coefs, engines.Fitted{})
}

func steps(t testing.TB, v *data.View) *data.Steps {
	t.Helper()
	s, err := v.Inputs().Steps()
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	return s
}

// sumOf is the log-probability of the labels of one sequence.
func sumOf(d *decoder, first int, labels []int32) (sum float64) {
	scores := make([]float64, d.steps.Levels)
	for k, l := range labels {
		d.scoreRow(scores, first+k, labels[:k])
		d.logProbabilities(scores)
		sum += scores[l]
	}
	return sum
}

// A beam as wide as there are label sequences finds the best of them, the first in order of labels on ties.
func TestWideBeamIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	train, test := prepared(t, 81, map[string]string{"train": corpus(rng, 60), "test": corpus(rng, 40)})
	s := steps(t, test)
	for round := range 4 {
		model := drawn(rng, train.Columns(), s.Levels, round%2 == 1)
		got, err := decodeSequences(model, s, test.Len(), false, 1)
		if err != nil {
			t.Fatal(err)
		}
		d := &decoder{model: model, steps: s}
		for k := range s.Len() {
			first, end := s.Span(k)
			best := math.Inf(-1)
			labels := make([]int32, end-first)
			for number := range int(math.Pow(float64(s.Levels), float64(end-first))) {
				for q := range labels {
					labels[q] = int32(number % s.Levels)
					number /= s.Levels
				}
				best = max(best, sumOf(d, first, labels))
			}
			if sum := sumOf(d, first, got.labels[first:end]); sum < best-1e-12 {
				t.Errorf("round %d, sequence %d: %v has %v, the best sequence %v", round, k, got.labels[first:end], sum, best)
			}
		}
	}
}

func TestInsert(t *testing.T) {
	for _, c := range []struct {
		sums []float64 // of labels 0, 1, ...
		want string    // labels, the best first
	}{
		{[]float64{1, 2, 3, 4}, "3 2 1"}, {[]float64{4, 3, 2, 1}, "0 1 2"}, {[]float64{1, 1, 1, 1}, "0 1 2"},
		{[]float64{1, 2, 2, 1, 2, 2}, "1 2 4"}, {[]float64{5}, "0"}, {[]float64{2, 1, 1, 2}, "0 3 1"},
	} {
		best := make([]extension, 0, 3)
		for l, sum := range c.sums {
			best = insertExtension(best, extension{label: int32(l), sum: sum})
		}
		var got []string
		for _, e := range best {
			got = append(got, fmt.Sprint(e.label))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, want %s", c.sums, got, c.want)
		}
	}
}

// A beam of one is greedy; what is stored with a row are its scores after the labels decoded before it; workers change
// nothing; and true labels of the test rows play no part.
func TestDecode(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	text, other := corpus(rng, 50), corpus(rng, 50)
	relabelled := strings.NewReplacer("B-X", "I-X", "I-X", "O", "O", "B-X").Replace(other)
	for _, beam := range []int{1, 2, 5} {
		train, test := prepared(t, beam, map[string]string{"train": text, "test": other})
		_, blind := prepared(t, beam, map[string]string{"train": text, "test": relabelled})
		s := steps(t, test)
		model := drawn(rng, train.Columns(), s.Levels, true)
		one, err := decodeSequences(model, s, test.Len(), false, 1)
		if err != nil {
			t.Fatal(err)
		}
		many, _ := decodeSequences(model, s, test.Len(), false, 8)
		if !slices.Equal(one.labels, many.labels) || !slices.Equal(one.scores, many.scores) {
			t.Errorf("beam %d: eight workers decode otherwise than one", beam)
		}
		unseen, _ := decodeSequences(model, steps(t, blind), blind.Len(), false, 2)
		if !slices.Equal(one.labels, unseen.labels) || !slices.Equal(one.scores, unseen.scores) {
			t.Errorf("beam %d: the labels of the test rows changed what is predicted of them", beam)
		}
		d := decoder{model: model, steps: s, out: decoded{labels: make([]int32, test.Len()), scores: make([]float64, len(one.scores))}}
		row := make([]float64, s.Levels)
		for k := range s.Len() {
			first, end := s.Span(k)
			for i := first; i < end; i++ {
				d.scoreRow(row, i, one.labels[first:i])
				if !slices.Equal(row, one.scores[i*s.Levels:(i+1)*s.Levels]) {
					t.Errorf("beam %d, row %d: scores %v, want %v", beam, i, one.scores[i*s.Levels:(i+1)*s.Levels], row)
				}
				if beam == 1 && int(one.labels[i]) != (*decision.Rule)(nil).Level(row) {
					t.Errorf("row %d: label %d, scores %v", i, one.labels[i], row)
				}
			}
			d.decodeBeam(k)
		}
		if !slices.Equal(d.out.labels, one.labels) {
			t.Errorf("beam %d: the beam decodes otherwise than greedy", beam)
		}
	}
}

// Sums are of log-probabilities where the model gives these, so the same model decodes alike either way.
func TestProbabilities(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	train, test := prepared(t, 3, map[string]string{"train": corpus(rng, 50), "test": corpus(rng, 50)})
	s := steps(t, test)
	model := drawn(rng, train.Columns(), s.Levels, false)
	logits, _ := decodeSequences(model, s, test.Len(), false, 1)
	shares, _ := decodeSequences(softmax{model}, s, test.Len(), true, 1)
	if !slices.Equal(logits.labels, shares.labels) {
		t.Error("probabilities decode otherwise than the scores that they are made of")
	}
}

func TestDecodingIsRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	train, test := prepared(t, 1, map[string]string{"train": corpus(rng, 5), "test": corpus(rng, 5)})
	s := steps(t, test)
	for want, model := range map[string]engines.Model{
		"cannot score a row by itself": silent{drawn(rng, train.Columns(), s.Levels, false)},
		"one output a class":           drawn(rng, train.Columns(), s.Levels+1, false),
	} {
		if _, err := decodeSequences(model, s, test.Len(), false, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// predict hands decoded labels to the metrics of both sides.
func TestPredictDecodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	train, test := prepared(t, 4, map[string]string{"train": corpus(rng, 50), "test": corpus(rng, 50)})
	model := drawn(rng, train.Columns(), 3, false)
	got, err := Predict(model, train, test, 2)
	if err != nil {
		t.Fatal(err)
	}
	for name, side := range map[string]struct {
		view *data.View
		got  []float64
	}{"train": {train, got[0].Train.Prediction}, "test": {test, got[0].Test.Prediction}} {
		want, _ := decodeSequences(model, steps(t, side.view), side.view.Len(), false, 1)
		for i, l := range want.labels {
			if side.got[i] != float64(l) {
				t.Errorf("%s, row %d: %v, want %d", name, i, side.got[i], l)
			}
		}
	}
	if !slices.Equal(got[0].Test.Starts, test.Starts()) {
		t.Errorf("sequences begin at %v, want %v", got[0].Test.Starts, test.Starts())
	}
	cut := test.Sub([]int32{1, 2, 3})
	if _, err := Predict(model, train, cut, 1); err == nil || !strings.Contains(err.Error(), "keep sequences whole") {
		t.Errorf("a cut sequence: %v", err)
	}
}

// silent is a model without Score.
type silent struct{ engines.Model }

// softmax makes logarithms of probabilities of a linear model's scores.
type softmax struct{ *engines.Linear }

func (m softmax) Score(dst []float64, row sparse.Vec) {
	m.Linear.Score(dst, row)
	z := 0.0
	for _, s := range dst {
		z += math.Exp(s)
	}
	for l := range dst {
		dst[l] -= math.Log(z)
	}
}
