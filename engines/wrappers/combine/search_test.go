package combine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
)

// brute computes every combination from its definition.
func brute(s Search) []Hit {
	rows, cols := s.X.Dims()
	dense := make([][]float64, rows)
	for i := range dense {
		dense[i] = make([]float64, cols)
		row := s.X.Row(i)
		for k, j := range row.Idx {
			dense[i][j] = row.At(k)
		}
	}
	var hits []Hit
	try := func(columns ...int32) {
		for b := range s.Blocks {
			sum := 0.0
			for i, x := range dense {
				t := s.R[i*s.Blocks+b]
				for _, j := range columns {
					t *= x[j]
				}
				sum += t
			}
			if math.Abs(sum) >= s.Low*(1-1e-9) {
				h := Hit{Columns: [3]int32{-1, -1, -1}, Block: int32(b), Value: sum}
				copy(h.Columns[:], columns)
				hits = append(hits, h)
			}
		}
	}
	for a, i := range s.Columns {
		if s.Squares {
			try(i, i)
		}
		for b, j := range s.Columns[a+1:] {
			try(i, j)
			if s.Order > 2 {
				for _, k := range s.Columns[a+b+2:] {
					try(i, j, k)
				}
			}
		}
	}
	sortHits(hits)
	return hits
}

// same tells how two lists of hits differ; values may by their rounding, and with them the order of equal ones.
func same(got, want []Hit) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d hits, want %d", len(got), len(want))
	}
	for k := range want {
		g, w := got[k], want[k]
		if g.Columns != w.Columns || g.Block != w.Block || !(math.Abs(g.Value-w.Value) <= 1e-9*math.Abs(w.Value)) {
			return fmt.Errorf("hit %d is %+v, want %+v", k, g, w)
		}
	}
	return nil
}

// problem is random, with columns of very different frequency.
type problem struct {
	signed, valued bool
	blocks         int
	rows, cols     int
}

func (p problem) search(rng *rand.Rand) Search {
	var b sparse.Builder
	for range p.rows {
		var idx []int32
		var val []float64
		for j := range int32(p.cols) {
			if rng.Float64() < 1/(1+0.3*float64(j)) {
				v := 1.0
				if p.valued {
					v = 0.1 + 2*rng.Float64()
				}
				if p.signed && rng.Float64() < 0.5 {
					v = -v
				}
				idx, val = append(idx, j), append(val, v)
			}
		}
		if !p.valued && !p.signed {
			val = nil
		}
		if err := b.Add(idx, val); err != nil {
			panic(err)
		}
	}
	s := Search{X: b.Matrix(p.cols), R: make([]float64, p.rows*p.blocks), Blocks: p.blocks, Order: 2, MinSupport: 1, Keep: 1 << 20, Workers: 1}
	for i := range s.R {
		if s.R[i] = rng.Float64() - 0.5; rng.Float64() < 0.1 {
			s.R[i] = 0
		}
	}
	for j := range int32(p.cols) {
		if j%7 != 3 {
			s.Columns = append(s.Columns, j)
		}
	}
	return s
}

var problems = map[string]problem{
	"0/1":                 {blocks: 1, rows: 120, cols: 40},
	"0/1, three blocks":   {blocks: 3, rows: 80, cols: 30},
	"values":              {valued: true, blocks: 1, rows: 100, cols: 30},
	"signs":               {signed: true, blocks: 1, rows: 100, cols: 30},
	"values and signs, 4": {valued: true, signed: true, blocks: 4, rows: 60, cols: 20},
	"many columns":        {blocks: 1, rows: 40, cols: 300},
}

func TestExact(t *testing.T) {
	for name, p := range problems {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			found, bounded := 0, 0
			for round := range 12 {
				s := p.search(rng)
				s.Order, s.Squares = 2+round%2, round%3 == 0
				if p.cols > 100 {
					s.Order = 2
				}
				s.Low = []float64{0.3, 1, 2, 4}[round%4]
				want := brute(s)
				got, census, err := s.Exact(context.Background())
				if err == nil {
					err = same(got, want)
				}
				if err != nil {
					t.Fatalf("low %v, order %d, squares %v: %v", s.Low, s.Order, s.Squares, err)
				}
				if found += len(got); census.Bounded < census.Candidates {
					bounded++
				}
				if census.Found != len(got) || census.Bounded > census.Candidates || float64(len(got)) > census.Bounded {
					t.Errorf("census %+v of %d hits", census, len(got))
				}
				for _, workers := range []int{2, 5} {
					s.Workers = workers
					again, c, err := s.Exact(context.Background())
					if err != nil || !reflect.DeepEqual(again, got) || c != census {
						t.Errorf("%d workers: %v, other hits or counts: %+v, %+v", workers, err, c, census)
					}
				}
			}
			if found == 0 || bounded == 0 {
				t.Errorf("%d hits; the bounds helped %d times: nothing was tested", found, bounded)
			}
		})
	}
}

