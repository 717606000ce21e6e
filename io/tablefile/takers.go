package tablefile

import (
	"fmt"
	"math"
	"strings"

	"tenfold/io/rawtext"
)

// TextValue returns the cell that text is in a file with commas as delimiters.
func TextValue(text string) Value { return Value{&Written{Dialect: rawtext.Commas, As: text}} }

// Words is a column of texts that repeat: a number for each cell.
type Words struct {
	List    []string // the texts, in order of first appearance
	Numbers []int32  // indices into List; nil if nothing was added

	numberOf map[string]int32
}

// Add adds a cell.
func (w *Words) Add(text string) {
	k, known := w.numberOf[text]
	if !known {
		if w.numberOf == nil {
			w.numberOf = map[string]int32{}
		}
		k = int32(len(w.List))
		text = strings.Clone(text)
		w.List, w.numberOf[text] = append(w.List, text), k
	}
	w.Numbers = append(w.Numbers, k)
}

// Text returns the text of cell k, "" if there is no such column.
func (w *Words) Text(k int32) string {
	if w.Numbers == nil {
		return ""
	}
	return w.List[w.Numbers[k]]
}

// Take adds the text of a cell.
func (w *Words) Take(v Value) error {
	w.Add(v.Text())
	return nil
}

// WholeNumbers is a column of numbers of rows, folds and the like; an empty cell is -1.
type WholeNumbers []int32

// Take adds the number in a cell. It returns an error if this is no whole number from 0.
func (w *WholeNumbers) Take(v Value) error {
	if v.Missing() {
		*w = append(*w, -1)
		return nil
	}
	x, ok := v.Number()
	if !ok || x < 0 || x != math.Trunc(x) || x > math.MaxInt32 {
		return fmt.Errorf("found %q, expected a whole number from 0", v.Text())
	}
	*w = append(*w, int32(x))
	return nil
}
