package npz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/source"
)

// Look lists the arrays of an .npy file, or of an .npz file that np.savez wrote in bytewise order of their names; a sparse matrix of SciPy is
// one. Arrays that cannot be read come last, with the reason, unless there is no other.
func (n NPZ) Look(_ context.Context, in source.Input) (source.Sight, error) {
	content, file, err := in.Bytes("all")
	if err != nil {
		return source.Sight{}, err
	}
	arrays, err := lookAtArrays(in, content, file)
	return source.Sight{Arrays: arrays}, err
}

func lookAtArrays(in source.Input, content []byte, file string) ([]source.Array, error) {
	if !bytes.HasPrefix(content, []byte("PK")) {
		a, err := numbersOrTexts(file, content)
		return []source.Array{a.seen("")}, err
	}
	z, err := openArchive(in, file, content)
	if err != nil {
		return nil, err
	}
	if z.members["format.npy"] != nil {
		b, err := openSparse(in, file, content)
		return []source.Array{{Shape: []int{b.rows, b.cols}}}, err
	}
	var found, refused []source.Array
	var reasons []error
	for _, name := range slices.Sorted(maps.Keys(z.members)) {
		body, err := z.readMember(name)
		if err != nil {
			return nil, err
		}
		a, err := numbersOrTexts(file+": "+strings.TrimSuffix(name, ".npy"), body)
		if err != nil {
			refused, reasons = append(refused, source.Array{Member: name, Refused: err}), append(reasons, err)
			continue
		}
		found = append(found, a.seen(name))
	}
	if len(found) == 0 {
		return nil, errors.Join(append(reasons, fmt.Errorf("%s: no array that can be read", file))...)
	}
	return append(found, refused...), nil
}

// seen returns an array before it is known what it is for.
func (a array) seen(member string) source.Array {
	n := 1
	for _, m := range a.shape {
		n *= m
	}
	return source.Array{
		Member: member, Shape: a.shape, Texts: a.isText(),
		Each: func(see func(text string)) error {
			for k := range n {
				if !a.isText() {
					see(strconv.FormatFloat(a.floatAt(k), 'g', -1, 64))
					continue
				}
				text, err := a.textAt(k)
				if err != nil {
					return err
				}
				see(text)
			}
			return nil
		},
		Gaps: func() bool {
			for k := range n {
				if a.isText() {
					break
				}
				if v := a.floatAt(k); v != v {
					return true
				}
			}
			return false
		},
	}
}
