package gct

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/source"
)

// readCLS reads the classes of samples: their numbers, the names of the classes after a #, and a label for each sample. A file
// that begins with #numeric has numbers instead, each response with its name before it.
func readCLS(file string, content []byte, samples int, positive string) ([]data.Target, error) {
	var lines []string
	for _, line := range strings.Split(string(bytes.TrimPrefix(content, []byte("\ufeff"))), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 && strings.EqualFold(lines[0], "#numeric") {
		return readNumeric(file, lines[1:], samples)
	}
	if len(lines) != 3 {
		return nil, fmt.Errorf("%s: %d lines, expected three: numbers of samples and classes, # and the names of the classes, a label for each sample", file, len(lines))
	}
	names, ok := strings.CutPrefix(lines[1], "#")
	if !ok {
		return nil, fmt.Errorf("%s:2: found %.40q, expected # and the names of the classes", file, lines[1])
	}
	c := cls{file: file, names: strings.Fields(names), labels: strings.Fields(lines[2])}
	if err := c.check(strings.Fields(lines[0]), samples); err != nil {
		return nil, err
	}
	name, err := c.meaning()
	if err != nil {
		return nil, err
	}
	var texts source.Texts
	for _, label := range c.labels {
		texts.Add(name[label])
	}
	t, err := texts.Class("class", positive)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return []data.Target{t}, nil
}

type cls struct {
	file          string
	names, labels []string
}

// check compares the numbers of the first line with what follows, and with the matrix.
func (c cls) check(first []string, samples int) error {
	bad := func(what string, n int, expected string) error {
		return fmt.Errorf("%s: %d %s, expected %s", c.file, n, what, expected)
	}
	var numbers [3]int
	for k, cell := range first {
		n, err := strconv.Atoi(cell)
		if err != nil || len(first) != 3 {
			return fmt.Errorf("%s:1: found %.40q, expected the number of samples, the number of classes, and 1", c.file, strings.Join(first, " "))
		}
		numbers[k] = n
	}
	switch distinct := len(c.distinct()); {
	case len(c.labels) != samples:
		return bad("labels", len(c.labels), fmt.Sprintf("one for each of the %d samples of the matrix", samples))
	case numbers[0] != samples:
		return bad("samples, says the first line", numbers[0], fmt.Sprintf("%d as in the matrix", samples))
	case len(c.names) != numbers[1]:
		return bad("names of classes", len(c.names), fmt.Sprintf("%d as the first line says", numbers[1]))
	case distinct != len(c.names):
		return bad("different labels", distinct, fmt.Sprintf("%d, one for each name (%s)", len(c.names), source.Abridge(c.names)))
	}
	return nil
}

// distinct labels, in order of first appearance.
func (c cls) distinct() []string {
	var labels []string
	for _, l := range c.labels {
		if !slices.Contains(labels, l) {
			labels = append(labels, l)
		}
	}
	return labels
}

// meaning is the name of the class of each label. Labels may be the names themselves; of others, the first to appear is the
// first name, and so on. Where another reading is possible (the numbers of the names, or names in another order) and differs,
// that is an error.
func (c cls) meaning() (map[string]string, error) {
	labels, name := c.distinct(), map[string]string{}
	named := 0
	for k, l := range labels {
		if name[l] = c.names[k]; slices.Contains(c.names, l) {
			named++
		}
	}
	if named == len(labels) {
		for _, l := range labels {
			name[l] = l
		}
		return name, nil
	}
	for k, l := range labels {
		n, err := strconv.Atoi(l)
		if named > 0 || err == nil && n >= 0 && n < len(labels) && n != k {
			return nil, fmt.Errorf("%s: it is not clear which of the classes %s the label %q means: by order of appearance it is %s; write the names themselves as labels",
				c.file, source.Abridge(c.names), l, c.names[k])
		}
	}
	return name, nil
}

// readNumeric reads continuous phenotypes: a line # and name, and a line of numbers, for each.
func readNumeric(file string, lines []string, samples int) ([]data.Target, error) {
	var targets []data.Target
	for k := 0; k < len(lines); k += 2 {
		name, ok := strings.CutPrefix(lines[k], "#")
		if !ok || k+1 == len(lines) {
			return nil, fmt.Errorf("%s: found %.40q, expected # and a name, and a line with a number for each sample", file, lines[k])
		}
		t := data.Target{Name: strings.TrimSpace(name), Type: data.Real}
		for at, cell := range strings.Fields(lines[k+1]) {
			v, ok := source.ParseNumber(cell)
			if !ok {
				return nil, fmt.Errorf("%s: %s, sample %d: found %.40q, expected a finite number", file, t.Name, at+1, cell)
			}
			t.Values = append(t.Values, v)
		}
		if len(t.Values) != samples {
			return nil, fmt.Errorf("%s: %s: %d numbers, expected one for each of the %d samples of the matrix", file, t.Name, len(t.Values), samples)
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("%s: no phenotype after #numeric", file)
	}
	return targets, nil
}
