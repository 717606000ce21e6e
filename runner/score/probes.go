package score

import (
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/runner/metric"
)

// rankProbes gives the metrics the columns that the model selected, and their order, if the data has probes. A column selected for
// several outputs counts once, with its first entry and its largest score. Features that the model makes itself are not columns.
func rankProbes(outputs []Target, model engines.Model, train *data.View) {
	probes := train.Probes()
	if probes.Number == 0 {
		return
	}
	const last = math.MaxInt
	found := map[int32]*metric.Chosen{}
	for _, j := range engines.ColumnsOf(model, train.Columns()) {
		found[j] = &metric.Chosen{Probe: probes.Has(int(j)), Rank: last}
	}
	for _, c := range engines.Entries(model) {
		column, is := found[int32(c.Feature)]
		if !is {
			continue
		}
		if c.Rank >= 0 {
			column.Rank = min(column.Rank, c.Rank)
		}
		if s := math.Abs(c.Score); s > column.Score { // false of NaN
			column.Score = s
		}
	}
	p := &metric.Probes{Columns: probes.Candidates, Probes: probes.Number}
	for _, j := range engines.ColumnsOf(model, train.Columns()) {
		column := *found[j]
		if column.Rank == last {
			column.Rank = -1
		}
		p.Chosen = append(p.Chosen, column)
	}
	for t := range outputs {
		outputs[t].Probes = p
	}
}
