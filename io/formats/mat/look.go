package mat

import (
	"math"
	"slices"
	"strconv"
)

// Variable is one of a file, before it is known what it is for.
type Variable struct {
	Name  string
	Shape []int
	Texts bool

	packed packed
}

// Look lists the variables of a file that can be a matrix, targets or names, in their order.
func Look(content []byte, file string) ([]Variable, error) {
	all, err := readVariables(content, file)
	if err != nil {
		return nil, err
	}
	var found []Variable
	for _, v := range all {
		if len(v.shape) == 2 && (v.isMatrix() && !v.complex || v.isText()) {
			found = append(found, Variable{Name: v.name, Shape: v.shape, Texts: v.isText(), packed: v})
		}
	}
	return found, nil
}

// Gaps reports whether a number is NaN.
func (v Variable) Gaps() bool {
	if v.Texts || !v.packed.isNumber() {
		return false
	}
	numbers, err := v.packed.full(nil)
	return err == nil && slices.ContainsFunc(numbers, math.IsNaN)
}

// Each calls see with the values as texts: of a list, one for each of its elements.
func (v Variable) Each(see func(text string)) error {
	c := column{}
	var err error
	if v.Texts {
		c.texts, err = v.packed.texts(nil)
	} else {
		c.numbers, err = v.packed.full(nil)
	}
	for _, text := range c.texts {
		see(text)
	}
	for _, x := range c.numbers {
		see(strconv.FormatFloat(x, 'g', -1, 64))
	}
	return err
}
