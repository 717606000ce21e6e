package nips

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"tenfold/engines/numeric/sparse"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// reader of the rows of all parts.
type reader struct {
	layout  string // auto until the first file tells
	param   string // name of the .param file
	columns int    // that there are to be, 0 where nobody says
	train   int    // rows of the training part, likewise
	most    int
	rows    int
	looks   bool // rows are read and not kept
	widest  int  // columns up to the last that a row has, of rows that are not kept
	x       sparse.Builder
	idx     []int32
	val     []float64
}

// readParam reads layout, columns and training rows of a .param file. Its check sums are not looked at.
func (r *reader) readParam(in source.Input) error {
	content, file, err := in.Bytes("param")
	if err != nil {
		return err
	}
	if content, err = rawtext.Decode(content, "", file); err != nil {
		return err
	}
	r.param = file
	for lines := rawtext.LinesOf(content, file); lines.Next(); {
		key, value, _ := bytes.Cut(lines.Line, []byte(":"))
		words := bytes.Fields(lines.Line)
		switch {
		case bytes.EqualFold(bytes.TrimSpace(key), []byte("Number of features")):
			n, err := strconv.Atoi(string(bytes.TrimSpace(value)))
			if err != nil || n < 1 || n > r.most {
				return lines.Errorf("found %q, expected a number of features from 1 to %d", rawtext.Beginning(bytes.TrimSpace(value)), r.most)
			}
			r.columns = n
		case bytes.EqualFold(bytes.TrimSpace(key), []byte("Data type")):
			is := map[string]string{"non-sparse": dense, "sparse-binary": index, "sparse-integer": valued}[string(bytes.ToLower(bytes.TrimSpace(value)))]
			switch {
			case is == "":
				return lines.Errorf("found %q, expected non-sparse, sparse-binary or sparse-integer", rawtext.Beginning(bytes.TrimSpace(value)))
			case r.layout != auto && r.layout != is:
				return lines.Errorf("data that are %s, whose layout is %s, expected %s as layout says", bytes.TrimSpace(value), is, r.layout)
			}
			r.layout = is
		case len(words) == 5 && bytes.EqualFold(words[0], []byte("Train")):
			if r.train, err = strconv.Atoi(string(words[3])); err != nil || r.train < 1 {
				return lines.Errorf("found %q, expected a number of training rows", rawtext.Beginning(words[3]))
			}
		}
	}
	return nil
}

// detect finds the layout of a file: a colon tells of values; lines of one length are dense, unless all of them could be lists of columns; others
// are lists of columns.
func (r *reader) detect(content []byte, file string) error {
	if r.layout != auto {
		return nil
	}
	length, equal, lists := -1, true, true
	for lines := rawtext.LinesOf(content, file); lines.Next(); {
		words := bytes.Fields(lines.Line)
		if bytes.IndexByte(lines.Line, ':') >= 0 {
			r.layout = valued
			return nil
		}
		if len(words) == 0 {
			continue
		}
		if length < 0 {
			length = len(words)
		}
		equal = equal && len(words) == length
		before := int64(0)
		for _, word := range words {
			j, err := strconv.ParseInt(string(word), 10, 32)
			lists = lists && err == nil && j > before
			before = j
		}
	}
	switch {
	case equal && lists && length >= 0:
		return fmt.Errorf("%s: every line has %d rising whole numbers, which can be values or columns; say layout: dense, or layout: index", file, length)
	case equal:
		r.layout = dense
	default:
		r.layout = index
	}
	return nil
}

func (r *reader) readRows(ctx context.Context, content []byte, file string) error {
	if err := r.detect(content, file); err != nil {
		return err
	}
	read := map[string]func(words [][]byte) error{dense: r.readDense, index: r.readIndices, valued: r.readValues}[r.layout]
	for lines := rawtext.LinesOf(content, file); lines.Next(); {
		if lines.Number%256 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		words := bytes.Fields(lines.Line)
		if len(words) == 0 && r.layout == dense {
			continue
		}
		r.idx, r.val = r.idx[:0], r.val[:0]
		if err := read(words); err != nil {
			return lines.Errorf("%w", err)
		}
		if r.rows++; r.looks {
			for _, j := range r.idx {
				r.widest = max(r.widest, int(j)+1)
			}
			continue
		}
		val := r.val
		if r.layout == index {
			val = nil
		}
		if err := r.x.Add(r.idx, val); err != nil {
			return lines.Errorf("%w", err)
		}
	}
	return nil
}

// readDense takes a number for each column: as many as .param, or the first row, has.
func (r *reader) readDense(words [][]byte) error {
	if r.columns == 0 {
		if len(words) > r.most {
			return fmt.Errorf("%d columns, expected at most %d", len(words), r.most)
		}
		r.columns = len(words)
	}
	if len(words) != r.columns {
		return fmt.Errorf("%d numbers, expected %d, one for each column", len(words), r.columns)
	}
	for j, word := range words {
		v, err := number(word)
		if err != nil {
			return fmt.Errorf("column %d: %w", j+1, err)
		}
		if v != 0 {
			r.idx, r.val = append(r.idx, int32(j)), append(r.val, v)
		}
	}
	return nil
}

func number(word []byte) (float64, error) {
	v, ok := rawtext.ParseValue(string(word))
	if !ok {
		return 0, fmt.Errorf("found %q, expected a finite number", rawtext.Beginning(word))
	}
	return v, nil
}

// column returns that of an index, from 0.
func (r *reader) column(word []byte) (int32, error) {
	most := r.most
	if r.param != "" && r.columns > 0 {
		most = r.columns
	}
	j, err := strconv.ParseInt(string(word), 10, 64)
	if err != nil || j < 1 || j > int64(most) {
		return 0, fmt.Errorf("column %q, expected a number from 1 to %d", rawtext.Beginning(word), most)
	}
	return int32(j) - 1, nil
}

func (r *reader) readIndices(words [][]byte) error {
	for _, word := range words {
		j, err := r.column(word)
		if err != nil {
			return err
		}
		r.idx = append(r.idx, j)
	}
	return nil
}

func (r *reader) readValues(words [][]byte) error {
	for _, word := range words {
		column, value, ok := bytes.Cut(word, []byte(":"))
		if !ok {
			return fmt.Errorf("found %q, expected column:value", rawtext.Beginning(word))
		}
		j, err := r.column(column)
		if err != nil {
			return err
		}
		v, err := number(value)
		if err != nil {
			return fmt.Errorf("column %s: %w", column, err)
		}
		r.idx, r.val = append(r.idx, j), append(r.val, v)
	}
	return nil
}
