// Package response provides what methods share that fit all responses at once: the responses as numbers, on the rows where all are
// defined, and the model that turns one linear score of each into the outputs of its target.
package response

import (
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// Values of a parameter that chooses the loss of a score.
const (
	Auto     = "auto"
	Squared  = "squared"
	Logistic = "logistic"
)

// CheckLoss returns a FieldError unless the word is one of the above.
func CheckLoss(field, loss string) error { return param.OneOf(field, loss, Auto, Squared, Logistic) }

// Type returns the type of target that a loss takes.
func Type(loss string) data.Type {
	if loss == Logistic {
		return data.Class
	}
	return data.Any
}

// Responses holds the targets of a view, all on the same rows.
type Responses struct {
	Train  *data.View // the rows where the targets are defined
	Each   []Response
	Loss   string // Squared or Logistic
	levels []int  // by target; 0 for a number
}

// Response is a target as numbers: for a class, 1 is its second level.
type Response struct {
	Name string
	Y    []float64
}

// Read reads the targets of a view: numbers, or classes of two levels, none of them constant, and defined on the same rows. With
// loss auto, classes get logistic regression, numbers least squares.
func Read(train *data.View, loss string) (*Responses, error) {
	r := &Responses{Train: train, Loss: loss}
	first, _ := train.Target(0)
	for t := range train.Targets() {
		rows, y := train.Target(t)
		if (rows == nil) != (first == nil) || !slices.Equal(rows, first) {
			return nil, fmt.Errorf("targets %s and %s are defined on different rows (%d); here all targets are fitted together, on the same rows", train.TargetInfo(0).Name, train.TargetInfo(t).Name, len(y))
		}
		if err := r.readTarget(train.TargetInfo(t), rows, y); err != nil {
			return nil, err
		}
	}
	if first != nil {
		r.Train = train.Sub(first)
	}
	return r, r.chooseLoss()
}

func (r *Responses) readTarget(info data.Target, rows []int32, y []float64) error {
	levels := 0
	if info.Type == data.Class {
		if levels = len(info.Levels); levels != 2 {
			return fmt.Errorf("target %s has %d levels, expected numbers or classes of two levels", info.Name, levels)
		}
	}
	if len(y) == 0 {
		return fmt.Errorf("target %s has no training row", info.Name)
	}
	for i, v := range y {
		if v-v != 0 {
			row := i
			if rows != nil {
				row = int(rows[i])
			}
			return fmt.Errorf("row %s: target %s is %v, expected a finite number", r.Train.ID(row), info.Name, v)
		}
	}
	if err := CheckSquares(info.Name, y); err != nil {
		return err
	}
	if slices.Min(y) == slices.Max(y) {
		return info.RefuseOnly(y[0], len(y))
	}
	r.Each, r.levels = append(r.Each, Response{info.Name, y}), append(r.levels, levels)
	return nil
}

// CheckSquares returns an error if the sum of the squares is not finite.
func CheckSquares(target string, y []float64) error {
	if !elementary.IsFinite(dense.DotInOrder(y, y)) {
		return fmt.Errorf("target %s: the sum of its squares is no finite number; divide it by a power of ten", target)
	}
	return nil
}

// chooseLoss sets the loss, which is one for all targets.
func (r *Responses) chooseLoss() error {
	class, number := slices.IndexFunc(r.levels, func(l int) bool { return l > 0 }), slices.Index(r.levels, 0)
	switch {
	case r.Loss == Auto && class >= 0 && number >= 0:
		return fmt.Errorf("target %s is a class, %s a number: loss auto takes one kind, loss squared takes both (classes as 0 and 1)", r.Each[class].Name, r.Each[number].Name)
	case r.Loss == Auto && class >= 0:
		r.Loss = Logistic
	case r.Loss == Auto:
		r.Loss = Squared
	case r.Loss == Logistic && number >= 0:
		return fmt.Errorf("target %s is a number: logistic regression takes classes of two levels", r.Each[number].Name)
	}
	return nil
}

// ByRow returns the responses row by row, len(Each) of them a row.
func (r *Responses) ByRow() []float64 {
	k := len(r.Each)
	out := make([]float64, k*r.Train.Len())
	for t, one := range r.Each {
		for i, v := range one.Y {
			out[i*k+t] = v
		}
	}
	return out
}
