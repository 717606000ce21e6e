package gate

import (
	"tenfold/io/results"
	"tenfold/reports/cells"
)

// Outdated returns, before anything is fitted, a reason for each data set of the baseline whose data, folds or protocol have changed since:
// their results cannot be compared. planned has a label for each fit of the plan.
func (b *Baseline) Outdated(planned []results.Label) (reasons []string) {
	rows := make([]results.Row, len(planned))
	for i, l := range planned {
		rows[i].Label, rows[i].Status = l, results.OK
	}
	seen := map[string]bool{}
	for _, p := range labelCells(cells.AcrossTasks(cells.Planned(rows, planned))) {
		recorded, there := b.Datasets[p.dataset]
		if !there || seen[p.dataset] {
			continue
		}
		seen[p.dataset] = true
		if err := checkMeasuredAlike(rowsOf(p.cell), recordedRows("", recorded, Entry{})); err != nil {
			reasons = append(reasons, p.dataset+": "+err.Error())
		}
	}
	return reasons
}
