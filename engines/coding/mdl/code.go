package mdl

import (
	"slices"

	"tenfold/engines"
)

// coder prices features for the tasks of one description. It knows nothing of responses or searches.
type coder interface {
	// price is the bits of a feature, given those included so far; infinite where the code has no word for it.
	price(e pricedFeature) engines.Price
	// include adds a feature to those included so far.
	include(e pricedFeature)
	// priceSet prices a set described at once, whatever the order of its features: price[i] is the share of set[i]
	// (Dhillon 2009, Eq. 8).
	priceSet(price []engines.Price, set []pricedFeature)
}

// pricedFeature is a feature in a model: a column, and how many tasks have it.
type pricedFeature struct {
	column int32
	tasks  int
}

// codeTerms are the quantities that prices depend on.
type codeTerms struct {
	rows     float64  // n
	columns  float64  // m
	tasks    int      // h, coded together
	coefBits float64  // bits of a coefficient's value
	classes  *classes // of the columns, nil for codes that do not look at them
}

// code is a kind of coder: a line in the table below. The flags say which terms and parameters its prices depend on.
type code struct {
	name     string
	make     func(codeTerms) coder
	together bool // a feature is priced once for all tasks that have it; otherwise each task is described by itself
	columns  bool // prices depend on the number of columns
	classes  bool // on the classes of columns
	values   bool // on the bits of a coefficient's value
	donors   bool // on a Prior; package transfer provides it, and without one the code does not fit
}

var codes = []code{
	{name: "aic", make: aic},
	{name: "bic", make: bic},
	{name: "ric", make: ric, columns: true},
	{name: "ric2", make: ric2, columns: true, values: true},
	{name: codeTPC, make: tpc, classes: true, values: true},
	{name: "tpc-switch", make: tpcSwitch, classes: true, values: true},
	{name: CodeTransfer, make: noDonors.newCoder, classes: true, values: true, donors: true},
	{name: "mic-partial", make: partialMIC, together: true, columns: true, values: true},
	{name: "mic-partial-logh", make: partialLogH, together: true, columns: true, values: true},
	{name: "mic-full", make: fullMIC, together: true, columns: true, values: true},
}

func codeNames() []string {
	names := make([]string, len(codes))
	for k, c := range codes {
		names[k] = c.name
	}
	return names
}

// codeNamed finds a code by its name.
func codeNamed(name string) (c code, ok bool) {
	if k := slices.IndexFunc(codes, func(c code) bool { return c.name == name }); k >= 0 {
		return codes[k], true
	}
	return code{}, false
}

// byTasks is a coder whose prices depend on the number of tasks alone: a feature of k tasks costs the k-th.
type byTasks []engines.Price

func (c byTasks) price(e pricedFeature) engines.Price { return c[e.tasks] }
func (c byTasks) include(pricedFeature)               {}
func (c byTasks) priceSet(price []engines.Price, set []pricedFeature) {
	for i, e := range set {
		price[i] = c[e.tasks]
	}
}

// marginalCoder prices a feature by what it adds to the price of the set described at once (priceSet), so that the sum of prices
// does not depend on the order of entry. O(features of the set) a price.
type marginalCoder struct {
	coder
	set  []pricedFeature
	paid engines.Price
	part []engines.Price
}

func (w *marginalCoder) price(e pricedFeature) engines.Price {
	w.set = append(w.set, e)
	after := w.setPrice()
	w.set = w.set[:len(w.set)-1]
	return engines.Price{
		Class: after.Class - w.paid.Class, Index: after.Index - w.paid.Index,
		Subset: after.Subset - w.paid.Subset, Coefficient: after.Coefficient - w.paid.Coefficient,
	}
}

func (w *marginalCoder) include(e pricedFeature) {
	w.set = append(w.set, e)
	w.paid = w.setPrice()
}

// setPrice is the price of the set described at once.
func (w *marginalCoder) setPrice() (p engines.Price) {
	w.part = append(w.part[:0], make([]engines.Price, len(w.set))...)
	w.priceSet(w.part, w.set)
	for _, q := range w.part {
		p.Class += q.Class
		p.Index += q.Index
		p.Subset += q.Subset
		p.Coefficient += q.Coefficient
	}
	return p
}
