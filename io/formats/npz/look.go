package npz

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Array is an array of a file, before it is known what it is for.
type Array struct {
	Member  string // of an .npz file that np.savez wrote; "" for an .npy file and for a sparse matrix
	Shape   []int
	Texts   bool
	Refused error // why its values cannot be read; it then has no shape

	values array // none for a sparse matrix
}

// Look lists the arrays of an .npy file or of an .npz file, in bytewise order of their names; a sparse matrix of SciPy is one. Arrays that
// cannot be read come last, with the reason, unless there is no other.
func Look(content []byte, file string) ([]Array, error) {
	if !bytes.HasPrefix(content, []byte("PK")) {
		a, err := numbersOrTexts(file, content)
		return []Array{{Shape: a.shape, Texts: a.isText(), values: a}}, err
	}
	z, err := openArchive(nil, file, content)
	if err != nil {
		return nil, err
	}
	if z.members["format.npy"] != nil {
		b, err := openSparse(nil, file, content)
		return []Array{{Shape: []int{b.rows, b.cols}}}, err
	}
	var found, refused []Array
	for _, name := range slices.Sorted(maps.Keys(z.members)) {
		body, err := z.readMember(name)
		if err != nil {
			return nil, err
		}
		a, err := numbersOrTexts(file+": "+strings.TrimSuffix(name, ".npy"), body)
		if err != nil {
			refused = append(refused, Array{Member: name, Refused: err})
			continue
		}
		found = append(found, Array{Member: name, Shape: a.shape, Texts: a.isText(), values: a})
	}
	if len(found) == 0 {
		var errs []error
		for _, a := range refused {
			errs = append(errs, a.Refused)
		}
		return nil, errors.Join(append(errs, fmt.Errorf("%s: no array that can be read", file))...)
	}
	return append(found, refused...), nil
}

// Gaps reports whether a number is NaN.
func (a Array) Gaps() bool {
	if a.Texts || a.Refused != nil || a.values.shape == nil {
		return false
	}
	for k := range a.length() {
		if v := a.values.floatAt(k); v != v {
			return true
		}
	}
	return false
}

func (a Array) length() int {
	n := 1
	for _, m := range a.Shape {
		n *= m
	}
	return n
}

// Each calls see with the values as texts, in the order of the file.
func (a Array) Each(see func(text string)) error {
	for k := range a.length() {
		if !a.Texts {
			see(strconv.FormatFloat(a.values.floatAt(k), 'g', -1, 64))
			continue
		}
		text, err := a.values.textAt(k)
		if err != nil {
			return err
		}
		see(text)
	}
	return nil
}
