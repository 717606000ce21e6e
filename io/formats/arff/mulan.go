package arff

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"

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

// Labels returns the names in a list of Mulan, in its order.
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
