package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/registry"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
)

// neighbour is an engine that learns from other tasks. Cells with other values of Own need the same donors and pool, those with other
// values of Shared others.
type neighbour struct {
	Own    int `yaml:"own"`
	Shared int `yaml:"shared"`
}

func (neighbour) Validate() error      { return nil }
func (neighbour) Needs() engines.Needs { return engines.Needs{} }
func (neighbour) Fit(context.Context, engines.Run) (engines.Model, error) {
	return nil, fmt.Errorf("not fitted")
}
func (n neighbour) Donor() engines.Engine               { return neighbour{Shared: n.Shared} }
func (n neighbour) Pooling() engines.Pooling            { return pooling{n.Shared} }
func (neighbour) StageRevision() int                    { return 3 }
func (neighbour) Learn([]byte) (engines.Learned, error) { return nil, fmt.Errorf("learns nothing") }
func newAlgorithm(name string, n neighbour) algorithm.Algorithm {
	return algorithm.Algorithm{Name: name, Kind: "neighbour", Rev: 1, Engine: n, Defaults: neighbour{}, Canonical: registry.Canonical(n, neighbour{})}
}

type pooling struct{ Shared int }

// Pool joins what was left, with the names of the tasks.
func (pooling) Pool(_ context.Context, tasks []string, left [][]byte) (p engines.Pooled, err error) {
	for i, name := range tasks {
		p.Artefact = fmt.Appendf(p.Artefact, "%s:%s ", name, left[i])
	}
	return p, nil
}

// family is a plan of two tasks and some algorithms, as Build makes it once the data are there.
func family(t *testing.T, algorithms ...algorithm.Algorithm) *Plan {
	t.Helper()
	whole := enginetest.Dataset(enginetest.Random(1, 12, 3, 0.5, true), enginetest.Class("z", 2, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1))
	whole.Digest, whole.Tasks = "whole", &data.Tasks{Names: []string{"go", "run"}, Of: []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}}
	of := &experiment.Dataset{Name: "words", Source: reader{}, TrainFraction: 1}
	of.Folds.Kind, of.Folds.K = "kfold", 2
	of.Folds = of.Folds.Normalised()
	p := &Plan{File: &experiment.File{Name: "x", Seed: 7, Algorithms: algorithms}}
	tasks, err := tasksOf(experiment.Family{Kind: experiment.ByFolder}, whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tasks {
		set := &Set{Dataset: of, Name: of.Name, Data: whole}
		if err := set.makeFolds(t.Context(), one, 7, new(loader)); err != nil {
			t.Fatal(err)
		}
		p.Sets = append(p.Sets, set)
	}
	pools := newPools(p)
	for _, set := range p.Sets {
		for i := range p.File.Algorithms {
			pool, err := pools.poolFor(set, &p.File.Algorithms[i])
			if err != nil {
				t.Fatal(err)
			}
			p.Cells = append(p.Cells, p.newCell(set, &p.File.Algorithms[i], pool))
		}
	}
	return p
}

