package probes_test

import (
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare/probes"
)

// TestOracleProbes: with the orders given, permuted probes are those of the cases.
func TestOracleProbes(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"probe_columns": checkProbes})
}

func checkProbes(t *testing.T, c oracle.Case) {
	var in struct {
		Names       []string
		Sources     []int32
		Train, Test [][]float64
		TrainOrders [][]int32 `json:"train_orders"`
		TestOrders  [][]int32 `json:"test_orders"`
	}
	var options struct {
		Kind  string
		Share float64
	}
	var want struct {
		Candidates, Number int
		Names              []string
		Train, Test        [][]float64
	}
	c.Parts(t, &in, &options, &want)
	if options.Kind != probes.Permuted {
		t.Skipf("kind %s", options.Kind)
	}
	var b sparse.Builder
	for _, row := range slices.Concat(in.Train, in.Test) {
		if err := b.Add(data.Numbers(len(row)), row); err != nil {
			t.Fatal(err)
		}
	}
	p := &data.Prepared{X: b.Matrix(len(in.Names)), Features: data.NewFeatures(in.Names)}
	all := data.Numbers(len(in.Train) + len(in.Test))
	train, test := all[:len(in.Train)], all[len(in.Train):]
	sources, candidates, err := probes.SourcesOf(probes.Rule{Share: options.Share}, p, train)
	if err != nil || len(sources) != want.Number || candidates != want.Candidates {
		t.Errorf("%d probes of %d candidates, expected %d of %d (%v)", len(sources), candidates, want.Number, want.Candidates, err)
	}
	if in.Sources != nil { // drawn elsewhere
		sources = in.Sources
	}
	given := func(orders [][]int32) func(j int, entries []int32) []int32 {
		return func(j int, entries []int32) []int32 {
			order := orders[slices.Index(sources, int32(j))]
			return data.ValuesAt(data.PlacesOf(order, len(order)), entries)
		}
	}
	p.AddProbes(sources, candidates, probes.DealtOut(p, sources, train, test, given(in.TrainOrders), given(in.TestOrders)))
	for k := range sources {
		j := len(in.Names) + k
		if name := p.Features.Name(j); name != want.Names[k] {
			t.Errorf("probe %d is named %s, expected %s", k, name, want.Names[k])
		}
		oracle.NearAll(t, "train", column(p, j, train), want.Train[k], 1e-12)
		oracle.NearAll(t, "test", column(p, j, test), want.Test[k], 1e-12)
	}
}
