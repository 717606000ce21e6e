package score

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"tenfold/engines"
	"tenfold/io/files"
	"tenfold/io/formats/conll"
)

// BenchmarkDecode labels the test part of CoNLL-2000 (47,377 tokens) with all 23 chunk tags by a linear model with a weight
// for every tenth pair of column and tag, on one core. 61 templates, 45 of which look at one or two previous labels.
func BenchmarkDecode(b *testing.B) {
	in := conll2000(b)
	f := conll.Kind.Defaults().(conll.Format)
	f.Columns, f.Target.Column = map[string]int{"w": 0, "t": 1, "c": 2}, "c"
	f.Features.Cutoff = 5
	for _, seen := range []string{"w[-2]", "w[-1]", "w[0]", "w[1]", "w[2]", "t[-2]", "t[-1]", "t[0]", "t[1]", "t[2]", "t[-1] t[0]", "t[0] t[1]", "t[-1] t[0] t[1]", "w[-1] w[0]", "w[0] w[1]", "bias"} {
		f.Features.Templates = append(f.Features.Templates, seen)
		if seen != "bias" {
			f.Features.Templates = append(f.Features.Templates, "c[-1] "+seen, "c[-2] "+seen, "c[-2] c[-1] "+seen)
		}
	}
	set, err := f.Load(b.Context(), in)
	if err != nil {
		b.Fatal(err)
	}
	var rows [2][]int32
	for i, part := range set.Part {
		rows[part] = append(rows[part], int32(i))
	}
	for _, beam := range []int{1, 4} {
		p, err := f.Recipe().Fit(set, rows[0])
		if err != nil {
			b.Fatal(err)
		}
		test := p.View(rows[1])
		s := steps(b, test)
		s.Beam = beam
		rng := rand.New(rand.NewPCG(1, 1))
		var coefs []engines.Coef
		for j := range p.Columns() {
			for l := range s.Levels {
				if rng.IntN(10) == 0 {
					coefs = append(coefs, engines.Coef{Feature: j, Output: l, Value: rng.NormFloat64()})
				}
			}
		}
		model := engines.NewLinear(p.Columns(), make([]float64, s.Levels), coefs, engines.Fitted{})
		b.Run(fmt.Sprintf("beam=%d", beam), func(b *testing.B) {
			for b.Loop() {
				if _, err := decodeSequences(model, s, test.Len(), false, 1); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*test.Len())/b.Elapsed().Seconds(), "tokens/s")
			b.ReportMetric(float64(len(coefs)), "weights")
		})
	}
}

func conll2000(b *testing.B) *files.Set {
	b.Helper()
	folder := os.Getenv("TENFOLD_DATA")
	if folder == "" {
		b.Skip("TENFOLD_DATA is not set: CoNLL-2000 is not there")
	}
	in, err := files.Open(map[string]files.Ref{
		"train": {Path: "conll2000/train.txt.gz"}, "test": {Path: "conll2000/test.txt.gz"},
	}, files.Folders{Data: []string{folder}}, "")
	if err != nil {
		b.Skip(err)
	}
	return in
}
