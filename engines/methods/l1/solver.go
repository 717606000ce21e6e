package l1

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
)

// Goal is one problem for a solver.
type Goal struct {
	Penalty
	Stopping
	Workers int
	// Least is the smallest L1 penalty that the point will be asked for after this one; 0: none comes after. Where one does, a
	// solver may leave the gradient of columns that none of the penalties selects as it is.
	Least float64
	// Trace hears of every iteration; nil where nobody listens. w is read-only.
	Trace func(iter int, loss float64, w []float64)
}

// Solver goes from the weights of pt, which it improves, towards the goal. It leaves pt updated: margins, residuals,
// gradient and loss are those of its weights, free biases are at their optimum.
type Solver func(ctx context.Context, pt *Point, goal Goal) (Outcome, error)

// Outcome tells how a solver ended.
type Outcome struct {
	engines.Certificate
	Stop       string // "gap" where the goal was met; otherwise the solver's own word
	Iterations int
	Notes      []string
	Facts      []data.Fact
	Scores     []float64 // what weights are scored by; nil for nothing
}

func (o *Outcome) addFact(name, format string, args ...any) {
	o.Facts = append(o.Facts, data.Fact{Name: name, Value: fmt.Sprintf(format, args...)})
}

func evaluationFacts(n int) []data.Fact {
	return []data.Fact{{Name: "evaluations", Value: fmt.Sprint(n)}}
}

// notConvergedNote is the note of an outcome above the tolerance.
func (o Outcome) notConvergedNote() string {
	return fmt.Sprintf(engines.NotConverged+": after %d iterations (stop: %s) the duality gap is %.3g of the objective", o.Iterations, o.Stop, o.Relative())
}
