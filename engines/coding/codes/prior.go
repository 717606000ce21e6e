package codes

import (
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
)

// Prior counts what the donors of a task selected. The task's prices depend on it and on its own columns. Equal priors have equal
// JSON. Classes and features that are not listed were selected by none of the donors.
type Prior struct {
	Transfer
	Donors   int              `json:"donors"`
	Classes  map[string]Count `json:"classes,omitempty"`
	Features map[string]Count `json:"features,omitempty"` // by full name
}

// Count is how many donors have something in their models, and how many do not.
type Count struct {
	With    int `json:"with"`
	Without int `json:"without"`
}

// priceBits returns −lg of (With + a)/(With + Without + a + b).
func (c Count) priceBits(a, b float64) float64 {
	return elementary.Log2((float64(c.With+c.Without) + a + b) / (float64(c.With) + a))
}

// Donor is a task that has a model.
type Donor struct {
	Selected []Feature              // distinct; those that count: of positive weight, for example
	Had      func(name string) bool // whether its data had the feature; nil: every one
}

// Feature is a column by name, with the name of its class, "_none" where it has none.
type Feature struct {
	Name  string `json:"name"`
	Class string `json:"class"`
}

// NewDonor returns the donor whose model on f selected these columns.
func NewDonor(f *data.Features, selected []int) Donor {
	d := Donor{Had: func(name string) bool { _, ok := f.Lookup(name); return ok }}
	for _, j := range selected {
		d.Selected = append(d.Selected, Feature{Name: f.Name(j), Class: classOf(f, j)})
	}
	return d
}

// classOf returns the name of the class of column j.
func classOf(f *data.Features, j int) string {
	if class := f.Class(j); class >= 0 {
		return f.Classes()[class]
	}
	return data.None
}

// Prior counts what the donors of a task selected, on the target's columns. O(what donors selected), with absent: skip also
// O(donors · columns).
func (t Transfer) Prior(donors []Donor, target *data.Features) Prior {
	p := Prior{Transfer: t, Donors: len(donors), Classes: map[string]Count{}, Features: map[string]Count{}}
	for _, d := range donors {
		classes := map[string]bool{}
		for _, s := range d.Selected {
			if t.Setting != settingFeatures && t.Uses(s.Class) && !classes[s.Class] {
				classes[s.Class] = true
				p.Classes[s.Class] = p.withOneMore(p.Classes, s.Class)
			}
			if j, ok := target.Lookup(s.Name); ok && t.Uses(classOf(target, j)) {
				p.Features[s.Name] = p.withOneMore(p.Features, s.Name)
			}
		}
	}
	if t.Skips() {
		p.skipDonors(donors, target)
	}
	return p
}

// withOneMore returns the count of a name with one more donor that has it.
func (p *Prior) withOneMore(counts map[string]Count, name string) Count {
	n := p.countOf(counts, name)
	return Count{With: n.With + 1, Without: n.Without - 1}
}

// skipDonors leaves donors that lack a feature out of its count.
func (p *Prior) skipDonors(donors []Donor, target *data.Features) {
	for j := range target.Len() {
		if !p.Uses(classOf(target, j)) {
			continue
		}
		name, lack := target.Name(j), 0
		for _, d := range donors {
			if d.Had != nil && !d.Had(name) {
				lack++
			}
		}
		if lack > 0 {
			n := p.countOf(p.Features, name)
			p.Features[name] = Count{With: n.With, Without: max(0, n.Without-lack)}
		}
	}
}

// countOf returns the count listed under a name; no donor selected what is not listed.
func (p *Prior) countOf(counts map[string]Count, name string) Count {
	if n, ok := counts[name]; ok {
		return n
	}
	return Count{Without: p.Donors}
}

// Code returns the code whose prices the prior sets.
func (p *Prior) Code() Code {
	return Code{Name: TransferTPC, Make: p.newCoder, Classes: true, Values: true}
}

// newCoder returns tpc with the prior's probabilities of classes and features.
func (p *Prior) newCoder(t Terms) Coder {
	out, c := newClassed(t, 0), t.Classes
	class, index := p.classBits(c), p.indexBits(c)
	out.newClassBits = func(k int32) float64 { return class[k] }
	out.indexBits = func(j int32) float64 { return index[j] }
	if p.Variant == variantJMLR {
		out.knownClassBits = func(k int32, q int) float64 { return min(class[k], 1+elementary.Log2(float64(q))) }
	}
	return out
}

// classBits returns −lg p(class), or lg K if the setting does not transfer the class.
func (p *Prior) classBits(c *Classes) []float64 {
	bits, b := make([]float64, len(c.Names)), p.B
	if b == 0 {
		b = c.total - 1
	}
	for k, name := range c.Names {
		bits[k] = elementary.Log2(c.total)
		if p.Setting != settingFeatures && p.Uses(name) {
			bits[k] = p.countOf(p.Classes, name).priceBits(p.A, b)
		}
	}
	return bits
}

// indexBits returns −lg p(feature) of every column, or lg m_c if the setting does not transfer its class.
func (p *Prior) indexBits(c *Classes) []float64 {
	price := func(class int32, n Count) float64 {
		d := p.D0
		if d == 0 {
			d = float64(c.size[class] - 1)
		}
		return n.priceBits(p.C0, d)
	}
	byClass := slices.Clone(c.indexBits)
	for k, name := range c.Names {
		if p.Uses(name) && c.size[k] > 0 {
			byClass[k] = price(int32(k), Count{Without: p.Donors})
		}
	}
	bits := make([]float64, len(c.Class))
	for j, class := range c.Class {
		bits[j] = byClass[class]
	}
	for name, n := range p.Features {
		if j, ok := c.columns.Lookup(name); ok && p.Uses(c.Names[c.Class[j]]) {
			bits[j] = price(c.Class[j], n)
		}
	}
	return bits
}
