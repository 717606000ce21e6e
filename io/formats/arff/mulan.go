package arff

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/source"
)

// readLabels reads Mulan's list of the attributes that are labels: elements <label name="…">, at any depth of a hierarchy.
// It is nil where none is given.
func readLabels(in source.Input) ([]string, error) {
	if !in.Has(labels) {
		return nil, nil
	}
	content, file, err := in.Bytes(labels)
	if err != nil {
		return nil, err
	}
	return Labels(content, file)
}

// Labels are the names in a list of Mulan, in its order.
func Labels(content []byte, file string) ([]string, error) {
	var names []string
	d := xml.NewDecoder(bytes.NewReader(content))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		var syntax *xml.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return nil, fmt.Errorf("%s:%d: malformed XML: %s", file, syntax.Line, syntax.Msg)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "label" {
			continue
		}
		k := slices.IndexFunc(start.Attr, func(a xml.Attr) bool { return a.Name.Local == "name" })
		line, _ := d.InputPos()
		if k < 0 {
			return nil, fmt.Errorf("%s:%d: a label without a name", file, line)
		}
		if slices.Contains(names, start.Attr[k].Value) {
			return nil, fmt.Errorf("%s:%d: the label %q is listed twice", file, line, start.Attr[k].Value)
		}
		names = append(names, start.Attr[k].Value)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no labels, expected elements such as <label name=\"…\">", file)
	}
	return names, nil
}

// labelFacts counts the labels of rows, where there are several with two levels each.
func labelFacts(d *data.Dataset) []data.Fact {
	total, least, most := 0, d.Rows(), 0
	var rare []string
	for _, t := range d.Targets {
		if t.Type != data.Class || len(t.Levels) != 2 || t.Numbers != nil || len(d.Targets) < 2 {
			return nil
		}
		n := 0
		for _, v := range t.Values {
			if int(v) == t.Positive {
				n++
			}
		}
		total, least, most = total+n, min(least, n), max(most, n)
		if n < 2 {
			rare = append(rare, t.Name)
		}
	}
	facts := []data.Fact{
		{Name: "labels", Value: fmt.Sprint(len(d.Targets))},
		{Name: "labels of a row, on average", Value: fmt.Sprintf("%.4g", float64(total)/float64(d.Rows()))},
		{Name: "rows with a label, least and most", Value: fmt.Sprintf("%d, %d", least, most)},
	}
	if len(rare) > 0 {
		facts = append(facts, data.Fact{Name: "labels of one row or none", Value: strings.Join(rare, ", ")})
	}
	return facts
}
