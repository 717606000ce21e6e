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
	Member string // of an .npz file that np.savez wrote; "" for an .npy file and for a sparse matrix
	Shape  []int
	Texts  bool

	values array // none for a sparse matrix
}

// Look lists the arrays of an .npy file or of an .npz file, in bytewise order of their names; a sparse matrix of SciPy is one. Arrays of
// types that cannot be read are passed over, unless there is no other.
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
	var found []Array
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(z.members)) {
		body, err := z.readMember(name)
		if err != nil {
			return nil, err
		}
		a, err := numbersOrTexts(file+": "+strings.TrimSuffix(name, ".npy"), body)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		found = append(found, Array{Member: name, Shape: a.shape, Texts: a.isText(), values: a})
	}
	if len(found) == 0 {
		return nil, errors.Join(append(errs, fmt.Errorf("%s: no array that can be read", file))...)
	}
	return found, nil
}

// Each calls see with the values as texts, in the order of the file.
func (a Array) Each(see func(text string)) error {
	n := 1
	for _, m := range a.Shape {
		n *= m
	}
	for k := range n {
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
