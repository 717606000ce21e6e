// Package entropy reads classes for the engines of log-linear models.
package entropy

import (
	"context"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/numeric/loglinear"
)

// Read returns the problem of a view's only target, which holds classes, over the rows where it is defined. The error is a
// target without rows, or the cause of ctx's end.
func Read(ctx context.Context, v *data.View) (*loglinear.Problem, error) {
	target := v.TargetInfo(0)
	v, y, err := v.LevelsOf(0)
	if err != nil {
		return nil, err
	}
	p, err := loglinear.New(ctx, v.Matrix(), y, v.Weights(), len(target.Levels))
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", target.Name, err)
	}
	return p, nil
}
