package inspect

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/suggest"
	"tenfold/io/files"
	"tenfold/io/formats/arff"
	"tenfold/io/source"
)

// lookAtAttributes reads a whole ARFF file.
func (f *Found) lookAtAttributes() error {
	in, err := f.open(map[string]string{"all": f.Path})
	if err != nil {
		return err
	}
	content, _, err := source.Text(in, "all")
	if err != nil {
		return err
	}
	var declared []arff.Declared
	rows, sparse, err := arff.Look(content, f.Path, func(list []arff.Declared) {
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
			c.addCell(text, stepOf(len(content)))
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

// columnOf returns a column of texts; nil if there are none.
func columnOf(name string, texts *source.Texts) *Column {
	if texts == nil {
		return nil
	}
	c := &Column{Name: name}
	for _, k := range texts.Of {
		c.addCell(strings.TrimPrefix(texts.Words[k], "+"), 1)
	}
	c.settle()
	return c
}
