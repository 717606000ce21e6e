package process

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/io/formats/npz"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/exchange"
)

// FuzzAnswers reads whatever a method prints and leaves: no answer ends the host, and one that is taken is within what was asked for.
func FuzzAnswers(f *testing.F) {
	array := func(values []float64, shape ...int) []byte {
		var b bytes.Buffer
		if err := npz.WriteFloats(&b, values, shape...); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	market := []byte("%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n")
	for kind := range uint8(6) {
		f.Add(kind, []byte("hello\nfitted {\"selected\": [1, 0], \"coefficients\": [[0, 0, 1.5], [2, 0, -1]], \"intercept\": 0.5}\npredicted\n"), []byte(nil), []byte(nil))
		f.Add(kind, []byte("fitted\n"), []byte(`{"selected": [2], "scores": [1], "coef": "AAAAAAAA8D8=", "facts": {"a": "b"}, "notes": ["n"], "probabilities": true}`), array([]float64{1, 0, 2}, 3))
		f.Add(kind, []byte("fitted\n"), []byte(`{"baseline": {"time": [1, 2], "hazard": [0.1, 0.2]}, "intercept": [1, 2]}`), array([]float64{0, 1, 1, 0, 0.5, 0.5}, 3, 2))
		f.Add(kind, []byte(strings.Repeat("x", 4096)+"fitted\n"), []byte(`{"selected": []}`), market)
	}
	f.Fuzz(func(t *testing.T, kind uint8, printed, file, numbers []byte) {
		target := [][]data.Target{
			{{Type: data.Real}}, {{Type: data.Class, Levels: []string{"a", "b"}}}, {{Type: data.Class, Levels: []string{"a", "b", "c"}}}, {{Type: data.Survival}},
			{{Type: data.Real}, {Type: data.Class, Levels: []string{"a", "b"}}}, {{Type: data.Class, Levels: []string{"a"}}},
		}[kind%6]
		a := exchange.Expected{Columns: 3, Targets: target, Output: func(name string) bool {
			return name == declaration.Selected && kind&8 != 0 || name == declaration.Coefficients && kind&16 != 0
		}}
		p := &Process{most: a.MaxJSON(), answers: make(chan Answer, len(printed)+1), stderr: newTailWriter("", "")}
		p.readAnswers(bytes.NewReader(printed))
		at := t.TempDir()
		folder, err := files.OpenFolder(at)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		name := map[bool]string{true: ".mtx", false: ".npy"}[bytes.HasPrefix(numbers, []byte("%"))]
		for file, content := range map[string][]byte{"fitted.json": file, "coef" + name: numbers, exchange.AnswerName + name: numbers} {
			if content != nil {
				if err := os.WriteFile(filepath.Join(at, file), content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		answers := []*Answer{nil}
		for got := range p.answers {
			if answers = append(answers, &got); got.word != exchange.FittedLine && got.word != exchange.PredictedLine {
				t.Errorf("the word %q", got.word)
			}
		}
		for _, one := range answers {
			report, coefs, bias, err := exchange.ReadReport(folder, one.Rest(), a)
			if err != nil {
				continue
			}
			for _, j := range report.Selected {
				if j < 0 || j >= a.Columns {
					t.Errorf("column %d is selected", j)
				}
			}
			for _, c := range coefs {
				if c.Feature < 0 || c.Feature >= a.Columns || c.Output < 0 || c.Output >= a.Outputs() || math.IsNaN(c.Value) || math.IsInf(c.Value, 0) || c.Rank >= len(report.Selected) {
					t.Errorf("coefficient %+v", c)
				}
			}
			if bias != nil && len(bias) != a.Outputs() {
				t.Errorf("%d intercepts", len(bias))
			}
		}
		const rows = 3
		for _, probabilities := range []bool{false, true} {
			out := make([]float64, rows*a.Outputs())
			if err := exchange.ReadPredictions(out, folder, rows, a, probabilities); err != nil {
				continue
			}
			for _, v := range out {
				if math.IsNaN(v) || math.IsInf(v, 1) {
					t.Errorf("predictions %v", out)
				}
			}
		}
	})
}
