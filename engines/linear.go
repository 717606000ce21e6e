package engines

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"

	"tenfold/engines/data"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/sparse"
)

// Linear is the linear model that nearly every engine returns: each output is an intercept plus a weighted sum of the row.
type Linear struct {
	bias    []float64
	coefs   []Coef
	fitted  Fitted
	columns int

	spread   sync.Once
	weights  [][]float64 // by output, dense, made on first use; nil for outputs without a coefficient
	once     sync.Once   // makes byColumn, for Score
	byColumn byColumn
	gather   sync.Once // makes byOutput, for dense rows
	byOutput byOutput
}

// byOutput holds the coefficients by output, and by column within one: those of output o are at end[o−1] … end[o]−1.
type byOutput struct {
	end     []int32
	feature []int32
	value   []float64
}

// byColumn holds the coefficients by column, and by output within one: those of column j are at ptr[j] … ptr[j+1]−1.
type byColumn struct {
	ptr    []int32
	output []int32
	value  []float64
}

// NewLinear returns a model with one bias for each output. It sorts the coefficients and drops zeros.
func NewLinear(columns int, bias []float64, coefs []Coef, fitted Fitted) *Linear {
	coefs = slices.DeleteFunc(coefs, func(c Coef) bool { return c.Value == 0 })
	slices.SortFunc(coefs, func(a, b Coef) int {
		if a.Output != b.Output {
			return a.Output - b.Output
		}
		return a.Feature - b.Feature
	})
	return &Linear{bias: bias, coefs: coefs, fitted: fitted, columns: columns}
}

// spreadWeights makes the dense weights.
func (m *Linear) spreadWeights() {
	m.weights = make([][]float64, len(m.bias))
	for _, c := range m.coefs {
		if m.weights[c.Output] == nil {
			m.weights[c.Output] = make([]float64, m.columns)
		}
		m.weights[c.Output][c.Feature] = c.Value
	}
}

// Outputs returns the number of outputs.
func (m *Linear) Outputs() int { return len(m.bias) }

// Coefs returns the non-zero coefficients, sorted by output and column.
func (m *Linear) Coefs() []Coef { return m.coefs }

// Bias returns the intercept of output k.
func (m *Linear) Bias(k int) float64 { return m.bias[k] }

// Biases returns the intercepts of all outputs.
func (m *Linear) Biases() []float64 { return slices.Clone(m.bias) }

// Fitted returns the report of the fit.
func (m *Linear) Fitted() Fitted { return m.fitted }

// Predict fills dst, of in.Len() × Outputs() numbers, row by row. O(nnz · outputs).
func (m *Linear) Predict(dst []float64, in data.Inputs) {
	k, block := len(m.bias), denseRows{m: m}
	for i := range in.Len() {
		row, dst := in.Row(i), dst[i*k:(i+1)*k]
		switch {
		case row.HasAll(m.columns) || 4*row.Len() > m.columns && !row.Outnumbers(len(m.coefs)):
			block.add(row, dst)
			continue
		case row.Outnumbers(len(m.coefs)):
			clear(dst)
			for _, c := range m.coefs {
				dst[c.Output] += float64(row.ValueOf(int32(c.Feature)) * c.Value)
			}
		default:
			clear(dst)
			m.spread.Do(m.spreadWeights)
			for o, w := range m.weights {
				if w != nil {
					dst[o] = row.Dot(w)
				}
			}
		}
		m.addBias(dst)
	}
	block.predict()
}

func (m *Linear) addBias(dst []float64) {
	for o, b := range m.bias {
		dst[o] = b + dst[o]
	}
}

// denseRows collects up to four dense rows, which are predicted together: the additions of a single sum would wait for each other.
type denseRows struct {
	m      *Linear
	n      int
	values [4][]float64
	spread [4][]float64 // room for the values of rows that lack some
	dst    [4][]float64
}

// add puts a row into the block, and predicts the block when it is full.
func (b *denseRows) add(row sparse.Vec, dst []float64) {
	if b.values[b.n] = row.Val; !row.HasAll(b.m.columns) {
		if b.spread[b.n] == nil {
			b.spread[b.n] = make([]float64, b.m.columns)
		}
		b.values[b.n] = b.spread[b.n]
		clear(b.values[b.n])
		row.AddTo(b.values[b.n], 1)
	}
	b.dst[b.n] = dst
	if b.n++; b.n == len(b.values) {
		b.predict()
	}
}

