package draft

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"tenfold/engines/suggest"
	"tenfold/io/files"
	"tenfold/io/formats/arff"
	"tenfold/io/source"
)

// lookAtAttributes reads an ARFF file.
func (f *Found) lookAtAttributes(begin []byte) error {
	var declared []arff.Declared
	rows, sparse, err := arff.Look(begin, f.Path, func(list []arff.Declared) {
		declared = list
		for _, a := range list {
			f.Columns = append(f.Columns, Column{Name: a.Name, Levels: slices.Clone(a.Levels), Text: a.Text, levels: map[string]int{}})
		}
	}, func(k int, text string, missing bool) {
		c := &f.Columns[k]
		switch {
		case missing:
			c.Rows++
			c.Missing++
		case declared[k].Levels != nil: // declared levels make it categorical, even if they are numbers
			c.Rows++
			c.levels[text]++
		case declared[k].Text:
			c.add(text, 0, false, false)
		default:
			c.addCell(text)
		}
	})
	if err != nil {
		return err
	}
	f.Rows = rows
	for k := range f.Columns {
		c := &f.Columns[k]
		c.settle()
		silent := rows - c.Rows // sparse rows without an entry for it
		switch {
		case silent == 0:
		case declared[k].Levels != nil:
			c.levels[declared[k].Levels[0]] += silent
		case !declared[k].Text:
			c.addZeros(silent)
		}
		c.Rows, c.rises = rows, c.rises && !sparse
	}
	f.lookBeside()
	return nil
}

// addZeros adds cells of 0.
func (c *Column) addZeros(n int) {
	if c.levels["0"] == 0 {
		c.Levels = append(c.Levels, "0")
	}
	c.levels["0"] += n
	c.Numbers += n
}

// lookBeside finds the list of labels beside a data set of Mulan: emotions.xml for emotions.arff, emotions-train.arff and
// emotions.arff.gz. A list of other attributes is ignored.
func (f *Found) lookBeside() {
	stem := strings.TrimSuffix(strings.TrimSuffix(f.Path, ".gz"), ".arff")
	for _, stem := range []string{stem, strings.TrimSuffix(stem, "-train"), strings.TrimSuffix(stem, "-test")} {
		if listed, err := f.ReadListed(stem + ".xml"); err == nil {
			f.Beside, f.Listed = stem+".xml", listed
			return
		}
	}
}

// ReadListed reads a Mulan list; each name must be that of a column.
func (f *Found) ReadListed(path string) ([]string, error) {
	content, err := files.ReadRegular(path, maxBytes)
	if err != nil {
		return nil, err
	}
	listed, err := arff.Labels(content, path)
	if err != nil {
		return nil, err
	}
	for _, name := range listed {
		if f.Column(name) == nil {
			return nil, fmt.Errorf("%s: no attribute of %s is called %q%s", path, f.Path, name, suggest.DidYouMean(name, f.Names()))
		}
	}
	return listed, nil
}

// lookAtExpression reads the numbers of genes and samples, the names of the samples, and what lines about samples say of them.
func (f *Found) lookAtExpression(begin []byte) error {
	lines := firstLines(begin)
	if len(lines) == 0 {
		return errors.New("it ends after its first line")
	}
	_, err := fmt.Sscan(lines[0], &f.columns, &f.Rows)
	if err != nil {
		return fmt.Errorf("line 2: found %.40q, expected the numbers of rows and columns", lines[0])
	}
	var about, metadata int
	if n, _ := fmt.Sscan(lines[0], &f.columns, &f.Rows, &about, &metadata); n < 4 {
		about, metadata = 1, 0
	}
	all := strings.SplitN(strings.ReplaceAll(string(begin), "\r", ""), "\n", 4+max(0, min(metadata, maxBytes)))
	if len(all) > 2 {
		cells := strings.Split(all[2], "\t")
		f.samples = cells[max(0, len(cells)-max(0, f.Rows)):]
	}
	for k := range max(0, min(metadata, len(all)-4)) {
		cells := strings.Split(all[3+k], "\t")
		c := Column{Name: strings.TrimSpace(cells[0]), Joined: true}
		for _, cell := range cells[min(len(cells), 1+about):] {
			c.addCell(cell)
		}
		c.settle()
		f.Columns = append(f.Columns, c)
	}
	return nil
}

// lookAtLabels reads the label at the beginning of each line, and the qid after it, and counts columns in the first lines.
func (f *Found) lookAtLabels() error {
	in, err := f.open()
	if err != nil {
		return err
	}
	defer in.Close()
	content, file, err := in.Bytes("all")
	if err != nil {
		return err
	}
	if content, err = source.Decode(content, "", file); err != nil {
		return err
	}
	f.Labels = &Column{Name: "label"}
	queries := &Column{Name: "qid"}
	for line := range bytes.Lines(content) {
		begin := line[:min(len(line), 1<<10)]
		label, _, _ := bytes.Cut(begin, []byte("|"))
		words := strings.Fields(string(label))
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		f.Rows++
		f.Labels.addCell(strings.TrimPrefix(words[0], "+"))
		if len(words) > 1 && f.Format == SVMlight {
			if id, ok := strings.CutPrefix(words[1], "qid:"); ok {
				queries.addCell(id)
			}
		}
	}
	if f.Rows == 0 {
		return fmt.Errorf("%s: it has no line with a label", f.Path)
	}
	f.Labels.settle()
	if queries.Rows == f.Rows {
		f.Queries = queries
	}
	f.columns = countColumns(content[:min(len(content), maxBytes)], f.Format)
	return nil
}

// countColumns counts the columns that lines of labelled features name.
func countColumns(begin []byte, format string) int {
	seen := map[string]bool{}
	for line := range strings.Lines(string(begin)) {
		if format == SVMlight {
			line, _, _ = strings.Cut(line, "#")
		}
		space := ""
		for k, word := range strings.Fields(line) {
			bar := strings.IndexByte(word, '|')
			switch name, _, valued := strings.Cut(word, ":"); {
			case format == VW && bar >= 0:
				space = word[bar:]
			case format == VW && space != "":
				seen[space+"^"+name] = true
			case format == SVMlight && k > 0 && valued && name != "qid":
				seen[name] = true
			}
		}
	}
	return len(seen)
}
