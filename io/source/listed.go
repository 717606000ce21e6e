package source

import (
	"bytes"
	"fmt"
	"strings"

	"tenfold/engines/data"
)

// ReadLabels adds the labels of a file that has one a line, for so many rows. Lines that are empty, or begin with one of the marks of
// comments, are passed over; blanks around a label are none of it.
func (l *Labels) ReadLabels(in Input, role string, rows int, comments string) error {
	content, file, err := readText(in, role)
	if err != nil {
		return err
	}
	n := 0
	for lines := LinesOf(content, file); lines.Next(); {
		label := bytes.TrimSpace(lines.Line)
		if len(label) == 0 || strings.IndexByte(comments, label[0]) >= 0 {
			continue
		}
		if n++; n > rows {
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

// ReadNames are the names of so many columns of a file that has one a line; first tells that a line has more, after a tab.
func ReadNames(in Input, role string, columns int, first bool) (*data.Features, error) {
	content, file, err := readText(in, role)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	if len(lines) != columns {
		return nil, fmt.Errorf("%s: %d lines, expected one name for each of %d columns", file, len(lines), columns)
	}
	seen := make(map[string]int, columns)
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
	return data.NewFeatures(lines), nil
}