// predict predicts the rows of the block, and empties it.
func (b *denseRows) predict() {
	if b.n == 0 {
		return
	}
	x := b.values
	for k := b.n; k < len(x); k++ {
		x[k] = x[0]
	}
	for _, dst := range b.dst[:b.n] {
		clear(dst)
	}
	m := b.m
	m.gather.Do(m.gatherCoefs)
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	from := int32(0)
	for o, to := range m.byOutput.end {
		var s0, s1, s2, s3 float64
		features, values := m.byOutput.feature[from:to], m.byOutput.value[from:to]
		values = values[:len(features)]
		for q, j := range features {
			w := values[q]
			s0 += float64(x0[j] * w)
			s1 += float64(x1[j] * w)
			s2 += float64(x2[j] * w)
			s3 += float64(x3[j] * w)
		}
		sums := [4]float64{s0, s1, s2, s3}
		for k, dst := range b.dst[:b.n] {
			dst[o] = sums[k]
		}
		from = to
	}
	for _, dst := range b.dst[:b.n] {
		m.addBias(dst)
	}
	b.n = 0
}

// gatherCoefs makes byOutput.
func (m *Linear) gatherCoefs() {
	b := byOutput{end: make([]int32, len(m.bias)), feature: make([]int32, len(m.coefs)), value: make([]float64, len(m.coefs))}
	for q, c := range m.coefs { // sorted by output
		b.feature[q], b.value[q] = int32(c.Feature), c.Value
		b.end[c.Output] = int32(q + 1)
	}
	for o := 1; o < len(b.end); o++ {
		b.end[o] = max(b.end[o], b.end[o-1])
	}
	m.byOutput = b
}

// Scorer is implemented by models that can score a row outside of a view. Decoding of sequences needs this, since the columns of a row
// depend on the predictions for the rows before it.
type Scorer interface {
	// Score fills dst with the outputs for one row, equal to those of Predict. Safe for several goroutines.
	Score(dst []float64, row sparse.Vec)
}

// ScoreRows fills dst, row-major, with what a model scores of rows one by one.
func ScoreRows(dst []float64, in data.Inputs, m interface {
	Model
	Scorer
}) {
	k := m.Outputs()
	for i := range in.Len() {
		m.Score(dst[i*k:(i+1)*k], in.Row(i))
	}
}

// Score fills dst with the outputs for one row. O(coefficients of the row's columns + outputs); the first call also takes O(columns +
// coefficients).
func (m *Linear) Score(dst []float64, row sparse.Vec) {
	m.once.Do(m.transpose)
	clear(dst)
	c := &m.byColumn
	for k, j := range row.Idx {
		for q := c.ptr[j]; q < c.ptr[j+1]; q++ {
			dst[c.output[q]] += float64(row.At(k) * c.value[q])
		}
	}
	m.addBias(dst) // last, as in Predict: the same sums
}

func (m *Linear) transpose() {
	n := len(m.coefs)
	c := byColumn{ptr: make([]int32, m.columns+1), output: make([]int32, n), value: make([]float64, n)}
	for _, coef := range m.coefs {
		c.ptr[coef.Feature+1]++
	}
	for j := range m.columns {
		c.ptr[j+1] += c.ptr[j]
	}
	next := slices.Clone(c.ptr)
	for _, coef := range m.coefs { // sorted by output
		q := next[coef.Feature]
		c.output[q], c.value[q] = int32(coef.Output), coef.Value
		next[coef.Feature]++
	}
	m.byColumn = c
}

// LinearKind is the kind of saved Linear models.
const LinearKind = "linear"

type linearState struct {
	Bias   exact.Floats `json:"bias"`
	Coefs  Coefs        `json:"coefs"`
	Fitted Fitted       `json:"fitted"`
}

// Save returns the biases, the coefficients and the report of the fit.
func (m *Linear) Save() (Saved, error) {
	return SaveAs(LinearKind, linearState{m.bias, m.coefs, m.fitted})
}

// RestoreLinear restores a Linear.
func RestoreLinear(state json.RawMessage, features *data.Features, _ Part) (Model, error) {
	return restoreLinear(state, features)
}

func restoreLinear(state json.RawMessage, features *data.Features) (*Linear, error) {
	var s linearState
	if err := Decode(state, &s); err != nil {
		return nil, err
	}
	if err := s.Coefs.Check(features.Len(), len(s.Bias)); err != nil {
		return nil, err
	}
	return NewLinear(features.Len(), s.Bias, s.Coefs, s.Fitted), nil
}

// Ranked returns an entry for each column of an order, best first, with its rank and score, sorted by column.
func Ranked(order []int32, score func(rank int, column int32) float64) []Coef {
	out := make([]Coef, len(order))
	for k, j := range order {
		out[k] = Coef{Feature: int(j), Rank: k, Score: score(k, j)}
	}
	slices.SortFunc(out, func(a, b Coef) int { return cmp.Compare(a.Feature, b.Feature) })
	return out
}
