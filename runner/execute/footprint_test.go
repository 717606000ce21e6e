package execute_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/prepare"
	"tenfold/engines/steps/stagewise"
	"tenfold/io/results"
	"tenfold/io/scratch"
	"tenfold/runner/execute"
	"tenfold/runner/folds"
)

// wide is so many rows that their entries are worth a place on disk.
func wide(t *testing.T, target data.Type) *data.Dataset {
	t.Helper()
	const rows, cols, ones = 100_000, 600, 12
	rng := rand.New(rand.NewPCG(1, 2))
	ptr, idx, y := make([]int, 1, rows+1), make([]int32, 0, rows*ones), make([]float64, rows)
	for i := range rows {
		for k := range ones {
			at := k*cols/ones + rng.IntN(1+rng.IntN(cols/ones))
			idx = append(idx, int32(at))
			if at%17 == 0 {
				y[i] = 1
			}
		}
		ptr = append(ptr, len(idx))
	}
	d := &data.Dataset{X: sparse.New(cols, ptr, idx, nil), Features: data.NumberedFeatures(0, cols), Targets: []data.Target{{Name: "y", Type: target, Values: y}}}
	if target == data.Class {
		d.Targets[0].Levels = []string{"no", "yes"}
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

// What is fitted with the arrays of the data on disk is what is fitted in memory, bit for bit.
func TestOnDisk(t *testing.T) {
	t.Parallel()
	if !scratch.Supported {
		t.Skip("this system maps no files")
	}
	steps := stagewise.Kind.Defaults().(stagewise.Stagewise)
	steps.MaxIter = 60
	sparse := l1.L1Kind.Defaults().(l1.L1)
	sparse.Ratio, sparse.Tol = 0.3, 1e-3
	for _, c := range []struct {
		name   string
		engine engines.Engine
		target data.Type
		recipe prepare.Recipe
	}{
		{"stagewise", steps, data.Real, prepare.Recipe{}},
		{"stagewise after a cutoff", steps, data.Real, prepare.Recipe{Cutoff: 300}},
		{"l1", sparse, data.Class, prepare.Recipe{}},
		{"l1 of scaled values", sparse, data.Class, prepare.Recipe{Scale: "sd"}},
	} {
		d := wide(t, c.target)
		var fold folds.Fold
		for i := range int32(d.Rows()) {
			if i%10 == 3 {
				fold.Test = append(fold.Test, i)
			} else {
				fold.Train = append(fold.Train, i)
			}
		}
		var got []*results.Outcome
		for _, memory := range []int64{0, 64 << 20} {
			dir := filepath.Join(t.TempDir(), "scratch")
			u := &execute.Unit{
				Label: results.Label{Unit: c.name, Seed: 7}, Split: &execute.Split{Set: d, Recipe: c.recipe, Fold: fold}, Engine: c.engine, Predictions: true,
				Footprint: engines.Footprint{Bytes: 1 << 30, Resident: 1 << 20, Useful: 1 << 10},
			}
			st := &store{got: map[string]*results.Outcome{}}
			if err := execute.Run(t.Context(), []*execute.Unit{u}, st, execute.Options{Jobs: 2, Memory: memory, Scratch: dir}); err != nil {
				t.Fatal(err)
			}
			if left, err := os.ReadDir(dir); (err == nil) != (memory > 0) || len(left) > 0 {
				t.Errorf("%s, memory of %d: the folder for what is large has %v, %v", c.name, memory, left, err)
			}
			o := st.got[c.name]
			if o.Status != results.OK {
				t.Fatalf("%s: %s %s", c.name, o.Status, o.Error)
			}
			got = append(got, o)
		}
		if a, b := got[0], got[1]; !reflect.DeepEqual(a.Selected, b.Selected) && fmt.Sprint(a.Selected) != fmt.Sprint(b.Selected) || !reflect.DeepEqual(a.Predictions, b.Predictions) && fmt.Sprint(a.Predictions) != fmt.Sprint(b.Predictions) || len(a.Selected) == 0 {
			t.Errorf("%s: the model, or what it predicts, is another on disk: %d and %d coefficients", c.name, len(a.Selected), len(b.Selected))
		}
	}
}

// What needs more than all memory is refused in words, before anything has run.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	ran := false
	fit := func(ctx context.Context, run engines.Run) (engines.Model, error) {
		ran = true
		return succeed(ctx, run)
	}
	small, large := unit("small", split(dataset(t)), fit), unit("large", split(dataset(t)), fit)
	small.Label.Dataset, large.Label.Dataset = "d", "d"
	large.Footprint.Bytes = 12 << 30
	opt := execute.Options{Jobs: 1, Memory: 6 << 30, MemoryLimit: 8 << 30, Scratch: t.TempDir()}
	err := execute.Run(t.Context(), []*execute.Unit{small, large}, &store{got: map[string]*results.Outcome{}}, opt)
	if !errors.As(err, new(execute.TooLarge)) || ran {
		t.Fatalf("got %v; something ran: %v", err, ran)
	}
	for _, part := range []string{"large fold 0", "predicted to need 12 GiB", "4 rows, 3 columns, 5 entries", "all memory here is 8 GiB", "features.cutoff"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %q in: %v", part, err)
		}
	}
	if strings.Contains(err.Error(), "small") {
		t.Errorf("what fits is blamed, too: %v", err)
	}
	large.Split.Set.Targets[0].Levels = make([]string, 100_000)
	if err := opt.CheckMemory([]*execute.Unit{large}); err == nil || !strings.Contains(err.Error(), "5 entries, 100000 levels of the target), and") || !strings.Contains(err.Error(), "fewer levels, ") {
		t.Errorf("100,000 levels: %v", err)
	}
	large.Footprint.Resident = 1 << 30 // now it fits, with its arrays on disk
	if err := opt.CheckMemory([]*execute.Unit{small, large}); err != nil && scratch.Supported {
		t.Error(err)
	}
	large.Footprint.Bytes, large.Limits.Memory = 12<<30, 1<<20 // the experiment's own limit makes it a fit that is skipped
	if err := opt.CheckMemory([]*execute.Unit{large}); err != nil {
		t.Error(err)
	}
}
