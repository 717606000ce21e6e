package source

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
)

// members holds the classes of each column, rising.
type members struct {
	names   []string
	classes [][]int32

	numbers map[string]int32 // of class names, as classNumber assigns them
	implied *Implied         // memory for classes of columns that share a name
}

// classNumber numbers classes in order of first mention.
func (m *members) classNumber(class string) int32 {
	k, ok := m.numbers[class]
	if !ok {
		if m.numbers == nil {
			m.numbers = make(map[string]int32)
		}
		k = int32(len(m.names))
		m.numbers[class] = k
		m.names = append(m.names, class)
	}
	return k
}

// addColumns adds a class to columns, which share a name that the file spells once.
func (m *members) addColumns(columns []int, class int32) error {
	const each = 32 // bytes of a class of a column, and of the copy of the column that it may make
	if err := m.implied.Ask(each*int64(len(columns)), "classes of columns that share their names"); err != nil {
		return err
	}
	for _, column := range columns {
		if place, there := slices.BinarySearch(m.classes[column], class); !there {
			m.classes[column] = slices.Insert(m.classes[column], place, class)
		}
	}
	return nil
}

// keepSizes keeps the classes whose size is within the limits.
func (m *members) keepSizes(size []int) error {
	count := make([]int, len(m.names))
	for _, classes := range m.classes {
		for _, k := range classes {
			count[k]++
		}
	}
	least, most := 1, len(m.classes)
	if size != nil {
		least, most = size[0], size[1]
	}
	to, kept := make([]int32, len(count)), []string{}
	for k, n := range count {
		to[k] = -1
		if least <= n && n <= most {
			to[k] = int32(len(kept))
			kept = append(kept, m.names[k])
		}
	}
	if len(kept) == 0 {
		return param.Errorf("features.classes.size", "of %d classes none has %d to %d of the columns (the largest has %d)", len(count), least, most, slices.Max(count))
	}
	m.names = kept
	for j, classes := range m.classes {
		left := classes[:0]
		for _, k := range classes {
			if to[k] >= 0 {
				left = append(left, to[k])
			}
		}
		m.classes[j] = left
	}
	return nil
}

// checkOverlap returns an error if columns are in several classes; it names the first of them.
func (m *members) checkOverlap(features *data.Features) error {
	first, n := -1, 0
	for j, classes := range m.classes {
		if len(classes) > 1 {
			if n++; first < 0 {
				first = j
			}
		}
	}
	classes := m.classes[first]
	return param.Errorf("features.classes.overlap", "overlapping classes: %d columns are in several, such as %s in %s and %s; say overlap: duplicate, or first",
		n, features.Name(first), m.names[classes[0]], m.names[classes[1]])
}

// columnsOf returns the columns of each name in known; several columns may share one.
func columnsOf(known []string) map[string][]int {
	columns := make(map[string][]int, len(known))
	for j, name := range known {
		if name != "" {
			columns[name] = append(columns[name], j)
		}
	}
	return columns
}

// readText returns the content of the file of a role as UTF-8, and its name.
func readText(in Input, role string) (content []byte, file string, err error) {
	if content, file, err = in.Bytes(role); err == nil {
		content, err = rawtext.Decode(content, "", file)
	}
	return content, file, err
}

// fromGMT reads gene sets: one per line, with name, description and genes, separated by tabs.
func (m *members) fromGMT(in Input, known []string) error {
	content, file, err := readText(in, gmtRole)
	if err != nil {
		return err
	}
	columns, genes := columnsOf(known), 0
	var example string
	for lines := rawtext.LinesOf(content, file); lines.Next(); {
		text := strings.TrimRight(string(lines.Line), "\t ")
		if text == "" {
			continue
		}
		cells := strings.Split(text, "\t")
		if len(cells) < 3 || strings.TrimSpace(cells[0]) == "" {
			return lines.Errorf("%d cells, expected the name of a set, a description and genes, apart by tabs", len(cells))
		}
		before := len(m.names)
		class := m.classNumber(strings.TrimSpace(cells[0]))
		if len(m.names) == before {
			return lines.Errorf("there is a set %q already", cells[0])
		}
		for _, gene := range cells[2:] {
			gene = strings.TrimSpace(gene)
			example = gene
			genes += len(columns[gene])
			if err := m.addColumns(columns[gene], class); err != nil {
				return lines.Errorf("%w", err)
			}
		}
	}
	if len(m.names) == 0 {
		return fmt.Errorf("%s: no gene sets", file)
	}
	if genes == 0 {
		return fmt.Errorf("%s: none of its genes, such as %q, is a column of the data, such as %q", file, example, known[0])
	}
	return nil
}

// fromTable reads the class of each feature from a column of a table. A feature may occur in several rows; an empty class, or NA,
// means none.
func (m *members) fromTable(in Input, column string, known []string) error {
	content, file, err := readText(in, classRole)
	if err != nil {
		return err
	}
	dialect := rawtext.Commas
	if first, _, _ := bytes.Cut(content, []byte("\n")); bytes.ContainsRune(first, '\t') {
		dialect = rawtext.Tabs
	}
	r := dialect.Cells(content, file)
	record, err := r.Next()
	if err != nil || len(record) < 2 {
		return fmt.Errorf("%s: expected a first row with the names of two columns or more: the feature's name, its class", file)
	}
	header, cell := slices.Clone(record), 1
	if column != "" {
		if cell = slices.Index(header, column); cell < 1 {
			return param.Errorf("features.classes.column", "%s has no column %q after the first%s (columns: %s)", file, column, suggest.DidYouMean(column, header[1:]), Abridge(header))
		}
	}
	columns, found := columnsOf(known), 0
	var example string
	for {
		if record, err = r.Next(); err != nil {
			break
		}
		example = strings.Clone(record[0])
		class := strings.TrimSpace(record[cell])
		if class == "" || class == "NA" {
			continue
		}
		named := columns[strings.TrimSpace(record[0])]
		if len(named) == 0 {
			continue
		}
		found += len(named)
		if err := m.addColumns(named, m.classNumber(strings.Clone(class))); err != nil {
			return fmt.Errorf("%s:%d: %w", file, r.Line(), err)
		}
	}
	switch {
	case err != io.EOF:
		return err
	case found == 0:
		return fmt.Errorf("%s: none of its features, such as %q, has a class and is a column of the data, such as %q", file, example, known[0])
	}
	return nil
}
