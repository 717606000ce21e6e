package tablefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// jsonKind is what a value of JSON is.
type jsonKind uint8

const (
	jsonNull jsonKind = iota // also NaN, which Python writes
	jsonNumber
	jsonText
	jsonTruth
	jsonNested
)

// recordReader reads records of JSON, whose strings are cut from the text.
type recordReader struct {
	file   string
	text   []byte
	offset int
	line   int // of the byte count, from 1
	count  int
	array  bool
	began  bool // the first record, or the bracket before it
	first  bool // no key of the record was read yet
	cell   jsonCell
}

func newRecordReader(file string, text []byte) *recordReader {
	return &recordReader{file: file, text: text, line: 1}
}

func (r *recordReader) fail(format string, args ...any) error {
	return fmt.Errorf("%s:"+strconv.Itoa(r.lineNow())+": "+format, append([]any{r.file}, args...)...)
}

// lineNow returns the number of the line in which the next byte is.
func (r *recordReader) lineNow() int {
	to := min(r.offset, len(r.text))
	r.line += bytes.Count(r.text[r.count:to], []byte("\n"))
	r.count = to
	return r.line
}

// peek skips white space and returns the next byte, 0 at the end.
func (r *recordReader) peek() byte {
	for ; r.offset < len(r.text); r.offset++ {
		switch c := r.text[r.offset]; c {
		case ' ', '\t', '\n', '\r', 0x1e: // the last begins a record in JSON text sequences (RFC 7464)
		default:
			return c
		}
	}
	return 0
}

// take skips white space and the byte, if it is the next one.
func (r *recordReader) take(c byte) bool {
	if r.peek() != c || r.offset >= len(r.text) {
		return false
	}
	r.offset++
	return true
}

// found describes what is next.
func (r *recordReader) found() string {
	if r.peek(); r.offset >= len(r.text) {
		return "the end of the file"
	}
	text, _, _ := bytes.Cut(r.text[r.offset:min(len(r.text), r.offset+20)], []byte("\n"))
	return fmt.Sprintf("%q", text)
}

// next goes to the next record; more is false after the last.
func (r *recordReader) next() (more bool, err error) {
	switch {
	case !r.began:
		r.began = true
		if r.array = r.take('['); r.array && r.take(']') {
			return false, r.checkEnd()
		}
	case r.array && r.take(']'):
		return false, r.checkEnd()
	case r.array && !r.take(','):
		return false, r.fail("found %s after a record, expected a comma or the bracket that ends the array", r.found())
	}
	if r.peek(); r.offset >= len(r.text) && !r.array {
		return false, nil
	}
	if !r.take('{') {
		return false, r.fail("found %s, expected a record, such as {\"dose\": 1.5}", r.found())
	}
	r.first = true
	return true, nil
}

func (r *recordReader) checkEnd() error {
	if r.peek(); r.offset < len(r.text) {
		return r.fail("found %s after the array of records, expected the end of the file", r.found())
	}
	return nil
}

// key returns the next key of the record; more is false after the last.
func (r *recordReader) key() (key string, more bool, err error) {
	if r.take('}') {
		return "", false, nil
	}
	if !r.first && !r.take(',') {
		return "", false, r.fail("found %s after a value, expected a comma or the brace that ends the record", r.found())
	}
	r.first = false
	if r.peek() != '"' {
		return "", false, r.fail("found %s, expected a key in double quotes", r.found())
	}
	if key, err = r.quoted(); err != nil {
		return "", false, err
	}
	if !r.take(':') {
		return "", false, r.fail("found %s after the key %q, expected a colon", r.found(), key)
	}
	return key, true, nil
}

// quoted reads a string.
func (r *recordReader) quoted() (text string, err error) {
	end := r.endOfString(r.offset)
	if end < 0 {
		return "", r.fail("found %s, a text that does not end", r.found())
	}
	literal := r.text[r.offset:end]
	if bytes.IndexByte(literal, '\\') < 0 && !bytes.ContainsFunc(literal, func(c rune) bool { return c < ' ' }) {
		text = string(literal[1 : len(literal)-1])
	} else if err := json.Unmarshal(literal, &text); err != nil {
		return "", r.fail("found %.40q, expected a text of JSON: %w", literal, err)
	}
	r.offset = end
	return text, nil
}

// endOfString returns the index after the string that begins at from, -1 if it does not end.
func (r *recordReader) endOfString(from int) int {
	for k := from + 1; k < len(r.text); k++ {
		switch r.text[k] {
		case '\\':
			k++
		case '"':
			return k + 1
		}
	}
	return -1
}

// value reads a value; it is valid until the next one.
func (r *recordReader) value() (*jsonCell, error) {
	switch r.peek() {
	case '"':
		text, err := r.quoted()
		r.cell.kind, r.cell.as = jsonText, text
		return &r.cell, err
	case '{', '[':
		return &r.cell, r.skipNested()
	}
	literal := r.text[r.offset:]
	if k := bytes.IndexAny(literal, ",}] \t\r\n"); k >= 0 {
		literal = literal[:k]
	}
	switch text := string(literal); text {
	case "null", "NaN":
		r.cell.kind, r.cell.as = jsonNull, ""
	case "true", "false":
		r.cell.kind, r.cell.as = jsonTruth, text
	case "Infinity", "-Infinity": // no number either; the sink says so
		r.cell.kind, r.cell.as = jsonNumber, text
	default:
		if !json.Valid(literal) {
			return nil, r.fail("found %s, expected a number, a text in double quotes, true, false or null", r.found())
		}
		r.cell.kind, r.cell.as = jsonNumber, text
	}
	r.offset += len(literal)
	return &r.cell, nil
}

// skipNested passes over an object or an array.
func (r *recordReader) skipNested() error {
	depth, k := 0, r.offset
	for k < len(r.text) {
		switch r.text[k] {
		case '"':
			if k = r.endOfString(k); k < 0 {
				return r.fail("found %s, which does not end", r.found())
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if k++; depth == 0 {
			if !json.Valid(r.text[r.offset:k]) {
				return r.fail("found %s, expected an object or an array of JSON", r.found())
			}
			inside := bytes.TrimLeft(r.text[r.offset+1:k], " \t\r\n")
			r.cell.kind, r.cell.as, r.cell.objects = jsonNested, "", r.text[r.offset] == '[' && inside[0] == '{'
			r.offset = k
			return nil
		}
	}
	return r.fail("found %s, which does not end", r.found())
}
