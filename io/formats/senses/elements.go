package senses

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"tenfold/io/rawtext"
)

// elements reads XML by its elements and the text in them. Errors name the line.
type elements struct{ decoder *xml.Decoder }

func newElements(content string) *elements {
	return &elements{xml.NewDecoder(strings.NewReader(content))}
}

func (e *elements) errorf(format string, args ...any) error {
	line, _ := e.decoder.InputPos()
	return rawtext.AtLine(line, format, args...)
}

// nextToken returns the next xml.StartElement, xml.EndElement or xml.CharData other than white space; io.EOF at the end.
func (e *elements) nextToken() (xml.Token, error) {
	for {
		t, err := e.decoder.Token()
		var syntax *xml.SyntaxError
		switch {
		case errors.As(err, &syntax):
			if syntax.Msg == "unexpected EOF" {
				return nil, rawtext.AtLine(syntax.Line, "malformed XML: it ends inside an element")
			}
			return nil, rawtext.AtLine(syntax.Line, "malformed XML: %s", syntax.Msg)
		case err == io.EOF:
			return nil, err
		case err != nil:
			return nil, e.errorf("malformed XML: %w", err)
		}
		switch t := t.(type) {
		case xml.StartElement, xml.EndElement:
			return t, nil
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); text != "" {
				return t, nil
			}
		}
	}
}

// readAttributes returns the values of an element's attributes in the order of the names. An attribute of another name, or
// that stands twice, is an error.
func (e *elements) readAttributes(element xml.StartElement, names ...string) ([]string, error) {
	values := make([]string, len(names))
	seen := 0
	for _, a := range element.Attr {
		k := slices.Index(names, a.Name.Local)
		if k < 0 || a.Name.Space != "" {
			return nil, e.errorf("found the attribute %s of <%s>, expected %s", a.Name.Local, element.Name.Local, strings.Join(names, ", "))
		}
		if seen&(1<<k) != 0 {
			return nil, e.errorf("the attribute %s of <%s> stands twice", a.Name.Local, element.Name.Local)
		}
		seen |= 1 << k
		values[k] = a.Value
	}
	return values, nil
}

// missingAttribute returns the error for an attribute that is absent or empty.
func (e *elements) missingAttribute(element xml.StartElement, name string) error {
	return e.errorf("<%s> has no %s", element.Name.Local, name)
}
