package cluster

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"fgbg": func(t *testing.T, c oracle.Case) {
		var in struct{ Sets [][]int32 }
		options := struct {
			S, Rho  float64
			MinSize int `json:"min_size"`
			Rounds  int
		}{Rho: 0.2, MinSize: 2, Rounds: 10}
		var want struct{ Cluster []int }
		c.Parts(t, &in, &options, &want)
		o := Options{Similarity: options.S, Share: options.Rho, MinSize: options.MinSize, Rounds: options.Rounds, Weights: equalWeights}
		if got := Cluster(in.Sets, o); !slices.Equal(got, want.Cluster) {
			t.Errorf("got  %v\nwant %v", got, want.Cluster)
		}
	}})
}

// with changes the defaults.
func with(change func(*Options)) Options {
	o := Defaults()
	change(&o)
	return o
}

// literal is the algorithm from its definition, on dense vectors, everything computed anew.
func literal(sets [][]int32, o Options) []int {
	n, features := len(sets), 0
	for _, set := range sets {
		for _, f := range set {
			features = max(features, int(f)+1)
		}
	}
	df := make([]float64, features)
	for _, set := range sets {
		for _, f := range set {
			df[f]++
		}
	}
	u := make([][]float64, n)
	for i, set := range sets {
		u[i] = make([]float64, features)
		for _, f := range set {
			u[i][f] = 1
			if o.Weights == idfWeights {
				u[i][f] = math.Log(float64(n) / df[f])
			}
		}
	}
	cos := func(a, b []float64) float64 {
		var ab, aa, bb float64
		for f := range a {
			ab, aa, bb = ab+float64(a[f]*b[f]), aa+float64(a[f]*a[f]), bb+float64(b[f]*b[f])
		}
		if ab == 0 {
			return 0
		}
		return ab / math.Sqrt(aa*bb)
	}
	for i := range u {
		if l := math.Sqrt(dot(u[i], u[i])); l > 0 {
			for f := range u[i] {
				u[i][f] /= l
			}
		}
	}
	near, out := make([]float64, n), make([]bool, n)
	background := 0
	for i := range u {
		for j := range u {
			if i != j {
				near[i] = max(near[i], cos(u[i], u[j]))
			}
		}
		if near[i] < o.Similarity-tie {
			out[i] = true
			background++
		}
	}
	for ; background < int(o.Share*float64(n)+tie); background++ {
		worst := -1
		for i := n - 1; i >= 0; i-- {
			if !out[i] && (worst < 0 || near[i] < near[worst]-tie) {
				worst = i
			}
		}
		out[worst] = true
	}
	var order []int
	for done := slices.Clone(out); slices.Contains(done, false); {
		best := -1
		for i := range n {
			if !done[i] && (best < 0 || near[i] > near[best]+tie) {
				best = i
			}
		}
		done[best], order = true, append(order, best)
	}
	var clusters [][]int
	sum := func(members []int) []float64 {
		s := make([]float64, features)
		for _, i := range members {
			for f, v := range u[i] {
				s[f] += v
			}
		}
		return s
	}
	closest := func(i int) (best int) {
		best, most := -1, o.Similarity-2*tie
		for k, c := range clusters {
			if x := cos(u[i], sum(c)); x >= o.Similarity-tie && x > most+tie {
				best, most = k, x
			}
		}
		return best
	}
	for _, i := range order {
		if k := closest(i); k >= 0 {
			clusters[k] = append(clusters[k], i)
		} else {
			clusters = append(clusters, []int{i})
		}
	}
	for {
		a, b, most := -1, -1, o.Similarity-2*tie
		for i := range clusters {
			for j := i + 1; j < len(clusters); j++ {
				if x := cos(sum(clusters[i]), sum(clusters[j])); x >= o.Similarity-tie && x > most+tie {
					a, b, most = i, j, x
				}
			}
		}
		if a < 0 {
			break
		}
		clusters[a] = append(clusters[a], clusters[b]...)
		clusters = slices.Delete(clusters, b, b+1)
	}
	of := slices.Repeat([]int{-1}, n)
	for k, c := range clusters {
		for _, i := range c {
			of[i] = k
		}
	}
	for range o.Rounds {
		next := slices.Repeat([]int{-1}, n)
		for _, i := range order {
			next[i] = closest(i)
		}
		if slices.Equal(next, of) {
			break
		}
		of = next
		for k := range clusters {
			clusters[k] = nil
			for _, i := range order {
				if of[i] == k {
					clusters[k] = append(clusters[k], i)
				}
			}
		}
	}
	names := map[int]int{}
	final := slices.Repeat([]int{-1}, n)
	for i, k := range of {
		if k < 0 || len(slices.DeleteFunc(slices.Clone(of), func(q int) bool { return q != k })) < o.MinSize {
			continue
		}
		if _, ok := names[k]; !ok {
			names[k] = len(names)
		}
		final[i] = names[k]
	}
	return final
}

