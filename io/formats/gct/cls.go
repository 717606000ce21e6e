package gct

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// readCLS reads the classes of samples: their numbers, the names of the classes after a #, and a label for each sample. A file
// that begins with #numeric has numbers instead, each response with its name before it.
func readCLS(file string, content []byte, samples int, positive string) ([]data.Target, error) {
	content, err := rawtext.Decode(content, "", file)
	if err != nil {
		return nil, err
	}
	var written []line
	for lines := rawtext.LinesOf(content, file); lines.Next(); {
		text := strings.TrimSpace(string(lines.Line))
		switch place := fmt.Sprintf("%s:%d", file, lines.Number); {
		case text == "":
		case len(written) == 0 && strings.EqualFold(text, "#numeric"):
			return readNumeric(file, lines, samples)
		case len(written) == 3:
			return nil, fmt.Errorf("%s: a fourth line, expected three: numbers of samples and classes, # and the names of the classes, a label for each sample", place)
		default:
			written = append(written, line{text, place})
		}
	}
	if len(written) != 3 {
		return nil, fmt.Errorf("%s: %d lines, expected three: numbers of samples and classes, # and the names of the classes, a label for each sample", file, len(written))
	}
	names, ok := strings.CutPrefix(written[1].text, "#")
	if !ok {
		return nil, fmt.Errorf("%s: found %.40q, expected # and the names of the classes", written[1].place, written[1].text)
	}
	c := cls{file: file, names: strings.Fields(names), labels: strings.Fields(written[2].text)}
	if err := c.checkCounts(written, samples); err != nil {
		return nil, err
	}
	name, err := c.classNames()
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

// line that is not blank.
type line struct {
	text  string
	place string // file and number
}

type cls struct {
	file          string
	names, labels []string
}

// checkCounts compares the numbers of the first line with what follows, and with the matrix.
func (c cls) checkCounts(written []line, samples int) error {
	bad := func(k int, what string, n int, expected string) error {
		return fmt.Errorf("%s: %d %s, expected %s", written[k].place, n, what, expected)
	}
	var numbers [3]int
	first := strings.Fields(written[0].text)
	for k, cell := range first {
		n, err := strconv.Atoi(cell)
		if err != nil || len(first) != 3 {
			return fmt.Errorf("%s: found %.40q, expected the number of samples, the number of classes, and 1", written[0].place, written[0].text)
		}
		numbers[k] = n
	}
	if len(c.labels) != samples {
		return bad(2, "labels", len(c.labels), fmt.Sprintf("one for each of the %d samples of the matrix", samples))
	}
	switch distinct := len(c.distinctLabels()); {
	case numbers[0] != samples:
		return bad(0, "samples, says the first line", numbers[0], fmt.Sprintf("%d as in the matrix", samples))
	case len(c.names) != numbers[1]:
		return bad(1, "names of classes", len(c.names), fmt.Sprintf("%d as the first line says", numbers[1]))
	case distinct != len(c.names):
		return bad(2, "different labels", distinct, fmt.Sprintf("%d, one for each name (%s)", len(c.names), source.Abridge(c.names)))
	}
	return nil
}

// distinctLabels returns the labels in order of first appearance.
func (c cls) distinctLabels() []string {
	var labels source.Texts
	for _, l := range c.labels {
		labels.Add(l)
	}
	return labels.Words
}

// classNames returns the name of the class of each label. Labels may be the names themselves; of others, the first to appear is
// the first name, and so on. Where another reading is possible (the numbers of the names, or names in another order) and
// differs, that is an error.
func (c cls) classNames() (map[string]string, error) {
	labels, name := c.distinctLabels(), map[string]string{}
	known := make(map[string]bool, len(c.names))
	for _, class := range c.names {
		known[class] = true
	}
	named := 0
	for k, l := range labels {
		if name[l] = c.names[k]; known[l] {
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
func readNumeric(file string, lines *rawtext.Lines, samples int) ([]data.Target, error) {
	next := func() (text []byte, ok bool) { // of the next line that is not blank
		for ok = lines.Next(); ok && len(bytes.TrimSpace(lines.Line)) == 0; {
			ok = lines.Next()
		}
		return bytes.TrimSpace(lines.Line), ok
	}
	var targets []data.Target
	for {
		first, more := next()
		if !more {
			break
		}
		line := lines.Number
		name, ok := bytes.CutPrefix(first, []byte("#"))
		numbers, more := next()
		if !ok || !more {
			return nil, fmt.Errorf("%s:%d: found %.40q, expected # and a name, and a line with a number for each sample", file, line, first)
		}
		t := data.Target{Name: string(bytes.TrimSpace(name)), Type: data.Real}
		for cell := range bytes.FieldsSeq(numbers) {
			v, ok := rawtext.ParseNumber(string(cell))
			if !ok {
				return nil, lines.Errorf("%s, sample %d: found %.40q, expected a finite number", t.Name, len(t.Values)+1, cell)
			}
			t.Values = append(t.Values, v)
		}
		if len(t.Values) != samples {
			return nil, lines.Errorf("%s: %d numbers, expected one for each of the %d samples of the matrix", t.Name, len(t.Values), samples)
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("%s: no phenotype after #numeric", file)
	}
	return targets, nil
}
