// Package texts says which columns are made of texts.
package texts

import "fmt"

// Columns says which columns of a matrix are made of columns of texts in a table: each has many, such as one for each word. Their names
// begin with that of the text and a colon.
type Columns struct {
	Names []string `json:"names"`
	Of    []int32  `json:"of"` // by column of the matrix, the number of its text, -1 for none
}

// At returns the texts of some columns; nil for nil.
func (t *Columns) At(columns []int32) *Columns {
	if t == nil {
		return nil
	}
	some := &Columns{Names: t.Names}
	for _, j := range columns {
		some.Of = append(some.Of, t.Of[j])
	}
	return some
}

// Is reports whether column j is made of a text.
func (t *Columns) Is(j int) bool { return t != nil && t.Of[j] >= 0 }

// NameOf returns the name of the text that column j is made of, "" if it is made of none.
func (t *Columns) NameOf(j int) string {
	if !t.Is(j) {
		return ""
	}
	return t.Names[t.Of[j]]
}

// Check verifies that there is a number for each column, and that it is in range; nil is sound.
func (t *Columns) Check(columns int) error {
	if t == nil {
		return nil
	}
	if len(t.Of) != columns {
		return fmt.Errorf("%d numbers of texts for %d columns", len(t.Of), columns)
	}
	for j, k := range t.Of {
		if k < -1 || int(k) >= len(t.Names) {
			return fmt.Errorf("column %d: text %d, expected -1..%d", j, k, len(t.Names)-1)
		}
	}
	return nil
}
