package mkl

import (
	"encoding/json"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/exact"
)

// SavedAs names models of this package that are kept.
const SavedAs = "kernels"

type modelState struct {
	Links    engines.Links  `json:"links"`
	Bias     exact.Float    `json:"bias"`
	Bases    []baseState    `json:"bases"`
	All      exact.Floats   `json:"all"` // as in model
	Together exact.Float    `json:"together"`
	Terms    []termState    `json:"terms"`
	Fitted   engines.Fitted `json:"fitted"`
}

// baseState is a base with the inner products of the training rows with themselves.
type baseState struct {
	Columns []int32      `json:"columns"`
	X       engines.Rows `json:"x"`
	Offset  exact.Floats `json:"offset"`
	Scale   exact.Floats `json:"scale"`
	Mean    exact.Floats `json:"mean"`
	Share   exact.Float  `json:"share"`
	Self    exact.Floats `json:"self"`
}

type termState struct {
	Width  exact.Float  `json:"width,omitempty"`
	Degree int          `json:"degree,omitempty"`
	Base   int          `json:"base"`
	Alpha  exact.Floats `json:"alpha"`
}

// Save returns the training rows in the columns in use, and the kernels with their weights.
func (m *model) Save() (engines.Saved, error) {
	s := modelState{Links: m.links, Bias: exact.Float(m.bias), All: m.all, Together: exact.Float(m.jointScale), Fitted: m.fitted}
	for k, b := range m.bases {
		s.Bases = append(s.Bases, baseState{b.columns, engines.SaveRows(b.x), b.offset, b.scale, b.mean, exact.Float(b.share), m.self[k]})
	}
	for _, t := range m.terms {
		s.Terms = append(s.Terms, termState{exact.Float(t.width), t.degree, t.base, t.alpha})
	}
	return engines.SaveAs(SavedAs, s)
}

// Restore restores a model.
func Restore(text json.RawMessage, features *data.Features, _ engines.Part) (engines.Model, error) {
	var s modelState
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	if len(s.Links) != 1 {
		return nil, fmt.Errorf("it has %d links, expected one", len(s.Links))
	}
	rows := 0 // of training
	if len(s.Bases) > 0 {
		rows = len(s.Bases[0].Self)
	}
	if s.All != nil && len(s.All) != rows {
		return nil, fmt.Errorf("it is of %d training rows, with inner products of %d on all columns", rows, len(s.All))
	}
	m := &model{links: s.Links, bias: float64(s.Bias), all: s.All, jointScale: float64(s.Together), fitted: s.Fitted}
	for k, b := range s.Bases {
		one, err := b.restore(rows, features.Len())
		if err != nil {
			return nil, fmt.Errorf("base %d: %w", k, err)
		}
		m.bases, m.self = append(m.bases, one), append(m.self, b.Self)
		m.picked = append(m.picked, b.Columns...)
	}
	slices.Sort(m.picked)
	for k, t := range s.Terms {
		one, err := m.term(t, rows)
		if err != nil {
			return nil, fmt.Errorf("kernel %d: %w", k, err)
		}
		m.terms = append(m.terms, one)
	}
	return m, nil
}

func (s baseState) restore(rows, columns int) (*columnSet, error) {
	if err := engines.CheckPicked(s.Columns, columns); err != nil {
		return nil, err
	}
	n := len(s.Columns)
	if len(s.Offset) != n || len(s.Scale) != n || len(s.Mean) != n {
		return nil, fmt.Errorf("%d columns, with offsets of %d, scales of %d and means of %d", n, len(s.Offset), len(s.Scale), len(s.Mean))
	}
	x, err := s.X.Matrix(n)
	if err != nil {
		return nil, err
	}
	if found, _ := x.Dims(); found != rows || len(s.Self) != rows {
		return nil, fmt.Errorf("%d training rows and inner products of %d, expected %d", found, len(s.Self), rows)
	}
	return &columnSet{columns: s.Columns, x: x, offset: s.Offset, scale: s.Scale, mean: s.Mean, share: float64(s.Share)}, nil
}

// term returns a term of the model, whose bases are there.
func (m *model) term(s termState, rows int) (kernelTerm, error) {
	const highest = 100 // degree: no kernel has one near it
	switch {
	case s.Base < -1 || s.Base >= len(m.bases) || s.Base < 0 && m.all == nil:
		return kernelTerm{}, fmt.Errorf("it is on base %d, which is not among the %d", s.Base, len(m.bases))
	case len(s.Alpha) != rows:
		return kernelTerm{}, fmt.Errorf("%d weights of %d training rows", len(s.Alpha), rows)
	case s.Degree < 0 || s.Degree > highest:
		return kernelTerm{}, fmt.Errorf("its degree is %d", s.Degree)
	}
	return kernelTerm{kernelShape{float64(s.Width), s.Degree}, s.Base, s.Alpha}, nil
}
