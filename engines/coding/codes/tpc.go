package codes

import (
	"tenfold/engines"
	"tenfold/engines/numeric/elementary"
)

// Three-part coding (Dhillon 2009, section 3.2): which class, which feature of the class, and the coefficient. With Q of the
// K classes in the model, and m_c columns in class c,
//
//	a class that is new:     lg K + lg m_c + 2,
//	a class that is in:      lg Q + lg m_c + 2.
//
// In the thesis the code is not complete: nothing tells a decoder which of the two follows. The published form
// (Dhillon, Foster & Ungar 2011, section 4) adds a bit to both (tpc-switch).

// TPC is the name of the code as the thesis has it.
const TPC = "tpc"

func tpc(t Terms) Coder { return newClassed(t, 0) }

func tpcSwitch(t Terms) Coder { return newClassed(t, 1) }

func newClassed(t Terms, bit float64) *classCode {
	c := t.Classes
	newBits, lg := bit+elementary.Log2(c.total), make([]float64, len(c.size)+1) // computed once, since prices are asked for very often
	for q := range lg {
		lg[q] = elementary.Log2(float64(q))
	}
	return &classCode{
		class:          c.Class,
		in:             make([]bool, len(c.size)),
		newClassBits:   func(int32) float64 { return newBits },
		knownClassBits: func(_ int32, q int) float64 { return bit + lg[q] },
		indexBits:      func(j int32) float64 { return c.indexBits[c.Class[j]] },
		coefBits:       t.CoefBits,
	}
}

// classCode is a three-part code for one task. Its bits of classes and columns are functions, since transfer-tpc has other
// probabilities of them than equal ones.
type classCode struct {
	class          []int32                          // of each column
	in             []bool                           // classes that the model has
	q              int                              // how many
	newClassBits   func(class int32) float64        // bits of a class that is not in the model
	knownClassBits func(class int32, q int) float64 // bits of one that is, with q in the model
	indexBits      func(j int32) float64            // bits of a column within its class
	coefBits       float64                          // bits of a coefficient's value
}

// Price returns the bits of the class, of the column in it, and of the coefficient.
func (c *classCode) Price(e Entry) engines.Price {
	p := engines.Price{Index: c.indexBits(e.Column), Coefficient: c.coefBits}
	if class := c.class[e.Column]; c.in[class] {
		p.Class = c.knownClassBits(class, c.q)
	} else {
		p.Class = c.newClassBits(class)
	}
	return p
}

// Include puts the class of a column into the model.
func (c *classCode) Include(e Entry) {
	if class := c.class[e.Column]; !c.in[class] {
		c.in[class] = true
		c.q++
	}
}

// PriceSet charges the first column of each class for a new class, and the others for one of the Q classes of the whole set
// (Dhillon 2009, Eq. 8; docs/engines/mdl.md#errata: at least what the columns cost one after the other).
func (c *classCode) PriceSet(price []engines.Price, set []Entry) {
	w := *c
	w.in, w.q = make([]bool, len(c.in)), 0
	for _, e := range set {
		w.Include(e)
	}
	clear(w.in)
	for i, e := range set {
		price[i] = w.Price(e)
		w.in[w.class[e.Column]] = true
	}
}
