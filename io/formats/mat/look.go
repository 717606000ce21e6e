package mat

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tenfold/io/source"
)

// Look lists the variables of a file that can be a matrix, targets or names, in their order.
func (m Mat) Look(_ context.Context, in source.Input) (source.Sight, error) {
	content, file, err := in.Bytes("all")
	if err != nil {
		return source.Sight{}, err
	}
	all, err := readVariables(content, file)
	if err != nil {
		return source.Sight{}, err
	}
	var found []source.Array
	for _, v := range all {
		if len(v.shape) == 2 && (v.isMatrix() && !v.complex || v.isText()) {
			found = append(found, v.seen())
		}
	}
	if len(found) == 0 {
		return source.Sight{}, fmt.Errorf("%s: it has no variable of numbers or texts", file)
	}
	return source.Sight{Arrays: found}, nil
}

// seen returns a variable before it is known what it is for: of a list, a text for each of its elements.
func (p packed) seen() source.Array {
	a := source.Array{Member: p.name, Shape: p.shape, Texts: p.isText()}
	if n := max(p.shape[0], p.shape[1]); p.isText() || n == p.shape[0]*p.shape[1] {
		a.Shape = []int{n}
	}
	a.Gaps = func() bool {
		if p.isText() || !p.isNumber() {
			return false
		}
		numbers, err := p.full(nil)
		return err == nil && slices.ContainsFunc(numbers, math.IsNaN)
	}
	a.Each = func(see func(text string)) (err error) {
		c := column{}
		if p.isText() {
			c.texts, err = p.texts(nil)
		} else {
			c.numbers, err = p.full(nil)
		}
		for _, text := range c.texts {
			see(text)
		}
		for _, x := range c.numbers {
			see(strconv.FormatFloat(x, 'g', -1, 64))
		}
		return err
	}
	return a
}
