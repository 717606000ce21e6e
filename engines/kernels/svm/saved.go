package svm

import (
	"encoding/json"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/sparse"
)

// SavedAs names models of this package that are kept.
const SavedAs = "support-vectors"

type state struct {
	Kernel   kernelState    `json:"kernel"`
	Scale    *scaleState    `json:"scale"`   // null: columns are as they are
	Vectors  engines.Rows   `json:"vectors"` // scaled
	Levels   int            `json:"levels"`
	Absent   []int          `json:"absent,omitempty"`
	Machines []machineState `json:"machines"`
	Fitted   engines.Fitted `json:"fitted"`
}

type kernelState struct {
	Form   kernelForm  `json:"form"`
	Gamma  exact.Float `json:"gamma"`
	Coef0  exact.Float `json:"coef0"`
	Degree int         `json:"degree"`
}

type scaleState struct {
	Origin exact.Floats `json:"least"` // the least value of scale unit, the mean of sd
	Factor exact.Floats `json:"factor"`
}

type machineState struct {
	For     int          `json:"for"`
	Against int          `json:"against"` // -1: all others
	Vector  []int32      `json:"vector"`
	Beta    exact.Floats `json:"beta"`
	Bias    exact.Float  `json:"bias"`
}

// Save returns the support vectors and the machines.
func (m *Model) Save() (engines.Saved, error) {
	k := m.vectors.kernel
	s := state{
		Kernel:  kernelState{k.form, exact.Float(k.gamma), exact.Float(k.coef0), k.degree},
		Vectors: engines.SaveRows(m.vectors.x), Levels: m.levels, Absent: m.absent, Fitted: m.fitted,
	}
	if m.scale != nil {
		s.Scale = &scaleState{m.scale.origin, m.scale.factor}
	}
	for _, d := range m.machines {
		s.Machines = append(s.Machines, machineState{d.a, d.b, d.beta.Idx, d.beta.Val, exact.Float(d.bias)})
	}
	return engines.SaveAs(SavedAs, s)
}

// Restore restores a Model.
func Restore(text json.RawMessage, features *data.Features, _ engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	m, columns := &Model{levels: s.Levels, absent: s.Absent, fitted: s.Fitted}, features.Len()
	x, err := s.Vectors.Matrix(columns)
	if err != nil {
		return nil, fmt.Errorf("support vectors: %w", err)
	}
	if m.scale, err = s.Scale.restore(columns); err != nil {
		return nil, err
	}
	k := kernel{s.Kernel.Form, float64(s.Kernel.Gamma), float64(s.Kernel.Coef0), s.Kernel.Degree}
	if err := (SVM{Kernel: string(k.form), Gamma: k.gamma, Coef0: k.coef0, Degree: k.degree}).checkKernel(); err != nil {
		return nil, err
	}
	if err := s.checkLevels(); err != nil {
		return nil, err
	}
	rows, _ := x.Dims()
	for i, saved := range s.Machines {
		d, err := saved.restore(rows)
		if err != nil {
			return nil, fmt.Errorf("machine %d: %w", i, err)
		}
		m.machines = append(m.machines, d)
	}
	m.vectors = newPoints(k, x, m.scale.shiftedOrigin())
	if k.form == linear {
		return m.toLinear(columns), nil
	}
	m.columns = columns
	return m, nil
}

func (s *scaleState) restore(columns int) (*columnScaling, error) {
	if s == nil {
		return nil, nil
	}
	if len(s.Origin) != columns || len(s.Factor) != columns {
		return nil, fmt.Errorf("scales of %d and %d columns, expected %d", len(s.Origin), len(s.Factor), columns)
	}
	return newColumnScaling(s.Origin, s.Factor), nil
}

// checkLevels checks the levels of the machines, and those without one.
func (s *state) checkLevels() error {
	if s.Levels < 2 || s.Levels > 2*len(s.Machines)+len(s.Absent) { // each has a machine, or none of the rows
		return fmt.Errorf("%d levels, of %d machines and %d absent ones", s.Levels, len(s.Machines), len(s.Absent))
	}
	outside := func(level int) bool { return level < 0 || level >= s.Levels }
	for i, d := range s.Machines {
		if outside(d.For) || d.Against != rest && outside(d.Against) {
			return fmt.Errorf("machine %d is for level %d against %d, and there are %d", i, d.For, d.Against, s.Levels)
		}
	}
	if k := slices.IndexFunc(s.Absent, outside); k >= 0 {
		return fmt.Errorf("level %d is absent, and there are %d", s.Absent[k], s.Levels)
	}
	return nil
}

func (s machineState) restore(vectors int) (decision, error) {
	if err := engines.CheckPicked(s.Vector, vectors); err != nil {
		return decision{}, err
	}
	if len(s.Beta) != len(s.Vector) {
		return decision{}, fmt.Errorf("%d weights of %d support vectors", len(s.Beta), len(s.Vector))
	}
	if s.Beta == nil {
		s.Beta = exact.Floats{}
	}
	return decision{binaryProblem{s.For, s.Against}, sparse.Vec{Idx: s.Vector, Val: s.Beta}, float64(s.Bias)}, nil
}
