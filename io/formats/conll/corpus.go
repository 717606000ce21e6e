package conll

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"

	"tenfold/engines/core/iob"
	"tenfold/engines/data"
	"tenfold/io/formats/tuples"
	"tenfold/io/source"
)

// corpus is the tokens of all files: for each column that is used, the symbol of each token.
type corpus struct {
	Format
	table   *tuples.Table
	names   []string // of the columns that are used
	symbols [][]int32
	start   []int32 // first token of each sentence
	rows    []int   // tokens of each file
	begins  bool    // the next token begins a sentence

	applied    bool // tokens are those to apply a model to
	unlabelled bool // nobody asks for the column to be predicted
}

func newCorpus(f Format, table *tuples.Table) *corpus {
	names := sortedNames(f.Columns)
	return &corpus{Format: f, table: table, names: names, symbols: make([][]int32, len(names))}
}

// of is the symbols of a column.
func (c *corpus) of(name string) []int32 { return c.symbols[slices.Index(c.names, name)] }

func (c *corpus) tokens() int { return len(c.symbols[0]) }

func (c *corpus) read(ctx context.Context, in source.Input) error {
	for _, role := range source.Parts(in) {
		content, file, err := in.Bytes(role)
		if err != nil {
			return err
		}
		if content, err = source.Decode(content, c.Encoding, file); err != nil {
			return err
		}
		before := c.tokens()
		if err := c.file(ctx, source.LinesOf(content, file)); err != nil {
			return err
		}
		if c.tokens() == before {
			return fmt.Errorf("%s: no tokens, expected lines of columns apart by blanks", file)
		}
		c.rows = append(c.rows, c.tokens()-before)
	}
	return nil
}

// file reads the lines of one file. A line that begins with -DOCSTART- parts documents, and is no token.
func (c *corpus) file(ctx context.Context, lines *source.Lines) error {
	c.begins = true
	for lines.Next() {
		if lines.Number%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		fields := bytes.FieldsFunc(lines.Line, source.Blank)
		if len(fields) == 0 || bytes.Equal(fields[0], []byte("-DOCSTART-")) {
			c.begins = true
			continue
		}
		if err := c.token(fields); err != nil {
			return lines.Errorf("%w", err)
		}
	}
	return ctx.Err()
}

func (c *corpus) token(fields [][]byte) error {
	for k, name := range c.names {
		at := c.Columns[name]
		if c.unlabelled && name == c.Target.Column {
			c.symbols[k] = append(c.symbols[k], tuples.Leaf)
			continue
		}
		if at >= len(fields) {
			return fmt.Errorf("found %d columns (%s), expected column %s to be number %d, from 0", len(fields), source.Beginning(bytes.Join(fields, []byte{' '})), name, at)
		}
		if name == c.Target.Column && len(c.Target.Chunks) > 0 {
			if _, ok := iob.Parse(string(fields[at])); !ok {
				return fmt.Errorf("column %s: found %q, expected a chunk tag: O, B-TYPE or I-TYPE", name, source.Beginning(fields[at]))
			}
		}
		c.symbols[k] = append(c.symbols[k], c.table.Symbol(fields[at]))
	}
	if c.begins || c.Sentences == byLine {
		c.start = append(c.start, int32(c.tokens()-1))
		c.begins = false
	}
	return nil
}

// end of sentence k.
func (c *corpus) end(k int) int {
	if k+1 < len(c.start) {
		return int(c.start[k+1])
	}
	return c.tokens()
}

// records fills the table: what the templates look at, and the label, of each token.
func (c *corpus) records(p plan) {
	columns := make([][]int32, len(p.values))
	for at, v := range p.values {
		if v.column != "" {
			columns[at] = c.through(v.function, c.of(v.column))
		}
	}
	answers := c.of(c.Target.Column)
	record := make([]int32, len(p.values))
	for k, from := range c.start {
		end := c.end(k)
		for i := int(from); i < end; i++ {
			for at, v := range p.values {
				record[at] = tuples.Leaf
				if j := i + v.offset; v.column != "" && j >= int(from) && j < end {
					record[at] = columns[at][j]
				}
			}
			c.table.Add(record...)
			c.table.Answer(answers[i])
		}
	}
}

// through is a column after a function of its texts.
func (c *corpus) through(function string, column []int32) []int32 {
	if function == "" {
		return column
	}
	apply, known := transforms(function), map[int32]int32{}
	out := make([]int32, len(column))
	for i, symbol := range column {
		s, ok := known[symbol]
		if !ok {
			s = c.table.Symbol([]byte(apply(c.table.Text(symbol))))
			known[symbol] = s
		}
		out[i] = s
	}
	return out
}

// ids number sentences and tokens from 1 through all files: 17:4; where lines are sentences, lines.
func (c *corpus) ids() []string {
	ids := make([]string, 0, c.tokens())
	for k, from := range c.start {
		for i := int(from); i < c.end(k); i++ {
			id := strconv.Itoa(k + 1)
			if c.Sentences == blankLine {
				id += ":" + strconv.Itoa(i-int(from)+1)
			}
			ids = append(ids, id)
		}
	}
	return ids
}

// groups puts equal sentences together: those of the same tokens in all columns but the one to be predicted, where there
// are others.
func (c *corpus) groups() *data.Groups {
	g := &data.Groups{Name: c.group(), Of: make([]int32, c.tokens())}
	number := map[uint64]int32{}
	var texts []string
	for k, from := range c.start {
		texts = texts[:0]
		for i := int(from); i < c.end(k); i++ {
			for q, name := range c.names {
				if name != c.Target.Column || len(c.names) == 1 {
					texts = append(texts, c.table.Text(c.symbols[q][i]))
				}
			}
		}
		key := data.Key(texts...)
		n, known := number[key]
		if !known {
			n = int32(len(g.Key))
			number[key] = n
			g.Key = append(g.Key, key)
		}
		for i := int(from); i < c.end(k); i++ {
			g.Of[i] = n
		}
	}
	return g
}
