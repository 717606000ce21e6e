// Package codes prices features in bits: S_M of a description length, what a decoder must be told to know which features a model has
// and what their coefficients are. The criteria charge every feature alike (criteria.go); multiple inclusion names a column once
// for all tasks that have it (mic.go); three-part codes name the class, the feature in the class, and the coefficient (tpc.go), with
// prices that may come from models of other tasks (transfer.go, prior.go).
//
// It knows no responses and fits nothing: package mdl weighs these bits against those that a feature saves. Begin with Coder and All,
// the table, in code.go; a new code is a function and a line there.
package codes

import (
	"slices"

	"tenfold/engines"
)

// Coder prices features for the tasks of one description. It knows nothing of responses or searches.
type Coder interface {
	// Price is the bits of a feature, given those included so far; infinite where the code has no word for it.
	Price(e Entry) engines.Price
	// Include adds a feature to those included so far.
	Include(e Entry)
	// PriceSet prices a set described at once, whatever the order of its features: price[i] is the share of set[i]
	// (Dhillon 2009, Eq. 8).
	PriceSet(price []engines.Price, set []Entry)
}

// Entry is a feature in a model: a column, and how many tasks have it.
type Entry struct {
	Column int32
	Tasks  int
}

// Terms are the quantities that prices depend on.
type Terms struct {
	Rows     float64  // n
	Columns  float64  // m
	Tasks    int      // h, coded together
	CoefBits float64  // bits of a coefficient's value
	Classes  *Classes // of the columns, nil for codes that do not look at them
}

// Code is a kind of coder: a line in the table below. The flags say which terms and parameters its prices depend on.
type Code struct {
	Name     string
	Make     func(Terms) Coder
	Together bool // a feature is priced once for all tasks that have it; otherwise each task is described by itself
	Columns  bool // prices depend on the number of columns
	Classes  bool // on the classes of columns
	Values   bool // on the bits of a coefficient's value
	Donors   bool // on a Prior; package transfer provides it, and without one the code does not fit
}

// All lists the codes, by which parameters name them.
var All = []Code{
	{Name: "aic", Make: aic},
	{Name: "bic", Make: bic},
	{Name: "ric", Make: ric, Columns: true},
	{Name: "ric2", Make: ric2, Columns: true, Values: true},
	{Name: TPC, Make: tpc, Classes: true, Values: true},
	{Name: "tpc-switch", Make: tpcSwitch, Classes: true, Values: true},
	{Name: TransferTPC, Make: noDonors.newCoder, Classes: true, Values: true, Donors: true},
	{Name: "mic-partial", Make: partialMIC, Together: true, Columns: true, Values: true},
	{Name: "mic-partial-logh", Make: partialLogH, Together: true, Columns: true, Values: true},
	{Name: "mic-full", Make: fullMIC, Together: true, Columns: true, Values: true},
}

// Names returns the names of all codes.
func Names() []string {
	names := make([]string, len(All))
	for k, c := range All {
		names[k] = c.Name
	}
	return names
}

// Named finds a code by its name.
func Named(name string) (c Code, ok bool) {
	if k := slices.IndexFunc(All, func(c Code) bool { return c.Name == name }); k >= 0 {
		return All[k], true
	}
	return Code{}, false
}

// byTasks is a coder whose prices depend on the number of tasks alone: a feature of k tasks costs the k-th.
type byTasks []engines.Price

// Price returns the price of a feature of so many tasks.
func (c byTasks) Price(e Entry) engines.Price { return c[e.Tasks] }

// Include does nothing: prices do not depend on what is included.
func (c byTasks) Include(Entry) {}

// PriceSet sets the prices of the features one by one.
func (c byTasks) PriceSet(price []engines.Price, set []Entry) {
	for i, e := range set {
		price[i] = c[e.Tasks]
	}
}

// Marginal prices a feature by what it adds to the price of the set described at once (PriceSet), so that the sum of prices
// does not depend on the order of entry. O(features of the set) a price.
type Marginal struct {
	Coder
	set  []Entry
	paid engines.Price
	part []engines.Price
}

// Price returns what a further feature adds to the price of the set.
func (w *Marginal) Price(e Entry) engines.Price {
	w.set = append(w.set, e)
	after := w.setPrice()
	w.set = w.set[:len(w.set)-1]
	return engines.Price{
		Class: after.Class - w.paid.Class, Index: after.Index - w.paid.Index,
		Subset: after.Subset - w.paid.Subset, Coefficient: after.Coefficient - w.paid.Coefficient,
	}
}

// Include adds a feature to the set.
func (w *Marginal) Include(e Entry) {
	w.set = append(w.set, e)
	w.paid = w.setPrice()
}

// setPrice returns the price of the set described at once.
func (w *Marginal) setPrice() (p engines.Price) {
	w.part = append(w.part[:0], make([]engines.Price, len(w.set))...)
	w.PriceSet(w.part, w.set)
	for _, q := range w.part {
		p.Class += q.Class
		p.Index += q.Index
		p.Subset += q.Subset
		p.Coefficient += q.Coefficient
	}
	return p
}
