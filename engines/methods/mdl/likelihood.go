package mdl

import (
	"cmp"
	"context"
	"slices"
)

// likelihood is the other part of a description: S_E, the bits of the responses given the model, which grows a column at a
// time. It knows nothing of prices or searches.
type likelihood interface {
	// tasks is h.
	tasks() int
	// bits is S_E of each task under the model as it is, its noise estimated from the model's own residuals; where tasks are
	// described jointly, an equal share each.
	bits() []float64
	// loss is the mean loss of a task's training rows: squared error, or nats.
	loss(task int) float64
	// screen fills saved, one a column, with the bits that the column saves in all tasks together, −∞ where none could be
	// saved. Exact: no choice of tasks saves more than that. Else it is a guess to find promising columns by.
	addScreenedSavings(ctx context.Context, saved []float64) (exact bool)
	// split is the order in which tasks should have column j, and the bits that it saves in the first 1, 2, … of them.
	rankTasks(ctx context.Context, j int32) (order []int32, saved []float64)
	// try computes anew, from the column itself, what column j saves in the tasks.
	evaluate(ctx context.Context, j int32, tasks []int32) trial
	// refresh clears rounding errors that have gathered.
	recompute(ctx context.Context)
	// saturated is a task that can take no more columns.
	saturatedTask() (task int, ok bool)
	// weights of the columns of a task, and its intercept, on the scale of the data.
	weights(task int) (w map[int32]float64, bias float64)
	// shrinker takes columns out again, from a copy.
	newRemover() featureRemover
	// notes for the report.
	notes() []string
}

// trial is a column that some tasks may be given.
type trial struct {
	column int32
	tasks  []int32
	saved  []float64                       // bits, by task of tasks
	commit func(ctx context.Context) error // gives it to them
}

// totalSaved is the bits that the column saves in all its tasks.
func (t trial) totalSaved() float64 { return sumOf(t.saved) }

func sumOf(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// rankByGain splits a column whose gains in the tasks do not depend on each other: by falling gain, ties to the lowest task.
func rankByGain(gain []float64) (order []int32, saved []float64) {
	order = everyTask(len(gain))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(gain[b], gain[a]) })
	for i := range order { // nearly equal ones
		for k := i; k > 0 && order[k] < order[k-1] && gain[order[k-1]]-gain[order[k]] <= tie; k-- {
			order[k], order[k-1] = order[k-1], order[k]
		}
	}
	total := 0.0
	for _, t := range order {
		total += gain[t]
		saved = append(saved, total)
	}
	return order, saved
}

func everyTask(h int) []int32 {
	all := make([]int32, h)
	for t := range all {
		all[t] = int32(t)
	}
	return all
}

// featureRemover takes columns out of a model, each from all tasks that have it.
type featureRemover interface {
	// bitsWithout is what S_E of all tasks would be without column j.
	bitsWithout(ctx context.Context, j int32) float64
	remove(ctx context.Context, j int32)
}
