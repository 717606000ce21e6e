package arff

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// walk goes through the values of rows.
type walk struct {
	attributes []attribute
	take       func(attribute int, cell []byte, quoted bool) error
	rows       int
	mentioned  []int     // row, from 1, that mentioned each attribute last
	weights    []float64 // of the rows; nil while all have the weight 1
}

// reader collects rows.
type reader struct {
	walk
	file    string // that declared the attributes
	asks    source.Response
	allowed *source.Implied // memory that is not spelled in the rows
	first   []int32         // first column of each feature
	columns int
	absent  []int32 // column of each nominal feature that says that its value is missing, -1 until a row lacks it
	extra   []int   // the features for which that is a further column
	implied []int   // features that have an entry in sparse rows which do not mention them
	answers []int   // attributes that are responses
	naming  []int   // attributes that identify or group rows

	x       sparse.Builder
	idx     []int32 // of the row being read
	val     []float64
	targets []*target
	target  []int // target of each attribute, -1 for none
	ids     []string
	seen    map[string]int
	groups  []string
}

func newReader(file string, attributes []attribute, asks source.Response, allowed *source.Implied) *reader {
	r := &reader{
		walk: walk{attributes: attributes, mentioned: make([]int, len(attributes))},
		file: file, asks: asks, allowed: allowed, first: make([]int32, len(attributes)), target: make([]int, len(attributes)), seen: map[string]int{},
		absent: slices.Repeat([]int32{-1}, len(attributes)),
	}
	r.take = r.addValue
	for k, a := range attributes {
		r.target[k] = -1
		switch {
		case a.part == response:
			r.target[k], r.answers = len(r.targets), append(r.answers, k)
			r.targets = append(r.targets, &target{attribute: a})
			continue
		case a.part == identity || a.part == group:
			r.naming = append(r.naming, k)
			continue
		case a.part == dropped:
			continue
		}
		r.first[k] = int32(r.columns)
		r.columns += a.columns()
		if a.levels != nil && (len(a.levels) != 2 || a.on == 0) {
			r.implied = append(r.implied, k)
		}
	}
	return r
}

// checkNames refuses names of attributes that are far longer, before each of their levels, than the file.
func (r *reader) checkNames() error {
	for _, a := range r.attributes {
		if a.part != feature || len(a.levels) < 2 {
			continue
		}
		if err := r.allowed.AskNames(len(a.name), len(a.levels), "%d levels with the name of their attribute, of %d bytes, before each", len(a.levels), len(a.name)); err != nil {
			return err
		}
	}
	return nil
}

// columns returns the number of columns of a feature.
func (a *attribute) columns() int {
	if a.levels == nil || len(a.levels) == 2 {
		return 1
	}
	return len(a.levels)
}

// checkAttributes checks that a further file declares what the first one did, in the same order.
func (r *reader) checkAttributes(attributes []attribute) error {
	if len(attributes) != len(r.attributes) {
		return fmt.Errorf("%d attributes, expected %d as in %s", len(attributes), len(r.attributes), r.file)
	}
	for k, a := range attributes {
		if b := r.attributes[k]; a.name != b.name || !slices.Equal(a.levels, b.levels) || a.text != b.text {
			return fmt.Errorf("attribute %d, %q, is not declared as in %s, where it is %q", k+1, a.name, r.file, b.name)
		}
	}
	return nil
}

// readRows appends the rows after @data.
func (r *reader) readRows(ctx context.Context, t *text) error {
	for {
		line, ok := t.nextLine()
		if !ok {
			return ctx.Err()
		}
		if r.rows%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.beginRow()
		err := r.readRow(line)
		if err == nil {
			err = r.endRow()
		}
		if err != nil {
			return t.Errorf("%w", err)
		}
	}
}

func (r *reader) beginRow() {
	r.rows++
	r.idx, r.val = r.idx[:0], r.val[:0]
}

// endRow ends a row. What its line did not mention is 0, or the first level.
func (r *reader) endRow() error {
	before := len(r.idx)
	for _, k := range r.implied {
		if r.mentioned[k] != r.rows {
			r.addLevel(k, 0)
		}
	}
	if n := len(r.idx) - before; n > 0 {
		if err := r.allowed.Ask(source.Entry*int64(n), "the first levels of attributes that sparse rows do not mention"); err != nil {
			return fmt.Errorf("%w; columns: {drop: [...]} leaves attributes out", err)
		}
	}
	for t, k := range r.answers {
		if r.mentioned[k] != r.rows && r.attributes[k].text {
			return fmt.Errorf("attribute %q, a response, has no value", r.attributes[k].name)
		}
		if r.mentioned[k] != r.rows {
			if err := r.allowed.Ask(10, "responses that sparse rows do not mention"); err != nil {
				return fmt.Errorf("%w; target: {columns: [...]} names fewer", err)
			}
			r.targets[t].values = append(r.targets[t].values, 0)
		}
	}
	for _, k := range r.naming {
		if r.mentioned[k] != r.rows {
			return fmt.Errorf("attribute %q has no value, and is to identify or to group rows", r.attributes[k].name)
		}
	}
	return r.x.Add(r.idx, r.val)
}

