package mdl

import (
	"fmt"
	"math"
	"strings"

	"tenfold/engines/data"
)

// An example with the sizes of the published table of costs (Dhillon, Foster & Ungar 2011, section 3.2).
const (
	exampleRows, exampleColumns, exampleTasks = 100, 2000, 20
	exampleClasses                            = 40
)

// exampleDonors are the tasks that transfer-tpc learns from: half of them have the features and their class.
var exampleDonors = &Prior{
	Transfer: DefaultTransfer(), Donors: 10, Classes: map[string]Count{"": {5, 5}},
	Features: map[string]Count{"0": {5, 5}, fmt.Sprint(exampleClasses): {5, 5}},
}

// exampleShares are the numbers of tasks that have the feature.
var exampleShares = []int{1, 5, 20}

// explainCodes returns a table of what the codes charge for a feature, in bits, at so many bits for a coefficient's value.
func explainCodes(coefBits float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "bits of a feature that so many of %d targets have, and (tpc: %d classes of %d columns; transfer-tpc: features and class that %d of %d donors have) of one more of the same class; %d columns, %d rows:\n",
		exampleTasks, exampleClasses, exampleColumns/exampleClasses, exampleDonors.Classes[""].With, exampleDonors.Donors, exampleColumns, exampleRows)
	fmt.Fprintf(&b, "  %-16s", "code")
	for _, k := range exampleShares {
		fmt.Fprintf(&b, "%8d", k)
	}
	b.WriteString("  one more, 1\n")
	for _, c := range codes {
		first, again := examplePrices(c, coefBits)
		fmt.Fprintf(&b, "  %-16s", c.name)
		for _, bits := range first {
			fmt.Fprintf(&b, "%8.1f", bits)
		}
		fmt.Fprintf(&b, "%13.1f\n", again)
	}
	return b.String()
}

// examplePrices returns what a code charges for a feature in some of the example's tasks, and for a second one of its class in one.
func examplePrices(c code, coefBits float64) (first []float64, again float64) {
	t := codeTerms{rows: exampleRows, columns: exampleColumns, tasks: 1, coefBits: coefBits}
	if c.together {
		t.tasks = exampleTasks
	}
	if c.classes {
		class, names := make([]int32, exampleColumns), make([]string, exampleClasses)
		for j := range class {
			class[j] = int32(j % exampleClasses)
		}
		t.classes, _ = readClasses(data.NumberedFeatures(0, exampleColumns).WithClasses(class, names), 0) // it has classes
	}
	if c.donors {
		c.make = exampleDonors.newCoder
	}
	coder := c.make(t)
	bits := func(j int32, k int) float64 {
		switch {
		case !c.together: // each task by itself
			return float64(k) * coder.price(pricedFeature{j, 1}).Paid()
		case math.IsInf(coder.price(pricedFeature{j, k}).Paid(), 1): // then all have it
			return coder.price(pricedFeature{j, exampleTasks}).Paid()
		}
		return coder.price(pricedFeature{j, k}).Paid()
	}
	for _, k := range exampleShares {
		first = append(first, bits(0, k))
	}
	coder.include(pricedFeature{0, 1})
	return first, bits(exampleClasses, 1)
}
