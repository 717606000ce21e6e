package vw

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

const blanks = " \t"

// reader collects rows. Its idx, val, place and name are scratch for one row.
type reader struct {
	labels source.Labels

	x        sparse.Builder
	weight   []float64
	tags     []string // nil once a row has none
	untagged bool
	room     *source.Room // nil where all is in memory
	names    *source.Names
	implied  *source.Implied
	known    int // names before those that place is of
	repeats  int
	looks    bool // rows are read and not kept, only their columns

	idx   []int32
	val   []float64
	place []int32 // of each column from known on, where idx has it if the row has it
	name  []byte
}

func newReader(labels data.Type, in source.Input, bits int) (*reader, error) {
	room := source.RoomIn(in)
	r := &reader{labels: source.Labels{Type: labels}, room: room, names: source.NewNames(room, bits)}
	if bits == 0 {
		r.implied = source.NewImplied(in)
	}
	return r, room.Hold(&r.x)
}

func (r *reader) countRows() int { return len(r.weight) }

// readRow reads one line.
func (r *reader) readRow(line []byte) error {
	bar := bytes.IndexByte(line, '|')
	if bar < 0 {
		return fmt.Errorf("found %q, expected a | between the label and the features", rawtext.Beginning(line))
	}
	if err := r.readPrefix(line[:bar]); err != nil {
		return err
	}
	r.idx, r.val = r.idx[:0], r.val[:0]
	for namespace := range bytes.SplitSeq(line[bar+1:], []byte{'|'}) {
		if err := r.readNamespace(namespace); err != nil {
			return err
		}
	}
	for k, v := range r.val {
		if v-v != 0 {
			return fmt.Errorf("feature %s: its value is beyond the range of numbers", r.names.Name(r.idx[k]))
		}
	}
	if r.looks {
		return nil
	}
	if err := r.x.Add(r.idx, r.val); err != nil {
		return err
	}
	return r.spillRows()
}

// spillRows writes rows to disk, where there is space, and so frees their memory.
func (r *reader) spillRows() error {
	if r.room == nil {
		return nil
	}
	if forgot, err := r.names.Row(); err != nil {
		return err
	} else if forgot {
		r.known, r.place = r.names.Len(), nil
	}
	const each = 16 // bytes of an entry, at most, and of room to grow
	if int64(r.x.Held()) > r.room.Limit/(4*each) {
		return r.x.Spill()
	}
	return nil
}

// buildMatrix makes the matrix of all rows, and its columns in order of first appearance.
func (r *reader) buildMatrix() (*sparse.Matrix, *data.Features, error) {
	features, columns, err := r.names.Done()
	if err != nil {
		return nil, nil, err
	}
	x, err := r.x.Build(features.Len())
	if err != nil || columns == nil {
		return x, features, err
	}
	var b sparse.Builder // with the numbers of names that were given several
	if err := r.room.Hold(&b); err != nil {
		return nil, nil, err
	}
	for i := range r.countRows() {
		row := x.Row(i)
		r.idx = r.idx[:0]
		for _, k := range row.Idx {
			r.idx = append(r.idx, columns[k])
		}
		if err := b.Add(r.idx, row.Val); err != nil {
			return nil, nil, err
		}
		if b.Held() > 1<<16 {
			if err := b.Spill(); err != nil {
				return nil, nil, err
			}
		}
	}
	x, err = b.Build(features.Len())
	return x, features, err
}

// readPrefix reads what stands before the first bar. Where labels are not read there need not be one.
func (r *reader) readPrefix(text []byte) error {
	if r.labels.Type == data.Any {
		tag := ""
		if words := bytes.FieldsFunc(text, rawtext.Blank); len(words) > 0 {
			last := words[len(words)-1]
			if bytes.IndexByte([]byte(blanks), text[len(text)-1]) < 0 || last[0] == '\'' {
				tag = string(bytes.TrimPrefix(last, []byte{'\''}))
			}
		}
		r.weight = append(r.weight, 1)
		r.addTag(tag)
		return nil
	}
	label, tag, err := parseLabel(text)
	if err != nil {
		return err
	}
	return r.readLabel(label, tag)
}

// parseLabel divides what stands before the first bar: the words of the label, and the tag, which touches the bar or
// begins with an apostrophe.
func parseLabel(text []byte) (words [][]byte, tag string, err error) {
	if bytes.IndexByte(text, '\t') >= 0 {
		return nil, "", errors.New("found a tab before |, where Vowpal Wabbit passes over what precedes it; expected blanks")
	}
	words = bytes.FieldsFunc(text, rawtext.Blank)
	if len(words) == 0 {
		return nil, "", errors.New("no label, and rows without one cannot be used; expected a label before |")
	}
	last := words[len(words)-1]
	touches := text[len(text)-1] != ' '
	if !touches && last[0] != '\'' {
		return words, "", nil
	}
	if len(words) == 1 && touches && last[0] != '\'' {
		return nil, "", fmt.Errorf("no label: %q touches |, which makes it a tag; expected a blank between a label and |", rawtext.Beginning(last))
	}
	if len(words) == 1 {
		return nil, "", fmt.Errorf("no label before the tag %q, and rows without one cannot be used", rawtext.Beginning(last))
	}
	return words[:len(words)-1], string(bytes.TrimPrefix(last, []byte{'\''})), nil
}

