package enginetest

import (
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
)

// Labelled is the input of the first family's cases of classes.
type Labelled struct {
	P, Contexts int // columns, by one name or the other
	Classes     int
	Rows        oracle.Rows
	Y           oracle.Numbers
}

// Dataset returns the dataset of the input, or its refusal.
func (in Labelled) Dataset(t *testing.T) (*data.Dataset, error) {
	t.Helper()
	x, err := in.Rows.Matrix(t, max(in.P, in.Contexts))
	if err != nil {
		return nil, err
	}
	set := Dataset(x, Class("y", in.Classes, in.Y...))
	return set, set.Check()
}
