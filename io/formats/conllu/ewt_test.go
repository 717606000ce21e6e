package conllu

import (
	"context"
	"math"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// ewt is the training part of UD English EWT.
func ewt(tb testing.TB) *files.Set {
	return sourcetest.Open(tb, map[string]string{"all": "ud-english-ewt/en_ewt-ud-train.conllu.gz"})
}

// split is the hold-out by pattern: the training rows.
func split(d *data.Dataset, fraction float64, seed uint64) (train []int32) {
	for i, g := range d.Groups.Of {
		if !(data.Uniform(d.Groups.Key[g], seed) < fraction) {
			train = append(train, int32(i))
		}
	}
	return train
}

// counts is the number of the given rows that each column has.
func counts(d *data.Dataset, rows []int32) []int {
	n := make([]int, d.Features.Len())
	for _, i := range rows {
		for _, j := range d.X.Row(int(i)).Idx {
			n[j]++
		}
	}
	return n
}

func TestEWT(t *testing.T) {
	pooled := JoinsKind.Defaults().(Joins)
	pooled.TrainOnly = false
	d := sourcetest.Read(t, pooled, ewt(t))
	mean, square := 0.0, 0.0
	for _, y := range d.Targets[0].Values {
		mean += y / float64(d.Rows())
	}
	for _, y := range d.Targets[0].Values {
		square += (y - mean) * (y - mean)
	}
	if variance := square / float64(d.Rows()); !(math.Abs(mean-6.810) <= 5e-4) || !(math.Abs(variance-9.975) <= 5e-4) {
		t.Errorf("target: mean %.4f and variance %.4f, want 6.810 and 9.975", mean, variance)
	}
	train := split(d, 0.1, 2004)
	prepared, err := JoinsKind.Defaults().Recipe().Fit(d, train)
	if err != nil {
		t.Fatal(err)
	}
	before := 0 // the figures are about training rows
	for _, n := range counts(d, train) {
		if n > 0 {
			before++
		}
	}
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"joins", d.Rows(), 192033},
		{"training rows", len(train), 172773},
		{"test rows", d.Rows() - len(train), 19260},
		{"patterns in training rows before the cutoff", before, 815394},
		{"patterns after the cutoff", prepared.Columns(), 75072},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %d, want %d", c.what, c.got, c.want)
		}
	}
}

// The benchmarks go from decoded bytes to columns after the cutoff.
func BenchmarkJoins(b *testing.B)  { benchmark(b, JoinsKind.Defaults()) }
func BenchmarkTokens(b *testing.B) { benchmark(b, TokensKind.Defaults()) }

func benchmark(b *testing.B, s source.Source) {
	in := ewt(b)
	content, _, err := in.Bytes("all")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		d, err := s.Load(context.Background(), in)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Recipe().Fit(d, split(d, 0.1, 2004)); err != nil {
			b.Fatal(err)
		}
	}
}