// readLabel reads label [importance [base]].
func (r *reader) readLabel(words [][]byte, tag string) error {
	if len(words) > 3 || bytes.ContainsAny(words[0], ":,") || slices.Contains(structured, string(words[0])) {
		return fmt.Errorf("found the label %q: labels of several classes, with costs or of contextual bandits are not supported, expected label [importance [base]]",
			rawtext.Beginning(bytes.Join(words, []byte{' '})))
	}
	weight := 1.0
	if len(words) > 1 {
		w, ok := rawtext.ParseNumber(string(words[1]))
		if !ok || w <= 0 {
			return fmt.Errorf("importance %q, expected a positive number", rawtext.Beginning(words[1]))
		}
		weight = w
	}
	if len(words) > 2 {
		if base, ok := rawtext.ParseNumber(string(words[2])); !ok || base != 0 {
			return fmt.Errorf("base %q: predictions to start from are not supported, expected 0 or none", rawtext.Beginning(words[2]))
		}
	}
	if err := r.labels.Add(words[0]); err != nil {
		return err
	}
	r.weight = append(r.weight, weight)
	r.addTag(tag)
	return nil
}

// addTag adds the tag of a row; when one has none, no row needs one.
func (r *reader) addTag(tag string) {
	if r.untagged = r.untagged || tag == ""; r.untagged {
		r.tags = nil
		return
	}
	r.tags = append(r.tags, tag)
}

// structured are words that begin the lines of examples that take several lines.
var structured = []string{"shared", "ccb", "slates"}

// readNamespace reads what follows a bar: [name[:weight]] feature[:value] ...
func (r *reader) readNamespace(text []byte) error {
	scale := 1.0
	r.name = r.name[:0]
	if len(text) > 0 && !rawtext.Blank(rune(text[0])) {
		word, rest := text, []byte(nil)
		if end := bytes.IndexFunc(text, rawtext.Blank); end >= 0 {
			word, rest = text[:end], text[end:]
		}
		name, value, err := parseValue(word)
		if err != nil {
			return fmt.Errorf("namespace %w", err)
		}
		scale = value
		r.name = append(append(r.name, name...), '^')
		text = rest
	}
	prefix := len(r.name)
	for word := range bytes.FieldsFuncSeq(text, rawtext.Blank) {
		name, value, err := parseValue(word)
		if err != nil {
			return fmt.Errorf("feature %w", err)
		}
		r.name = append(r.name[:prefix], name...)
		if err := r.addValue(float64(scale*value), prefix); err != nil {
			return err
		}
	}
	return nil
}

// addValue adds a value of the column that r.name names, of which prefix bytes are the namespace; values of a column are added up, and
// zeros are no entries.
func (r *reader) addValue(value float64, prefix int) error {
	if value == 0 {
		return nil
	}
	column := r.names.Number(r.name)
	k := int(column) - r.known
	if k == len(r.place) {
		if err := r.implied.AskNames(prefix, 1, "a namespace of %d bytes and the names of its features", prefix); err != nil {
			return fmt.Errorf("%w; hash: says how many bits of their hashes are to number them", err)
		}
		r.place = append(r.place, 0)
	}
	if k := int(r.place[k]); k < len(r.idx) && r.idx[k] == column {
		r.val[k] += value
		r.repeats++
		return nil
	}
	r.place[k] = int32(len(r.idx))
	r.idx, r.val = append(r.idx, column), append(r.val, value)
	return nil
}

// parseValue reads name[:number]; without a number it is 1.
func parseValue(word []byte) (name []byte, value float64, err error) {
	name, number, given := bytes.Cut(word, []byte{':'})
	if len(name) == 0 {
		return nil, 0, fmt.Errorf("%q: no name before the colon", rawtext.Beginning(word))
	}
	if !given {
		return name, 1, nil
	}
	value, ok := rawtext.ParseNumber(string(number))
	if !ok {
		return nil, 0, fmt.Errorf("%q: value %q, expected a finite number", rawtext.Beginning(word), rawtext.Beginning(number))
	}
	return name, value, nil
}

// rowWeights returns the weights; nil if all are 1.
func (r *reader) rowWeights() []float64 {
	if slices.ContainsFunc(r.weight, func(w float64) bool { return w != 1 }) {
		return r.weight
	}
	return nil
}

// rowIDs returns the tags if every row has one that no other row has, else nil.
func (r *reader) rowIDs() []string {
	seen := make(map[string]bool, len(r.tags))
	for _, tag := range r.tags {
		if seen[tag] {
			return nil
		}
		seen[tag] = true
	}
	return r.tags
}