func dot(a, b []float64) float64 {
	s := 0.0
	for f := range a {
		s += float64(a[f] * b[f])
	}
	return s
}

// random sets: some around a few themes, some of noise, some empty, some equal.
func random(rng *rand.Rand) [][]int32 {
	var sets [][]int32
	for range 4 + rng.IntN(30) {
		var set []int32
		theme := int32(rng.IntN(5))
		for f := range int32(8) {
			if rng.IntN(3) > 0 {
				set = append(set, 10*theme+f)
			}
		}
		for range rng.IntN(4) {
			if f := int32(50 + rng.IntN(12)); !slices.Contains(set, f) {
				set = append(set, f)
			}
		}
		switch rng.IntN(8) {
		case 0:
			set = nil
		case 1:
			if len(sets) > 0 {
				set = slices.Clone(sets[rng.IntN(len(sets))])
			}
		case 2:
			set = []int32{int32(62 + rng.IntN(10))}
		}
		rng.Shuffle(len(set), func(a, b int) { set[a], set[b] = set[b], set[a] })
		sets = append(sets, set)
	}
	return sets
}

func randomOptions(rng *rand.Rand) Options {
	return with(func(o *Options) {
		o.Similarity = 0.05 + 0.9*rng.Float64()
		if rng.IntN(3) == 0 {
			o.Similarity = []float64{0.5, math.Sqrt(0.5), 1}[rng.IntN(3)]
		}
		o.Share = []float64{0, 0.1, 0.2, 0.5}[rng.IntN(4)]
		o.MinSize, o.Rounds = 2+rng.IntN(2), rng.IntN(4)
		o.Weights = []string{equalWeights, idfWeights}[rng.IntN(2)]
	})
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(10, 2))
	found := 0
	for k := range 400 {
		sets, o := random(rng), randomOptions(rng)
		got, want := Cluster(sets, o), literal(sets, o)
		if !slices.Equal(got, want) {
			t.Errorf("case %d, %+v:\ngot  %v\nwant %v\n%v", k, o, got, want, sets)
		}
		found += Count(got)
	}
	if found < 400 {
		t.Errorf("only %d clusters in all cases", found)
	}
}