// readRow takes the values of a line.
func (r *walk) readRow(line []byte) error {
	if line[0] == '{' {
		return r.readSparse(line)
	}
	return r.readDense(line)
}

// readDense reads a row of all values, divided by commas or tabs; a comma and the weight of the row in braces may follow.
func (r *walk) readDense(line []byte) error {
	for k := range r.attributes {
		cell, quoted, rest, err := nextCell(line)
		if err != nil {
			return err
		}
		r.mentioned[k] = r.rows
		if err := r.take(k, cell, quoted); err != nil {
			return err
		}
		if line = rest; line == nil && k+1 < len(r.attributes) {
			return fmt.Errorf("%d values, expected one for each of the %d attributes", k+1, len(r.attributes))
		}
	}
	if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '%' {
		return nil
	}
	if ok, err := r.readWeight(line); ok {
		return err
	}
	return fmt.Errorf("more values than the %d attributes, after them %.20q", len(r.attributes), line)
}

// readWeight reads the weight of a row, in braces; ok is false if it is none.
func (r *walk) readWeight(text []byte) (ok bool, err error) {
	if text[0] != '{' || text[len(text)-1] != '}' {
		return false, nil
	}
	w, isNumber := rawtext.ParseNumber(string(bytes.TrimSpace(text[1 : len(text)-1])))
	if !isNumber || w <= 0 {
		return true, fmt.Errorf("found %.20q after the row, expected a weight above 0 in braces", text)
	}
	for len(r.weights) < r.rows {
		r.weights = append(r.weights, 1)
	}
	r.weights[r.rows-1] = w
	return true, nil
}

// readSparse reads a row {number value, number value, …} of attributes numbered from 0.
func (r *walk) readSparse(line []byte) error {
	end := bytes.IndexByte(line, '}')
	for end >= 0 && bytes.Count(line[:end], []byte{'\''})%2 == 1 { // within a value
		next := bytes.IndexByte(line[end+1:], '}')
		if next < 0 {
			break
		}
		end += 1 + next
	}
	if end < 0 {
		return fmt.Errorf("the sparse row does not end with a brace")
	}
	if after := bytes.TrimLeft(line[end+1:], ", \t"); len(after) > 0 && after[0] != '%' {
		ok, err := r.readWeight(after)
		if err == nil && !ok {
			err = fmt.Errorf("found %.20q after the brace that ends a sparse row", after)
		}
		if err != nil {
			return err
		}
	}
	line = bytes.TrimSpace(line[1:end])
	for len(line) > 0 {
		blank := bytes.IndexAny(line, " \t")
		if blank < 0 {
			return fmt.Errorf("found %.20q, expected the number of an attribute and its value", line)
		}
		k, ok := parseNatural(line[:blank])
		if !ok || k >= len(r.attributes) {
			return fmt.Errorf("found %.20q, expected the number of an attribute, 0 to %d", line[:blank], len(r.attributes)-1)
		}
		if r.mentioned[k] == r.rows {
			return fmt.Errorf("attribute %d (%q) is given twice", k, r.attributes[k].name)
		}
		cell, quoted, rest, err := nextCell(bytes.TrimSpace(line[blank:]))
		if err != nil {
			return err
		}
		r.mentioned[k] = r.rows
		if err := r.take(k, cell, quoted); err != nil {
			return err
		}
		line = bytes.TrimSpace(rest)
	}
	return nil
}

