package data

// Narrow is the rows of the view with some of its columns, rising, and one of its targets: a problem within it. O(entries).
func (v *View) Narrow(columns []int32, target int) *View {
	rows := make([]int32, v.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	t := v.TargetInfo(target)
	t.Rows, t.Values = v.Target(target)
	set := &Dataset{
		X: v.Matrix().Keep(columns), Features: v.Features().Keep(columns), Targets: []Target{t}, Weight: v.Weights(), Groups: v.Groups(),
	}
	return &View{from: &Prepared{set: set, x: set.X, features: set.Features, targets: set.Targets}, rows: rows}
}