// What cannot matter: the order of features, repeated ones, their numbers, and sets that are empty.
func TestNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for range 50 {
		sets, o := random(rng), randomOptions(rng)
		o.Weights, o.Share = equalWeights, 0
		want := Cluster(sets, o)
		to := rng.Perm(100)
		var other [][]int32
		for _, set := range sets {
			var renamed []int32
			for _, f := range set {
				renamed = append(renamed, int32(1000*to[f]-40000))
			}
			other = append(other, append(renamed, renamed...))
		}
		if got := Cluster(append(other, nil), o); !slices.Equal(got[:len(want)], want) || got[len(want)] != Background {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// Clusters far apart are found in whatever order the points come.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	var sets [][]int32
	var theme []int
	for i := range 40 {
		set := []int32{int32(1000 + i)} // its own
		for f := range int32(6) {
			if int(f) != i/5%6 {
				set = append(set, int32(10*(i%5))+f)
			}
		}
		if theme = append(theme, i%5); i%8 == 7 { // its own alone
			set, theme[i] = set[:1], Background
		}
		sets = append(sets, set)
	}
	for range 20 {
		order := rng.Perm(len(sets))
		var some [][]int32
		for _, i := range order {
			some = append(some, sets[i])
		}
		got := Cluster(some, with(func(o *Options) { o.Share = 0.125 })) // 5 of 40
		first := map[int]int{}
		for k, i := range order {
			want := Background
			if theme[i] >= 0 {
				if _, ok := first[theme[i]]; !ok {
					first[theme[i]] = len(first)
				}
				want = first[theme[i]]
			}
			if got[k] != want {
				t.Fatalf("order %v: point %d is in %d, want %d", order, i, got[k], want)
			}
		}
	}
}

func TestEdges(t *testing.T) {
	for _, c := range []struct {
		name string
		sets [][]int32
		o    Options
		want []int
	}{
		{"no points", nil, Defaults(), []int{}},
		{"one point", [][]int32{{1}}, Defaults(), []int{-1}},
		{"all empty", [][]int32{nil, {}, nil}, Defaults(), []int{-1, -1, -1}},
		{"all equal", [][]int32{{1, 2}, {2, 1}, {1, 2, 2}}, with(func(o *Options) { o.Similarity, o.Share = 1, 0 }), []int{0, 0, 0}},
		{"a feature of all has no idf", [][]int32{{1}, {1}, {1}}, with(func(o *Options) { o.Weights, o.Share = idfWeights, 0 }), []int{-1, -1, -1}},
		{"of equal ones the last is background", [][]int32{{1}, {1}, {1}, {1}, {1}}, Defaults(), []int{0, 0, 0, 0, -1}},
		{"too small", [][]int32{{1}, {1}, {2}, {2}, {2}}, with(func(o *Options) { o.MinSize, o.Share = 3, 0 }), []int{-1, -1, 0, 0, 0}},
		{"similarity met exactly", [][]int32{{1, 2}, {1, 3}}, with(func(o *Options) { o.Similarity, o.Share = 0.5, 0 }), []int{0, 0}},
		{"similarity missed", [][]int32{{1, 2}, {1, 3}}, with(func(o *Options) { o.Similarity, o.Share = 0.500001, 0 }), []int{-1, -1}},
	} {
		got := Cluster(c.sets, c.o)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		if n, most := Count(got), slices.Max(append(got, Background)); n != most+1 {
			t.Errorf("%s: %d clusters, the last has number %d", c.name, n, most)
		}
	}
}

// themes are ten clusters of ten points.
func themes(rng *rand.Rand) (sets [][]int32) {
	for i := range 100 {
		set := []int32{int32(1000 + i)}
		for f := range int32(10) {
			if rng.IntN(5) > 0 {
				set = append(set, int32(20*(i%10))+f)
			}
		}
		sets = append(sets, set)
	}
	return sets
}

func TestTune(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	sets := themes(rng)
	for _, wished := range []int{1, 10, 15, 1000} {
		s, of := Tune(sets, wished, Defaults())
		if want := Cluster(sets, with(func(o *Options) { o.Similarity = s })); !slices.Equal(of, want) {
			t.Errorf("%d wished: the clusters at %v are %v, not %v", wished, s, want, of)
		}
		switch n := Count(of); {
		case wished == 10 && n != 10, wished == 15 && (n < 14 || n > 16), wished == 1000 && n < 15, wished == 1 && n > 10:
			t.Errorf("%d clusters wished: %d at %v", wished, n, s)
		}
	}
	if _, of := Tune(nil, 5, Defaults()); len(of) != 0 {
		t.Errorf("clusters of nothing: %v", of)
	}
}

// literalTune is the search for a similarity from its definition.
func literalTune(sets [][]int32, wished int, o Options) float64 {
	var tried []float64
	off := func(s float64) int {
		o.Similarity = s
		return Count(Cluster(sets, o)) - wished
	}
	try := func(s float64) bool {
		tried = append(tried, s)
		return off(s) >= 0
	}
	low, high := 0.0, 0.0
	for k := 1; k <= 20 && high == 0; k++ {
		if s := float64(k) / 20; try(s) {
			high = s
		} else {
			low = s
		}
	}
	for range 16 {
		if high == 0 || off(tried[len(tried)-1]) == 0 {
			break
		}
		if middle := (low + high) / 2; try(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return slices.MinFunc(tried, func(a, b float64) int {
		return cmp.Or(cmp.Compare(max(off(a), -off(a)), max(off(b), -off(b))), cmp.Compare(a, b))
	})
}

func TestTuneLiterally(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 8))
	for k := range 40 {
		sets, o, wished := random(rng), randomOptions(rng), 1+rng.IntN(7)
		if got, _ := Tune(sets, wished, o); got != literalTune(sets, wished, o) {
			t.Errorf("case %d: %d clusters wished: similarity %v, want %v", k, wished, got, literalTune(sets, wished, o))
		}
	}
}

func TestValidate(t *testing.T) {
	if err := Defaults().Validate(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Options){
		"similarity: 0":   func(o *Options) { o.Similarity = 0 },
		"similarity: NaN": func(o *Options) { o.Similarity = math.NaN() },
		"background: 1":   func(o *Options) { o.Share = 1 },
		"min_size: 1":     func(o *Options) { o.MinSize = 1 },
		"rounds: -1":      func(o *Options) { o.Rounds = -1 },
		"weights: ":       func(o *Options) { o.Weights = "tf" },
	} {
		if err := with(change).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func BenchmarkTune(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	var sets [][]int32
	for range 640 {
		var set []int32
		for range 5 + rng.IntN(40) {
			set = append(set, int32(20000*math.Pow(rng.Float64(), 3)))
		}
		sets = append(sets, set)
	}
	for _, wished := range []int{20, 75} {
		b.Run(fmt.Sprint(wished), func(b *testing.B) {
			for b.Loop() {
				s, of := Tune(sets, wished, Defaults())
				b.ReportMetric(float64(Count(of)), "clusters")
				b.ReportMetric(s, "similarity")
			}
		})
	}
}
