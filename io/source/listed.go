package source

import (
	"bytes"
	"fmt"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/rawtext"
)

// ReadLabels appends the labels of a file with one per line, which must be as many as rows unless that is negative. Empty lines, and lines that begin with
// a character of comments, are skipped; blanks around a label are cut.
func (l *Labels) ReadLabels(in Input, role string, rows int, comments string) error {
	content, file, err := readText(in, role)
	if err != nil {
		return err
	}
	n := 0
	for lines := rawtext.LinesOf(content, file); lines.Next(); {
		label := bytes.TrimSpace(lines.Line)
		if len(label) == 0 || strings.IndexByte(comments, label[0]) >= 0 {
			continue
		}
		if n++; n > rows && rows >= 0 {
			return lines.Errorf("label %d, expected one for each of %d rows", n, rows)
		}
		if err := l.Add(label); err != nil {
			return lines.Errorf("%w", err)
		}
	}
	if n < rows {
		return fmt.Errorf("%s: %d labels, expected one for each of %d rows", file, n, rows)
	}
	return nil
}

// ReadNames returns the names of columns columns from a file with one per line. If first is true, a name ends at the first tab.
func ReadNames(in Input, role string, columns int, first bool) (*data.Features, error) {
	names, err := readDistinct(in, role, columns, "columns", first)
	if err != nil {
		return nil, err
	}
	return data.NewFeatures(names), nil
}

// ReadIDs returns the ids of rows from a file with one per line, up to the first tab; nil if there is none.
func ReadIDs(in Input, role string, rows int) ([]string, error) {
	if !in.Has(role) {
		return nil, nil
	}
	return readDistinct(in, role, rows, "rows", true)
}

func readDistinct(in Input, role string, n int, what string, first bool) ([]string, error) {
	content, file, err := readText(in, role)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	if len(lines) != n {
		return nil, fmt.Errorf("%s: %d lines, expected one name for each of %d %s", file, len(lines), n, what)
	}
	seen := make(map[string]int, n)
	for j, name := range lines {
		name = strings.TrimRight(name, "\r")
		if first {
			name, _, _ = strings.Cut(name, "\t")
		}
		if before, again := seen[name]; again {
			return nil, fmt.Errorf("%s:%d: the name %q stands on line %d already", file, j+1, name, before+1)
		}
		seen[name], lines[j] = j, name
	}
	return lines, nil
}