// Where values are large, a column that is in no pair may be in a triple.
func TestTriplesOfLargeValues(t *testing.T) {
	s := Search{
		X: enginetest.Matrix([]float64{3, 3, 3}, []float64{0, 0, 1}), R: []float64{0.1, 0.2}, Blocks: 1, Columns: []int32{0, 1, 2},
		Low: 2, Order: 3, MinSupport: 1, Keep: 10, Workers: 1,
	}
	got, _, err := s.Exact(context.Background())
	if want := brute(s); err != nil || len(want) != 1 || same(got, want) != nil {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

func TestRate(t *testing.T) {
	for of, want := range map[Sample]float64{{}: 0, {Entries: 1, Sketched: 1}: 1, {Entries: 8, Sketched: 2}: 0.25} {
		if got := of.Rate(); got != want {
			t.Errorf("%+v: %v, want %v", of, got, want)
		}
	}
}

// No hit that is kept is smaller than one that is not.
func TestKeep(t *testing.T) {
	s := problem{blocks: 2, rows: 100, cols: 40}.search(rand.New(rand.NewPCG(3, 4)))
	s.Low = 0.5
	all, _, err := s.Exact(context.Background())
	if err != nil || len(all) < 50 {
		t.Fatal(len(all), err)
	}
	s.Workers = 3
	for _, keep := range []int{1, 7, len(all) / 2, len(all) + 1} {
		s.Keep = keep
		got, census, err := s.Exact(context.Background())
		if err != nil || !reflect.DeepEqual(got, all[:min(keep, len(all))]) || census.Found != len(all) {
			t.Errorf("%d of %d: other hits (%v), %d found", keep, len(all), err, census.Found)
		}
	}
}

// Which hits are kept does not depend on who found them, not even where many are equal but for rounding.
func TestKeepIsTheSameForAnyWorkers(t *testing.T) {
	const keep, n = 3, 10
	kept := func(workers int) []Hit {
		into := make([]*finds, workers)
		for w := range into {
			into[w] = &finds{keep: keep}
		}
		for k := range n {
			into[k%workers].addHit(0, 1+1e-12*float64(k), int32(k), n)
		}
		return largestHits(into, keep)
	}
	want := kept(1)
	if len(want) != keep || want[0].Columns[0] != n-keep { // the largest to the last bit; as equal ones, by place
		t.Errorf("kept %+v", want)
	}
	for workers := 2; workers <= n; workers++ {
		if got := kept(workers); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers keep %+v, one %+v", workers, got, want)
		}
	}
}

// The bounds hold for every pair, whatever the threshold.
func TestBounds(t *testing.T) {
	for name, p := range problems {
		rng := rand.New(rand.NewPCG(5, 6))
		s := p.search(rng)
		b := s.makeBounds()
		weights := make([]weight, p.cols)
		for _, j := range s.Columns {
			weights[j] = s.columnWeight(int(j), column(s.R, 0, s.Blocks))
		}
		s.Low = 1e-300
		checked := 0
		for _, h := range brute(s) {
			if h.Block != 0 {
				continue
			}
			checked++
			for _, j := range h.Columns[:2] {
				if reach := b.upperBound(weights[j], b.most); !(math.Abs(h.Value) <= reach*(1+1e-12)) {
					t.Errorf("%s: |%v| of %v is above the bound of column %d, %v", name, h.Value, h.Columns, j, reach)
				}
			}
		}
		if checked < 50 {
			t.Errorf("%s: %d pairs", name, checked)
		}
	}
}

func column(r []float64, b, blocks int) []float64 {
	var out []float64
	for i := b; i < len(r); i += blocks {
		out = append(out, r[i])
	}
	return out
}

// With sketches as long as columns the sampled search is exact; with short ones it finds nothing that is not there, and all
// that is far above the threshold.
func TestSampled(t *testing.T) {
	for name, p := range problems {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 8))
			missed, found := 0, 0
			for round := range 8 {
				s := p.search(rng)
				s.Low, s.Squares = []float64{0.5, 2}[round%2], round%3 == 0
				want, _, err := s.Exact(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				sampled := func(z, workers int) ([]Hit, Census) {
					s.Workers = workers
					hits, census, err := s.Sampled(context.Background(), rand.New(rand.NewPCG(9, 9)), z)
					if err != nil {
						t.Fatal(err)
					}
					return hits, census
				}
				if got, c := sampled(p.rows, 1); !reflect.DeepEqual(got, want) || c.Sample.Rate() != 1 {
					t.Errorf("complete sketches: %v, rate %v", same(got, want), c.Sample.Rate())
				}
				short, census := sampled(p.rows/4, 1)
				for _, h := range short {
					if !slices.Contains(want, h) {
						t.Errorf("no hit: %+v", h)
					}
				}
				missed, found = missed+len(want)-len(short), found+len(want)
				if c := census.Sample; c.Verified > c.Estimated || c.Sketched >= c.Entries && census.Columns > 5 && !(p.cols > 100) {
					t.Errorf("sample %+v", c)
				}
				if again, c := sampled(p.rows/4, 3); !reflect.DeepEqual(again, short) || c != census {
					t.Errorf("three workers: other hits or counts, %+v and %+v", c, census)
				}
			}
			if found == 0 || missed > found/4 {
				t.Errorf("%d of %d hits missed", missed, found)
			}
		})
	}
}