// TestStages: each task has a donor, and the family a pool of them, for all cells that ask for the same; every fit builds on its pool, and
// the pool on its donors, each in its place.
func TestStages(t *testing.T) {
	t.Parallel()
	p := family(t, newAlgorithm("a", neighbour{Own: 1}), newAlgorithm("b", neighbour{Own: 2}), newAlgorithm("c", neighbour{Shared: 5}))
	var got []string
	for _, c := range p.Stages {
		got = append(got, fmt.Sprint(c.Stage, " ", c.Set.Name, " ", c.Algorithm.Name, " ", len(c.After)))
	}
	want := []string{"donor words/go a 0", "donor words/run a 0", "pool words a 2", "donor words/go c 0", "donor words/run c 0", "pool words c 2"}
	if !slices.Equal(got, want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for _, c := range p.Cells {
		pool := p.Stages[2]
		if c.Algorithm.Name == "c" {
			pool = p.Stages[5]
		}
		for _, u := range c.Units {
			if len(u.After) != 1 || u.After[0] != &pool.Units[0].Unit || !slices.Equal(u.Ingredients.After, []string{pool.Units[0].Label.Unit}) {
				t.Errorf("%s builds on %v", u.Label.Name(), u.Ingredients.After)
			}
		}
	}
	pool := p.Stages[2].Units[0]
	for i, donor := range p.Stages[:2] {
		if u := donor.Units[0]; pool.After[i] != &u.Unit || pool.Ingredients.After[i] != u.Label.Unit || len(u.Split.Fold.Train) != 6 || len(u.Split.Fold.Test) != 0 {
			t.Errorf("donor %d: %+v", i, u.Label)
		}
	}
	before := func(i int) (*results.Outcome, error) {
		return &results.Outcome{Artefact: []byte(pool.After[i].Label.Task)}, nil
	}
	made, err := pool.Pool(t.Context(), execute.Before(before))
	if err != nil || string(made.Artefact) != "go:go run:run " {
		t.Errorf("%s, %v", made.Artefact, err)
	}
	if _, err := pool.Pool(t.Context(), func(int) (*results.Outcome, error) { return nil, fmt.Errorf("lost") }); err == nil || err.Error() != "lost" {
		t.Errorf("without a donor: %v", err)
	}
}

// TestStageKeys: what changes a donor changes the pool and all that builds on it; what does not, leaves the keys of stages alone.
func TestStageKeys(t *testing.T) {
	t.Parallel()
	keys := func(n neighbour, seed int64) string {
		p := family(t, newAlgorithm("a", n))
		p.File.Seed = seed
		var all []string
		for _, c := range p.Stages {
			all = append(all, c.unitKeys()...)
		}
		return strings.Join(all, " ")
	}
	same, other := keys(neighbour{}, 7), keys(neighbour{Shared: 1}, 7)
	if keys(neighbour{Own: 3}, 7) != same {
		t.Error("a parameter that no stage has changes the stages")
	}
	a, b := strings.Fields(same), strings.Fields(other)
	for i := range a {
		if a[i] == b[i] {
			t.Errorf("stage %d has the key of another", i)
		}
	}
}

// TestWiderLimits: a stage that two algorithms share has the wider limits of the two.
func TestWiderLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want algorithm.Limits }{
		{algorithm.Limits{Time: 1, Memory: 5}, algorithm.Limits{Time: 2, Memory: 3}, algorithm.Limits{Time: 2, Memory: 5}},
		{algorithm.Limits{Time: 2, Memory: 3}, algorithm.Limits{Time: 1, Memory: 5}, algorithm.Limits{Time: 2, Memory: 5}},
		{algorithm.Limits{Time: 2}, algorithm.Limits{Memory: 5}, algorithm.Limits{}},
		{algorithm.Limits{Time: 2, Memory: 5}, algorithm.Limits{}, algorithm.Limits{}},
	} {
		a, b := newAlgorithm("a", neighbour{Own: 1}), newAlgorithm("b", neighbour{Own: 2})
		a.Limits, b.Limits = c.a, c.b
		for _, stage := range family(t, a, b).Stages {
			if got := stage.Units[0].Limits; got != execute.Limits(c.want) {
				t.Errorf("%+v and %+v: %s has %+v, want %+v", c.a, c.b, stage.Stage, got, c.want)
			}
		}
	}
}

// Lists of rows are refused before they are made, where they would take more memory than there is.
func TestRoomOfFolds(t *testing.T) {
	whole := enginetest.Dataset(enginetest.Random(1, 12, 3, 0.5, true), enginetest.Real("y", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
	of := &experiment.Dataset{Name: "words", Source: reader{}, TrainFraction: 1}
	of.Folds.Kind, of.Folds.K, of.Folds.Repeats = "kfold", 2, 1000
	for room, refused := range map[int64]bool{0: false, 100_000: false, 50_000: true} {
		set := &Set{Dataset: of, Name: of.Name, Data: whole}
		err := set.makeFolds(t.Context(), task{}, 7, &loader{bytesLeft: room})
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "2000 test parts of 12 rows take 93.8 KiB") {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	}
}