func parseNatural(digits []byte) (n int, ok bool) {
	for _, c := range digits {
		if c < '0' || c > '9' || n > 1<<30 {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, len(digits) > 0
}

// nextCell returns the cell up to a comma or a tab, and what follows it; nil at the end of the line. A percent sign after a blank begins a
// comment.
func nextCell(line []byte) (cell []byte, quoted bool, rest []byte, err error) {
	line = bytes.TrimLeft(line, " \t")
	if len(line) == 0 || line[0] != '\'' && line[0] != '"' {
		end := bytes.IndexAny(line, ",\t")
		cell = line
		if end >= 0 {
			cell = line[:end]
		}
		if k := bytes.Index(cell, []byte(" %")); k >= 0 {
			return bytes.TrimSpace(cell[:k]), false, nil, nil
		}
		if end < 0 {
			return bytes.TrimSpace(cell), false, nil, nil
		}
		return bytes.TrimSpace(cell), false, afterSeparator(line[end:]), nil
	}
	v, rest, err := parseValue(line, "")
	begin := bytes.TrimLeft(rest, " ")
	switch rest = bytes.TrimLeft(rest, " \t"); {
	case err != nil:
	case len(rest) == 0 || rest[0] == '%':
		return []byte(v), true, nil, nil
	case begin[0] != ',' && begin[0] != '\t':
		err = fmt.Errorf("found %.20q after a quoted value", rest)
	default:
		rest = afterSeparator(begin)
	}
	return []byte(v), true, rest, err
}

// afterSeparator returns what follows a comma, or tabs, or both.
func afterSeparator(line []byte) []byte {
	line = bytes.TrimLeft(line, " \t")
	return bytes.TrimPrefix(line, []byte{','})
}

// addValue adds the value of an attribute.
func (r *reader) addValue(k int, cell []byte, quoted bool) error {
	a := &r.attributes[k]
	missing := !quoted && len(cell) == 1 && cell[0] == '?'
	switch {
	case a.part == dropped:
		return nil
	case a.part == identity || a.part == group:
		return r.addName(a, string(cell), missing)
	case missing:
		return r.addMissing(k)
	case a.levels != nil:
		l, ok := a.level[string(cell)]
		if !ok {
			return fmt.Errorf("attribute %q: found %.40q, expected one of %s%s", a.name, cell, source.Abridge(a.levels), suggest.DidYouMean(string(cell), a.levels))
		}
		r.addLevel(k, l)
		return nil
	}
	if t := r.target[k]; t >= 0 && a.text {
		r.targets[t].labels.Add(string(cell))
		return nil
	}
	v, ok := rawtext.ParseNumber(string(cell))
	if !ok {
		return fmt.Errorf("attribute %q: found %.40q, expected a finite number, or ? where it is missing", a.name, cell)
	}
	r.addNumber(k, v)
	return nil
}

func (r *reader) addNumber(k int, v float64) {
	if t := r.target[k]; t >= 0 {
		r.targets[t].values = append(r.targets[t].values, v)
	} else if v != 0 {
		r.idx, r.val = append(r.idx, r.first[k]), append(r.val, v)
	}
}

// addLevel sets the columns of a nominal attribute.
func (r *reader) addLevel(k, l int) {
	a := &r.attributes[k]
	switch {
	case r.target[k] >= 0:
		r.addNumber(k, float64(l))
	case len(a.levels) != 2:
		r.idx, r.val = append(r.idx, r.first[k]+int32(l)), append(r.val, 1)
	case l == a.on:
		r.addNumber(k, 1)
	}
}

// addMissing leaves gaps in the columns of an attribute; of a response it may be an error.
func (r *reader) addMissing(k int) error {
	a := &r.attributes[k]
	if t := r.target[k]; t >= 0 {
		if !r.asks.Gap() {
			return fmt.Errorf("attribute %q, a response: the value is missing; say what to do with target: {missing: drop-rows}", a.name)
		}
		r.targets[t].gaps = append(r.targets[t].gaps, int32(r.rows-1))
		if a.levels == nil && !a.text {
			r.targets[t].values = append(r.targets[t].values, math.NaN())
		}
		return nil
	}
	column := r.first[k]
	if a.levels != nil {
		column = r.absentColumn(k)
	}
	r.idx, r.val = append(r.idx, column), append(r.val, math.NaN())
	return nil
}

// absentColumn returns the column that says that the value of a nominal feature is missing: that of a level of this name, or a further one.
func (r *reader) absentColumn(k int) int32 {
	a := &r.attributes[k]
	l, declared := a.level[data.Missing]
	switch {
	case r.absent[k] >= 0:
	case declared && len(a.levels) != 2:
		r.absent[k] = r.first[k] + int32(l)
	case declared && l == a.on:
		r.absent[k] = r.first[k]
	default:
		r.absent[k] = int32(r.columns + len(r.extra))
		r.extra = append(r.extra, k)
	}
	return r.absent[k]
}

// addName adds the id or the group of a row.
func (r *reader) addName(a *attribute, cell string, missing bool) error {
	switch {
	case missing:
		return fmt.Errorf("attribute %q: the value is missing", a.name)
	case a.part == group:
		r.groups = append(r.groups, cell)
		return nil
	}
	if first, again := r.seen[cell]; again {
		return fmt.Errorf("attribute %q: found %q, which identifies row %d already", a.name, cell, first+1)
	}
	r.seen[cell] = r.rows - 1
	r.ids = append(r.ids, cell)
	return nil
}
