package probes

import (
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// SourcesOf probes, and how many columns could have one.
func SourcesOf(r Rule, p *data.Prepared, train []int32) (sources []int32, candidates int, err error) {
	return r.chooseSources(p.X.Pick(train), p.Features, p.Competes, 1)
}

// DealtOut are permuted probes whose rows are given: for a column, where the values of these rows go.
func DealtOut(p *data.Prepared, sources, train, test []int32, inTrain, inTest func(j int, rows []int32) []int32) []sparse.Vec {
	return dealOut(sources, side{p.X.Pick(train), train, inTrain}, side{p.X.Pick(test), test, inTest})
}
