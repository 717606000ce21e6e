package knp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/rawtext"
)

// expandPairs turns pairs into 0/1 columns: one for each template and combination of values that occurs, ordered by
// template and then by first appearance. The classes of columns are the templates. O(templates · pairs).
func (c *corpus) expandPairs(ctx context.Context, templates []template, rows []pair) (*data.Dataset, error) {
	blocks := make([]block, len(templates))
	for k, t := range templates {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if blocks[k], err = c.expandTemplate(t, rows); err != nil {
			return nil, fmt.Errorf("features.templates: %q: %w; pairs: sassano makes fewer rows, and templates with fewer particles fewer columns", t.text, err)
		}
	}
	return joinBlocks(templates, blocks, len(rows)), nil
}

// block is the columns of one template, numbered from 0.
type block struct {
	column  []int32 // columns of row 0, of row 1, ...
	end     []int32 // of each row, where its columns end
	names   []byte
	nameEnd []int64 // name j ends at nameEnd[j]
}

// combinations numbers combinations of values: those of the first k+1 values by those of the first k and the next value.
type combinations []map[uint64]int32

func newCombinations(values int) combinations {
	m := make(combinations, values)
	for k := range m {
		m[k] = map[uint64]int32{}
	}
	return m
}

func (m combinations) numberOf(k int, first, next int32) (n int32, known bool) {
	key := uint64(first)<<32 | uint64(next)
	n, known = m[k][key]
	if !known {
		n = int32(len(m[k]))
		m[k][key] = n
	}
	return n, known
}

func (c *corpus) expandTemplate(t template, rows []pair) (out block, err error) {
	numbers := newCombinations(len(t.values))
	seen := make([][]int32, len(t.values)) // of each value, what it sees
	chosen := make([]int32, len(t.values)) // a combination
	var combine func(k int, first int32)
	combine = func(k int, first int32) {
		last := k == len(chosen)-1
		for _, chosen[k] = range seen[k] {
			n, known := numbers.numberOf(k, first, chosen[k])
			if !last {
				combine(k+1, n)
				continue
			}
			if !known {
				out.names = c.appendName(out.names, t, chosen)
				out.nameEnd = append(out.nameEnd, int64(len(out.names)))
			}
			out.column = append(out.column, n)
		}
	}
	out.column, out.end = make([]int32, 0, len(rows)), make([]int32, 0, len(rows))
	for _, p := range rows {
		for k, v := range t.values {
			seen[k] = v.look(c, p, seen[k][:0])
		}
		from, combinations := len(out.column), int64(1)
		for k := range seen {
			combinations *= int64(len(seen[k]))
		}
		const each = 4 // bytes of an entry
		if err := c.implied.Ask(each*combinations, "the columns of pairs, such as those of the sentence %s,", rawtext.Beginning(c.sentences[p.sentence].id)); err != nil {
			return out, err
		}
		combine(0, 0)
		slices.Sort(out.column[from:])
		out.end = append(out.end, int32(len(out.column)))
	}
	return out, nil
}

// joinBlocks makes a data set of the columns of all templates side by side.
func joinBlocks(templates []template, blocks []block, rows int) *data.Dataset {
	var names []byte
	nameEnd, class, classes := []int64{0}, []int32(nil), make([]string, len(templates))
	owned := make([]string, len(templates))
	first := make([]int32, len(templates)+1)
	entries := 0
	for k, b := range blocks {
		for _, end := range b.nameEnd {
			nameEnd = append(nameEnd, int64(len(names))+end)
			class = append(class, int32(k))
		}
		names = append(names, b.names...)
		first[k+1] = int32(len(class))
		entries += len(b.column)
		classes[k] = templates[k].text
		owned[k] = fmt.Sprintf("%s: %d", classes[k], len(b.nameEnd))
	}
	ptr, idx := make([]int, 1, rows+1), make([]int32, 0, entries)
	for i := range rows {
		for k, b := range blocks {
			from := int32(0)
			if i > 0 {
				from = b.end[i-1]
			}
			for _, j := range b.column[from:b.end[i]] {
				idx = append(idx, first[k]+j)
			}
		}
		ptr = append(ptr, len(idx))
	}
	return &data.Dataset{
		X:        sparse.New(len(class), ptr, idx, nil),
		Features: data.PackedFeatures(names, nameEnd).WithClasses(class, classes),
		Facts:    []data.Fact{{Name: "columns by template", Value: strings.Join(owned, ", ")}},
	}
}

// appendName writes m.head.lemma=企業&h.head.pos=動詞.
func (c *corpus) appendName(dst []byte, t template, symbols []int32) []byte {
	for k, v := range t.values {
		if k > 0 {
			dst = append(dst, '&')
		}
		dst = append(append(dst, v.text...), '=')
		dst = c.symbols.appendEscaped(dst, symbols[k])
	}
	return dst
}

// appendEscaped writes a symbol as it stands in names: % & = and everything up to U+0020, and U+007F, become %XX, and so do
// texts of the corpus that are ^ or $.
func (s *symbols) appendEscaped(dst []byte, n int32) []byte {
	const hex = "0123456789ABCDEF"
	text := s.text[n]
	alone := n > after && (text == s.text[before] || text == s.text[after])
	for k := range len(text) {
		switch c := text[k]; {
		case c <= ' ', c == 0x7f, c == '%', c == '&', c == '=', alone:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
