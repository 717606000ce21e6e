package engines

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/sparse"
)

// Shares is the null model of classes: the probability of a level is its share of the training rows.
type Shares struct {
	share  []float64 // by output
	log    []float64
	fitted Fitted
}

// NewShares returns the null model of class targets whose levels have these shares, in the order of the targets.
func NewShares(share []float64, fitted Fitted) *Shares {
	fitted.Probabilities = true
	m := &Shares{share: share, log: make([]float64, len(share)), fitted: fitted}
	for k, p := range share {
		m.log[k] = elementary.Log(p)
	}
	return m
}

// Outputs returns the number of levels.
func (m *Shares) Outputs() int { return len(m.log) }

// Coefs returns nil.
func (m *Shares) Coefs() []Coef { return nil }

// Share returns the share of each output.
func (m *Shares) Share() []float64 { return slices.Clone(m.share) }

// Biases returns the logarithms of the shares.
func (m *Shares) Biases() []float64 { return slices.Clone(m.log) }

// Fitted returns the report of the fit.
func (m *Shares) Fitted() Fitted { return m.fitted }

// Predict fills dst, row-major, with the logarithms of the shares.
func (m *Shares) Predict(dst []float64, in data.Inputs) {
	for i := range in.Len() {
		copy(dst[i*len(m.log):], m.log)
	}
}

// Score fills dst with the logarithms of the shares.
func (m *Shares) Score(dst []float64, _ sparse.Vec) { copy(dst, m.log) }

// SharesKind is the kind of saved Shares models.
const SharesKind = "shares"

type sharesState struct {
	Share  exact.Floats `json:"share"`
	Fitted Fitted       `json:"fitted"`
}

// Save returns the shares and the report of the fit.
func (m *Shares) Save() (Saved, error) { return SaveAs(SharesKind, sharesState{m.share, m.fitted}) }

// RestoreShares restores a Shares model.
func RestoreShares(state json.RawMessage, _ *data.Features, _ Part) (Model, error) {
	var s sharesState
	if err := Decode(state, &s); err != nil {
		return nil, err
	}
	if len(s.Share) == 0 {
		return nil, errors.New("it has no output")
	}
	for k, p := range s.Share {
		if !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("the share of output %d is %v, expected 0 to 1", k, p)
		}
	}
	return NewShares(s.Share, s.Fitted), nil
}
