package mdl

import (
	"slices"

	"tenfold/engines"
)

// coder prices features for the tasks of one description. It knows nothing of responses or searches.
type coder interface {
	// price is the bits of a feature, given those included so far; infinite where the code has no word for it.
	price(e entry) engines.Price
	// include tells that the model has a feature from now on.
	include(e entry)
	// whole prices a set described at once, where it does not matter in which order its features came: price[i] is the share
	// of set[i]. (Thesis, Eq. 8.)
	whole(price []engines.Price, set []entry)
}

// entry is a feature in a model: a column, and how many tasks have it.
type entry struct {
	column int32
	tasks  int
}

// terms is what prices are made of.
type terms struct {
	rows     float64  // n
	columns  float64  // m
	tasks    int      // h, coded together
	coefBits float64  // bits of a coefficient's value
	classes  *classes // of the columns, nil for codes that do not look at them
}

// code is a kind of coder. Adding one is its function and a line in the table.
type code struct {
	name     string
	make     func(terms) coder
	together bool // a feature is priced once for all tasks that have it; else each task is described by itself
	columns  bool // prices depend on how many columns there are
	classes  bool // and on their classes
	values   bool // and on the bits of a coefficient's value
	donors   bool // prices come from a Prior; without one there is nothing to fit by
}

var codes = []code{
	{name: "aic", make: aic},
	{name: "bic", make: bic},
	{name: "ric", make: ric, columns: true},
	{name: "ric2", make: ric2, columns: true, values: true},
	{name: codeTPC, make: tpc, classes: true, values: true},
	{name: "tpc-switch", make: tpcSwitch, classes: true, values: true},
	{name: CodeTransfer, make: noDonors.coder, classes: true, values: true, donors: true},
	{name: "mic-partial", make: partial, together: true, columns: true, values: true},
	{name: "mic-partial-logh", make: partialLogH, together: true, columns: true, values: true},
	{name: "mic-full", make: full, together: true, columns: true, values: true},
}

func codeNames() []string {
	names := make([]string, len(codes))
	for k, c := range codes {
		names[k] = c.name
	}
	return names
}

// codeNamed is the code of that name; without one, none.
func codeNamed(name string) (c code, ok bool) {
	if k := slices.IndexFunc(codes, func(c code) bool { return c.name == name }); k >= 0 {
		return codes[k], true
	}
	return code{}, false
}

// byTasks is a code in which only the number of tasks matters: a feature for k of them costs the k-th price.
type byTasks []engines.Price

func (c byTasks) price(e entry) engines.Price { return c[e.tasks] }
func (c byTasks) include(entry)               {}
func (c byTasks) whole(price []engines.Price, set []entry) {
	for i, e := range set {
		price[i] = c[e.tasks]
	}
}

// wholeSet prices a feature by what it adds to the price of the set described at once, so that the order of entry means
// nothing. O(features of the set) a price.
type wholeSet struct {
	coder
	set  []entry
	paid engines.Price
	part []engines.Price
}

func (w *wholeSet) price(e entry) engines.Price {
	w.set = append(w.set, e)
	after := w.sum()
	w.set = w.set[:len(w.set)-1]
	return engines.Price{
		Class: after.Class - w.paid.Class, Index: after.Index - w.paid.Index,
		Subset: after.Subset - w.paid.Subset, Coefficient: after.Coefficient - w.paid.Coefficient,
	}
}

func (w *wholeSet) include(e entry) {
	w.set = append(w.set, e)
	w.paid = w.sum()
}

// sum of the shares of the set.
func (w *wholeSet) sum() (p engines.Price) {
	w.part = append(w.part[:0], make([]engines.Price, len(w.set))...)
	w.whole(w.part, w.set)
	for _, q := range w.part {
		p.Class += q.Class
		p.Index += q.Index
		p.Subset += q.Subset
		p.Coefficient += q.Coefficient
	}
	return p
}
