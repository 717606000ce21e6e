// Package likelihood measures the bits of responses given a model that grows by a column at a time: S_E of a description length, and
// what a further column would save of it. Gaussian and Correlated stand on growing least squares, with independent noise and with
// joint noise of several tasks; Logistic on logistic regressions (regression.go), whose sparse columns are kept by row (row_major.go).
//
// It prices no features and decides on none: packages codes and mdl do. Begin with Likelihood; a further likelihood is a type with its
// methods, and a case in package mdl. As in the papers, a target is called a task.
package likelihood

import (
	"cmp"
	"context"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
)

// TieBits is how many bits better a candidate must be to replace one of lower index.
const TieBits = 1e-10

// Likelihood measures S_E, the bits of the responses given the model, which grows a column at a time. It knows nothing of prices
// or searches. Columns are numbers of the data's columns, tasks numbers below Tasks().
type Likelihood interface {
	// Tasks returns h, the number of tasks.
	Tasks() int
	// Bits returns S_E of each task under the present model, with the noise estimated from its own residuals; an equal share each if
	// the noise is joint.
	Bits() []float64
	// Loss returns the mean loss of a task's training rows: squared error, or nats.
	Loss(task int) float64
	// ScreenSavings sets saved, by column, to the bits that the column saves in all tasks together beyond so many in each, −∞ if it
	// can save none. If exact, no choice of tasks saves more beyond these. Otherwise saved are estimates, of all that is saved, to find
	// promising columns by.
	ScreenSavings(ctx context.Context, saved []float64, each float64) (exact bool)
	// RankTasks returns the order in which tasks should get column j, and the bits that it saves in the first 1, 2, … of them.
	RankTasks(ctx context.Context, j int32) (order []int32, saved []float64)
	// Evaluate computes what column j saves in the tasks from the column itself, not from running sums.
	Evaluate(ctx context.Context, j int32, tasks []int32) Trial
	// Recompute recomputes the running sums, to remove accumulated rounding errors.
	Recompute(ctx context.Context)
	// SaturatedTask returns a task that can take no more columns; ok is false if all can.
	SaturatedTask() (task int, ok bool)
	// Weights returns the weights of a task by column, and its intercept, on the scale of the data.
	Weights(task int) (w map[int32]float64, bias float64)
	// NewRemover returns a copy of the model to take columns out of.
	NewRemover() Remover
	// Notes returns notes for the report.
	Notes() []string
}

// Trial is a column evaluated for some tasks, and how to add it to their models.
type Trial struct {
	Saved  []float64                       // bits, by task
	Commit func(ctx context.Context) error // adds it to the models of the tasks
}

// TotalSaved returns the bits that the column saves in all its tasks.
func (t Trial) TotalSaved() float64 { return dense.Sum(t.Saved) }

// rankByGain implements RankTasks for independent tasks: by falling gain, ties to the lowest task.
func rankByGain(gain []float64) (order []int32, saved []float64) {
	order = data.Numbers(len(gain))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(gain[b], gain[a]) })
	for i := range order { // nearly equal ones
		for k := i; k > 0 && order[k] < order[k-1] && gain[order[k-1]]-gain[order[k]] <= TieBits; k-- {
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

// Remover takes columns out of a model, each from all tasks that have it.
type Remover interface {
	// BitsWithout returns what S_E of all tasks would be without column j.
	BitsWithout(ctx context.Context, j int32) float64
	// Remove takes column j out of all tasks that have it.
	Remove(ctx context.Context, j int32)
}
