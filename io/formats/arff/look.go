package arff

import (
	"fmt"

	"tenfold/io/rawtext"
)

// Declared is an attribute as a file declares it.
type Declared struct {
	Name   string
	Levels []string // of a nominal one; nil for others
	Text   bool     // string or date
}

// Look reads a file, or its beginning in whole lines, without knowing what its attributes are for: what it declares, and then value by
// value, as text. What a sparse row does not mention is 0, or the first level, and no call. It returns the number of rows.
func Look(content []byte, file string, declared func([]Declared), value func(attribute int, text string, missing bool)) (rows int, sparse bool, err error) {
	t := &text{rawtext.LinesOf(content, file), file}
	attributes, err := t.readHeader()
	if err != nil {
		return 0, false, err
	}
	list := make([]Declared, len(attributes))
	for k, a := range attributes {
		list[k] = Declared{a.name, a.levels, a.text}
	}
	declared(list)
	w := walk{attributes: attributes, mentioned: make([]int, len(attributes))}
	w.take = func(k int, cell []byte, quoted bool) error {
		value(k, string(cell), !quoted && string(cell) == "?")
		return nil
	}
	for {
		line, ok := t.nextLine()
		if !ok {
			break
		}
		w.rows++
		sparse = sparse || line[0] == '{'
		if err := w.readRow(line); err != nil {
			return 0, false, t.Errorf("%w", err)
		}
	}
	if w.rows == 0 {
		return 0, false, fmt.Errorf("%s: no rows after @data", file)
	}
	return w.rows, sparse, nil
}
