package transfer

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/wrappers/onevsrest"
)

// The size of word senses: 88 words of four senses, 200 rows of 100 features each, and senses with up to 300 that go with them.
const (
	benchWords, benchSenses = 88, 4
	benchRows, benchPerRow  = 200, 100
	benchColumns            = 6000
)

func zipf(rng *rand.Rand, n int) string {
	j := int(float64(n) * math.Pow(rng.Float64(), 3))
	return fmt.Sprintf("%s_%d", []string{"tp", "w", "pos", "dep"}[j%4], j)
}

// benchPool of levels with some features around a theme, and others by their frequency.
func benchPool(tb testing.TB) *pool {
	rng := rand.New(rand.NewPCG(1, 1))
	var all pooled
	for k := range benchWords {
		var own []handLevel
		for s := range benchSenses {
			l := handLevel{name: fmt.Sprint("sense", s), rows: 10 + rng.IntN(100)}
			size, theme := rng.IntN(300), rng.IntN(60)
			for range size {
				name := zipf(rng, 3*benchColumns)
				if rng.IntN(2) == 0 {
					name = fmt.Sprintf("w_%d", 20000+200*theme+rng.IntN(200))
				}
				l.lists[0] = append(l.lists[0], name)
			}
			slices.Sort(l.lists[0])
			l.lists[0] = slices.Compact(l.lists[0])
			l.lists[1] = l.lists[0][:min(4, len(l.lists[0]))]
			own = append(own, l)
		}
		all.Tasks = append(all.Tasks, handTask(fmt.Sprintf("word%02d", k), own...))
	}
	p, err := newPool(all)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// benchWord is the data of a word, each of whose senses has features of its own.
func benchWord(tb testing.TB) *data.Dataset {
	rng := rand.New(rand.NewPCG(2, 2))
	names, y := []string(nil), make([]float64, benchRows)
	number := map[string]int32{}
	var b sparse.Builder
	for i := range y {
		sense := rng.IntN(benchSenses)
		y[i] = float64(sense)
		row := map[int32]bool{}
		for len(row) < benchPerRow {
			name := zipf(rng, 3*benchColumns)
			if rng.IntN(10) == 0 {
				name = fmt.Sprintf("w_%d", 20000+200*sense+rng.IntN(50))
			}
			if _, ok := number[name]; !ok {
				number[name] = int32(len(names))
				names = append(names, name)
			}
			row[number[name]] = true
		}
		var idx []int32
		for j := range row {
			idx = append(idx, j)
		}
		slices.Sort(idx)
		if err := b.Add(idx, nil); err != nil {
			tb.Fatal(err)
		}
	}
	set := enginetest.Dataset(b.Matrix(len(names)), enginetest.Class("word", benchSenses, y...))
	set.Features = classed(names)
	return set
}

func BenchmarkFit(b *testing.B) {
	p, set := benchPool(b), benchWord(b)
	view := enginetest.View(set, nil)
	fit := func(e engines.Engine) {
		r := run(set, nil)
		r.Train = view
		if _, err := e.Fit(context.Background(), r); err != nil {
			b.Fatal(err)
		}
	}
	for _, setting := range []int{1, 3} {
		e := onTask(b, p, with(func(e *Engine) { e.Setting = setting }), "word40")
		here, err := read(context.Background(), e.simes(), view)
		if err != nil {
			b.Fatal(err)
		}
		own := leave(set.Features, here, false)
		b.Run(fmt.Sprint("setting ", setting), func(b *testing.B) {
			for b.Loop() {
				fit(e)
			}
		})
		b.Run(fmt.Sprint("clusters, setting ", setting), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := e.learn(own); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	e := with(func(*Engine) {})
	b.Run("tests", func(b *testing.B) {
		for b.Loop() {
			if _, err := read(context.Background(), e.simes(), view); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tpc", func(b *testing.B) {
		for b.Loop() {
			fit(onevsrest.Engine{Base: e.tpc()})
		}
	})
	b.Run("tune", func(b *testing.B) {
		e := with(func(e *Engine) { e.Clusters = 60 })
		for b.Loop() {
			clear(p.tuned)
			if _, err := p.tune(e.pooling(), 40); err != nil {
				b.Fatal(err)
			}
		}
	})
}
