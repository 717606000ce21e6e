package conll

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"

	"tenfold/engines/data"
	"tenfold/io/formats/tuples"
	"tenfold/io/iob"
	"tenfold/io/rawtext"
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

// symbolsOf returns the symbols of a column.
func (c *corpus) symbolsOf(name string) []int32 { return c.symbols[slices.Index(c.names, name)] }

func (c *corpus) countTokens() int { return len(c.symbols[0]) }

func (c *corpus) readFiles(ctx context.Context, in source.Input) error {
	for _, role := range source.Parts(in) {
		content, file, err := in.Bytes(role)
		if err != nil {
			return err
		}
		if content, err = rawtext.Decode(content, c.Encoding, file); err != nil {
			return err
		}
		before := c.countTokens()
		if err := c.readFile(ctx, rawtext.LinesOf(content, file)); err != nil {
			return err
		}
		if c.countTokens() == before {
			return fmt.Errorf("%s: no tokens, expected lines of columns apart by blanks", file)
		}
		c.rows = append(c.rows, c.countTokens()-before)
	}
	return nil
}

// readFile reads the lines of one file. A line that begins with -DOCSTART- separates documents, and is no token.
func (c *corpus) readFile(ctx context.Context, lines *rawtext.Lines) error {
	c.begins = true
	for lines.Next() {
		if lines.Number%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		fields := bytes.FieldsFunc(lines.Line, rawtext.Blank)
		if len(fields) == 0 || bytes.Equal(fields[0], []byte("-DOCSTART-")) {
			c.begins = true
			continue
		}
		if err := c.addToken(fields); err != nil {
			return lines.Errorf("%w", err)
		}
	}
	return ctx.Err()
}

func (c *corpus) addToken(fields [][]byte) error {
	for k, name := range c.names {
		index := c.Columns[name]
		if c.unlabelled && name == c.Target.Column {
			c.symbols[k] = append(c.symbols[k], tuples.Leaf)
			continue
		}
		if index >= len(fields) {
			return fmt.Errorf("found %d columns (%s), expected column %s to be number %d, from 0", len(fields), rawtext.Beginning(bytes.Join(fields, []byte{' '})), name, index)
		}
		if name == c.Target.Column && len(c.Target.Chunks) > 0 {
			if _, ok := iob.Parse(string(fields[index])); !ok {
				return fmt.Errorf("column %s: found %q, expected a chunk tag: O, B-TYPE or I-TYPE", name, rawtext.Beginning(fields[index]))
			}
		}
		c.symbols[k] = append(c.symbols[k], c.table.Symbol(fields[index]))
	}
	if c.begins || c.Sentences == byLine {
		c.start = append(c.start, int32(c.countTokens()-1))
		c.begins = false
	}
	return nil
}

// sentenceEnd returns the end of sentence k.
func (c *corpus) sentenceEnd(k int) int {
	if k+1 < len(c.start) {
		return int(c.start[k+1])
	}
	return c.countTokens()
}

// fillTable adds, for each token, what the templates look at, and the label.
func (c *corpus) fillTable(p plan) {
	columns := make([][]int32, len(p.values))
	for k, v := range p.values {
		if v.column != "" {
			columns[k] = c.mapColumn(v.function, c.symbolsOf(v.column))
		}
	}
	answers := c.symbolsOf(c.Target.Column)
	record := make([]int32, len(p.values))
	for k, from := range c.start {
		end := c.sentenceEnd(k)
		for i := int(from); i < end; i++ {
			for k, v := range p.values {
				record[k] = tuples.Leaf
				if j := i + v.offset; v.column != "" && j >= int(from) && j < end {
					record[k] = columns[k][j]
				}
			}
			c.table.Add(record...)
			c.table.Answer(answers[i])
		}
	}
}

// mapColumn returns a column after a function of its texts.
func (c *corpus) mapColumn(function string, column []int32) []int32 {
	if function == "" {
		return column
	}
	apply, known := transformByName(function), map[int32]int32{}
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

// tokenIDs number sentences and tokens from 1 through all files: 17:4; where lines are sentences, lines.
func (c *corpus) tokenIDs() []string {
	ids := make([]string, 0, c.countTokens())
	for k, from := range c.start {
		for i := int(from); i < c.sentenceEnd(k); i++ {
			id := strconv.Itoa(k + 1)
			if c.Sentences == blankLine {
				id += ":" + strconv.Itoa(i-int(from)+1)
			}
			ids = append(ids, id)
		}
	}
	return ids
}

// groupSentences puts equal sentences together: those of the same tokens in all columns but the one to be predicted, where
// there are others.
func (c *corpus) groupSentences() *data.Groups {
	g := &data.Groups{Name: c.groupName(), Of: make([]int32, c.countTokens())}
	number := map[uint64]int32{}
	var texts []string
	for k, from := range c.start {
		texts = texts[:0]
		for i := int(from); i < c.sentenceEnd(k); i++ {
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
		for i := int(from); i < c.sentenceEnd(k); i++ {
			g.Of[i] = n
		}
	}
	return g
}
