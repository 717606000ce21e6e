package codes

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

// Explain returns a table of what the codes charge for a feature, in bits, at so many bits for a coefficient's value.
func Explain(coefBits float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "bits of a feature that so many of %d targets have, and (tpc: %d classes of %d columns; transfer-tpc: features and class that %d of %d donors have) of one more of the same class; %d columns, %d rows:\n",
		exampleTasks, exampleClasses, exampleColumns/exampleClasses, exampleDonors.Classes[""].With, exampleDonors.Donors, exampleColumns, exampleRows)
	fmt.Fprintf(&b, "  %-16s", "code")
	for _, k := range exampleShares {
		fmt.Fprintf(&b, "%8d", k)
	}
	b.WriteString("  one more, 1\n")
	for _, c := range All {
		first, again := examplePrices(c, coefBits)
		fmt.Fprintf(&b, "  %-16s", c.Name)
		for _, bits := range first {
			fmt.Fprintf(&b, "%8.1f", bits)
		}
		fmt.Fprintf(&b, "%13.1f\n", again)
	}
	return b.String()
}

// examplePrices returns what a code charges for a feature in some of the example's tasks, and for a second one of its class in one.
func examplePrices(c Code, coefBits float64) (first []float64, again float64) {
	t := Terms{Rows: exampleRows, Columns: exampleColumns, Tasks: 1, CoefBits: coefBits}
	if c.Together {
		t.Tasks = exampleTasks
	}
	if c.Classes {
		class, names := make([]int32, exampleColumns), make([]string, exampleClasses)
		for j := range class {
			class[j] = int32(j % exampleClasses)
		}
		t.Classes, _ = ReadClasses(data.NumberedFeatures(0, exampleColumns).WithClasses(class, names), 0) // it has classes
	}
	if c.Donors {
		c.Make = exampleDonors.newCoder
	}
	coder := c.Make(t)
	bits := func(j int32, k int) float64 {
		switch {
		case !c.Together: // each task by itself
			return float64(k) * coder.Price(Entry{j, 1}).Paid()
		case math.IsInf(coder.Price(Entry{j, k}).Paid(), 1): // then all have it
			return coder.Price(Entry{j, exampleTasks}).Paid()
		}
		return coder.Price(Entry{j, k}).Paid()
	}
	for _, k := range exampleShares {
		first = append(first, bits(0, k))
	}
	coder.Include(Entry{0, 1})
	return first, bits(exampleClasses, 1)
}