// The estimate is right on average, and its standard error tells how far off it is.
func TestEstimate(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	const n = 4000
	terms, truth := make([]float64, n), 0.0
	for i := range terms {
		if rng.Float64() < 0.05 {
			terms[i] = rng.Float64() - 0.3
		}
		truth += terms[i]
	}
	mean, covered, draws := 0.0, 0.0, 2000
	for range draws {
		sum, square, d := 0.0, 0.0, 800
		for _, i := range rng.Perm(n)[:d] {
			sum += terms[i]
			square += terms[i] * terms[i]
		}
		total, se := estimateTotal(sum, square, d, n)
		mean += total / float64(draws)
		if math.Abs(total-truth) <= 2*se {
			covered += 1 / float64(draws)
		}
	}
	if !(math.Abs(mean-truth) <= 0.02*truth) || covered < 0.93 || covered > 0.97 {
		t.Errorf("mean %v of %v; covered %v", mean, truth, covered)
	}
}

func TestSearchIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("why")
	cancel(why)
	s := problems["0/1"].search(rand.New(rand.NewPCG(1, 1)))
	s.Low = 1
	if _, _, err := s.Exact(ctx); !errors.Is(err, why) {
		t.Error(err)
	}
	if _, _, err := s.Sampled(ctx, rand.New(rand.NewPCG(1, 1)), 10); !errors.Is(err, why) {
		t.Error(err)
	}
}

func TestOracleCombos(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"combos": func(t *testing.T, c oracle.Case) {
		var in struct {
			X     [][]float64
			Y     []int `json:"y"`
			Alpha [][]float64
		}
		var opt struct {
			Param    string
			C, Theta float64
		}
		var want struct {
			Found      [][4]float64
			Candidates float64 `json:"n_candidates"`
		}
		var tol struct{ Found float64 }
		c.Decode(t, c.Input, &in)
		c.Decode(t, c.Options, &opt)
		c.Decode(t, c.Expected, &want)
		c.Decode(t, c.Tolerance, &tol)
		x := enginetest.Matrix(in.X...)
		s := Search{X: x, Blocks: 1, Low: opt.C * opt.Theta, Order: 2, MinSupport: 1, Keep: 1 << 20, Workers: 2}
		if opt.Param == "multiclass" {
			s.Blocks = len(in.Alpha[0])
		}
		for i, alpha := range in.Alpha {
			for b := range s.Blocks {
				label := b
				if s.Blocks == 1 {
					label = 1
				}
				r := -alpha[label]
				if in.Y[i] == label {
					r++
				}
				s.R = append(s.R, r)
			}
		}
		_, cols := x.Dims()
		for j := range int32(cols) {
			s.Columns = append(s.Columns, j)
		}
		hits, census, err := s.Exact(context.Background())
		if err != nil || census.Candidates != want.Candidates || len(hits) != len(want.Found) {
			t.Fatalf("%v; %v candidates, want %v; %d hits, want %d", err, census.Candidates, want.Candidates, len(hits), len(want.Found))
		}
		for k, f := range want.Found {
			h := hits[k]
			block := int32(f[2])
			if s.Blocks == 1 {
				block--
			}
			if h.Columns != [3]int32{int32(f[0]), int32(f[1]), -1} || h.Block != block {
				t.Errorf("hit %d is %+v, want %v", k, h, f)
			}
			oracle.Near(t, fmt.Sprint("hit ", k), h.Value/opt.C, f[3], tol.Found)
		}
	}})
}
