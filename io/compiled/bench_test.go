package compiled

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/files"
)

// large is as big as the treebank problem: 764,188 rows, 190,103 columns, 20.6 million ones.
func large() *data.Dataset {
	const rows, cols, each = 764_188, 190_103, 27
	rng := rand.New(rand.NewPCG(1, 2))
	ptr, idx := make([]int, rows+1), make([]int32, 0, rows*each)
	for i := range rows {
		for k := range each { // one column out of each stripe, so that they rise
			idx = append(idx, int32(k*(cols/each)+rng.IntN(cols/each)))
		}
		ptr[i+1] = len(idx)
	}
	names := make([]string, cols)
	for j := range names {
		names[j] = fmt.Sprintf("word=%d tag=%d", j, j%45)
	}
	values := make([]float64, rows)
	of := make([]int32, rows)
	for i := range values {
		values[i], of[i] = rng.NormFloat64(), rng.Int32N(rows)
	}
	return &data.Dataset{
		Name: "large", X: sparse.New(cols, ptr, idx, nil), Features: data.NewFeatures(names),
		Targets: []data.Target{{Name: "y", Type: data.Real, Values: values}},
		Groups:  &data.Groups{Name: "pattern", Of: of, Key: slices.Repeat([]uint64{7}, rows)},
	}
}

func BenchmarkLoad(b *testing.B) {
	if testing.Short() {
		b.Skip("a data set of 20 million entries; not with -short")
	}
	d := large()
	src := reader(func() *data.Dataset { shallow := *d; return &shallow })
	in, err := files.Open(nil, files.Folders{}, "")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("miss", func(b *testing.B) {
		for b.Loop() {
			load(b, Cache{Dir: b.TempDir()}, plain, src, in)
		}
	})
	b.Run("hit", func(b *testing.B) {
		c := Cache{Dir: b.TempDir()}
		load(b, c, plain, src, in)
		for b.Loop() {
			if _, hit := load(b, c, plain, src, in); !hit {
				b.Fatal("a miss")
			}
		}
	})
}
