package svmlight

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

var errZero = errors.New("index 0, expected 1 or more with base 1")

// reader collects rows. Its slices idx, val and order are scratch for one row.
type reader struct {
	base   int
	labels source.Labels
	room   *source.Room // nil where all is in memory
	// columns that there may be: a lone index must not ask for all memory.
	columns int

	rows    int
	x       sparse.Builder
	looks   bool   // rows are read and not kept, only
	seen    []bool // which columns they have
	qid     source.Texts
	grouped bool

	idx   []int32
	val   []float64
	order []int32
}

// readRow reads one line. Lines without a label are none.
func (r *reader) readRow(line []byte) error {
	if c := bytes.IndexByte(line, '#'); c >= 0 {
		line = line[:c]
	}
	label, rest := nextToken(line)
	if len(label) == 0 {
		return nil
	}
	if r.labels.Type != data.Any {
		if err := r.readLabel(label); err != nil {
			return err
		}
	} else if bytes.IndexByte(label, ':') >= 0 { // the first entry
		rest = line
	}
	rest, err := r.readQuery(rest)
	if err != nil {
		return err
	}
	if err := r.readEntries(rest); err != nil {
		return err
	}
	if r.rows++; r.looks {
		r.noteColumns()
		return nil
	}
	return r.x.Add(r.idx, r.val)
}

// noteColumns notes the columns of the row.
func (r *reader) noteColumns() {
	for _, j := range r.idx {
		if more := int(j) + 1 - len(r.seen); more > 0 {
			r.seen = append(r.seen, make([]bool, more)...)
		}
		r.seen[j] = true
	}
}

func (r *reader) readLabel(label []byte) error {
	switch c := bytes.IndexAny(label, ":,"); {
	case c >= 0 && label[c] == ':':
		return fmt.Errorf("found %q, expected a label before the first index:value", rawtext.Beginning(label))
	case c >= 0:
		return fmt.Errorf("label %q: several labels a row are not supported, expected one", rawtext.Beginning(label))
	}
	return r.labels.Add(label)
}

// readQuery reads qid:N where it stands next; either every row has one or none has.
func (r *reader) readQuery(line []byte) (rest []byte, err error) {
	t, rest := nextToken(line)
	id, found := bytes.CutPrefix(t, []byte("qid:"))
	if r.rows == 0 {
		r.grouped = found
	}
	switch {
	case found != r.grouped && found:
		return nil, fmt.Errorf("found %q, but earlier rows have no qid", rawtext.Beginning(t))
	case found != r.grouped:
		return nil, errors.New("no qid after the label, but earlier rows have one")
	case !found:
		return line, nil
	}
	if _, end := parseNatural(id); len(id) == 0 || end < len(id) {
		return nil, fmt.Errorf("found %q, expected qid: and a whole number", rawtext.Beginning(t))
	}
	r.qid.Add(string(id))
	return rest, nil
}

// readEntries reads index:value tokens into idx and val. Indices usually rise; where they do not, repeated ones are looked
// for.
func (r *reader) readEntries(line []byte) error {
	r.idx, r.val = r.idx[:0], r.val[:0]
	rising, last := true, int32(-1)
	for {
		index, v, rest, ok := parseDigit(line)
		if !ok {
			var err error
			if index, v, rest, err = parseEntry(line); err != nil {
				return err
			}
			if index < 0 {
				break
			}
		}
		j := index - r.base
		switch {
		case j < 0:
			t, _ := nextToken(line)
			return fmt.Errorf("found %q: %w", rawtext.Beginning(t), errZero)
		case j >= r.columns:
			t, _ := nextToken(line)
			return fmt.Errorf("found %q: the index is beyond %d, the most columns that a file of its size may have here", rawtext.Beginning(t), r.columns)
		}
		rising, last = rising && int32(j) > last, int32(j)
		r.idx, r.val = append(r.idx, last), append(r.val, v)
		line = rest
	}
	if rising {
		return nil
	}
	return r.checkDistinct()
}

// parseDigit reads an index and a value of one digit, which most are; it is not ok for all else, right or wrong.
func parseDigit(line []byte) (index int, v float64, rest []byte, ok bool) {
	k := 0
	for k < len(line) && line[k] == ' ' {
		k++
	}
	first := k
	for k < len(line) && line[k]-'0' <= 9 {
		index = 10*index + int(line[k]-'0')
		k++
	}
	if k == first || k > first+9 || k+1 >= len(line) || line[k] != ':' {
		return 0, 0, nil, false
	}
	digit := line[k+1] - '0'
	if digit > 9 || k+2 < len(line) && !isBlank(line[k+2]) {
		return 0, 0, nil, false
	}
	return index, float64(digit), line[k+2:], true
}

// parseEntry reads any index and value; the index is negative at the end of the line.
func parseEntry(line []byte) (index int, v float64, rest []byte, err error) {
	t, rest := nextToken(line)
	if len(t) == 0 {
		return -1, 0, rest, nil
	}
	index, end := parseNatural(t)
	if end == 0 || end+1 >= len(t) || t[end] != ':' {
		return 0, 0, nil, fmt.Errorf("found %q, expected index:value", rawtext.Beginning(t))
	}
	v, ok := rawtext.ParseValue(string(t[end+1:]))
	if !ok {
		return 0, 0, nil, fmt.Errorf("found %q: value %q, expected a finite number", rawtext.Beginning(t), rawtext.Beginning(t[end+1:]))
	}
	return index, v, rest, nil
}

// checkDistinct refuses repeated indices.
func (r *reader) checkDistinct() error {
	r.order = append(r.order[:0], r.idx...)
	slices.Sort(r.order)
	for k := 1; k < len(r.order); k++ {
		if r.order[k] == r.order[k-1] {
			return fmt.Errorf("index %d is given twice in one row", int(r.order[k])+r.base)
		}
	}
	return nil
}

// nextToken returns the text up to the next blank, after leading blanks; empty at the end of the line.
func nextToken(line []byte) (t, rest []byte) {
	a := 0
	for a < len(line) && isBlank(line[a]) {
		a++
	}
	b := a
	for b < len(line) && !isBlank(line[b]) {
		b++
	}
	return line[a:b], line[b:]
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// parseNatural reads the decimal digits that t begins with, and tells where they end. Numbers beyond the range of columns
// stay beyond it.
func parseNatural(t []byte) (n, end int) {
	for end < len(t) && '0' <= t[end] && t[end] <= '9' {
		n = min(10*n+int(t[end]-'0'), 2*source.MaxColumns)
		end++
	}
	return n, end
}
