// Package tuples turns records of symbols into columns by templates.
//
// A record has a value at each of some positions. A template picks positions; each combination of values found there is
// a pattern, and each pattern a column that is one on the records that show it.
//
// The records of Hooker & Weng 2004 (section 2) are ten-tuples. Each describes the join of two constituents of a
// dependency tree:
//
//	0 left head word    2 left modifier word    4 right head word    6 right modifier word    8 left relation
//	1 its tag           3 its tag               5 its tag            7 its tag                9 right relation
//
// A constituent of one word has Leaf for its modifier and its relation.
package tuples

// Leaf is the symbol of a value that is not there.
const Leaf = int32(0)

// Table collects records, one column of symbols a position.
type Table struct {
	symbols
	label  []string // of each position, as it stands in names
	values [][]int32
	answer []int32 // what is to be predicted of each record; nil when there is nothing
}

// NewTable returns a table without records, of at least one position; names label the positions as given.
func NewTable(positions ...string) *Table {
	return &Table{
		symbols: symbols{number: map[string]int32{}, text: []string{"*"}},
		label:   positions,
		values:  make([][]int32, len(positions)),
	}
}

// Add appends a record: a symbol for every position.
func (t *Table) Add(record ...int32) {
	for p, v := range record {
		t.values[p] = append(t.values[p], v)
	}
}

// Answer says what is to be predicted of the record added last.
func (t *Table) Answer(symbol int32) { t.answer = append(t.answer, symbol) }

// Len returns the number of records.
func (t *Table) Len() int { return len(t.values[0]) }

// symbols numbers the values that occur at any position.
type symbols struct {
	number map[string]int32
	text   []string // Leaf is written *
}

// Symbol returns that of a value, a new one at its first appearance. It does not keep the slice.
func (s *symbols) Symbol(value []byte) int32 {
	if n, ok := s.number[string(value)]; ok {
		return n
	}
	n := int32(len(s.text))
	text := string(value)
	s.number[text] = n
	s.text = append(s.text, text)
	return n
}

// Text returns that of a symbol; Leaf reads *, and so does the value *.
func (s *symbols) Text(symbol int32) string { return s.text[symbol] }
