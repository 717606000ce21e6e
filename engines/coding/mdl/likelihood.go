package mdl

import (
	"cmp"
	"context"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
)

// tieBits is how many bits better a candidate must be to replace one of lower index.
const tieBits = 1e-10

// likelihood measures S_E, the bits of the responses given the model, which grows a column at a time. It knows nothing of prices
// or searches. Columns are numbers of the data's columns, tasks numbers below tasks().
type likelihood interface {
	// tasks is h.
	tasks() int
	// bits is S_E of each task under the present model, with the noise estimated from its own residuals; an equal share each if
	// the noise is joint.
	bits() []float64
	// loss is the mean loss of a task's training rows: squared error, or nats.
	loss(task int) float64
	// screenSavings fills saved, by column, with the bits that the column saves in all tasks together beyond so many in each, −∞ if it
	// can save none. If exact, no choice of tasks saves more beyond these. Otherwise saved are estimates, of all that is saved, to find
	// promising columns by.
	screenSavings(ctx context.Context, saved []float64, each float64) (exact bool)
	// rankTasks is the order in which tasks should get column j, and the bits that it saves in the first 1, 2, … of them.
	rankTasks(ctx context.Context, j int32) (order []int32, saved []float64)
	// evaluate computes what column j saves in the tasks from the column itself, not from running sums.
	evaluate(ctx context.Context, j int32, tasks []int32) trial
	// Recompute recomputes the running sums, to remove accumulated rounding errors.
	Recompute(ctx context.Context)
	// SaturatedTask is a task that can take no more columns; ok is false if all can.
	saturatedTask() (task int, ok bool)
	// Weights of the columns of a task, and its intercept, on the scale of the data.
	Weights(task int) (w map[int32]float64, bias float64)
	// newRemover takes columns out of a copy of the model.
	newRemover() featureRemover
	// notes for the report.
	notes() []string
}

// trial is a column evaluated for some tasks, and how to add it to their models.
type trial struct {
	saved  []float64                       // bits, by task
	commit func(ctx context.Context) error // adds it to the models of the tasks
}

// totalSaved is the bits that the column saves in all its tasks.
func (t trial) totalSaved() float64 { return dense.Sum(t.saved) }

// rankByGain is rankTasks for independent tasks: by falling gain, ties to the lowest task.
func rankByGain(gain []float64) (order []int32, saved []float64) {
	order = data.Numbers(len(gain))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(gain[b], gain[a]) })
	for i := range order { // nearly equal ones
		for k := i; k > 0 && order[k] < order[k-1] && gain[order[k-1]]-gain[order[k]] <= tieBits; k-- {
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

// featureRemover takes columns out of a model, each from all tasks that have it.
type featureRemover interface {
	// bitsWithout is what S_E of all tasks would be without column j.
	bitsWithout(ctx context.Context, j int32) float64
	remove(ctx context.Context, j int32)
}
