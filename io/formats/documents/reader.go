package documents

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"tenfold/engines/data"
	"tenfold/io/formats/text"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// reader collects the rows.
type reader struct {
	Documents
	layout layout
	counts *text.Counts

	applied    bool // rows are those to apply a model to
	unlabelled bool // they need no class

	part  int8
	role  string
	files int // of the role
	rows  int // of the role

	unmatched      int    // files of the role that the layout does not fit
	firstUnmatched string // the first of them

	class, task source.Texts
	groups      source.Texts
	parts       []int8
	sources     []file
	ids         []id
	implied     *source.Implied // memory for ids

	skipped, replaced int
}

// file has rows.
type file struct {
	role, name string
	only       bool // it is the only one of its role
}

// id is the place of a row: its file, by number, and its line, from 1; 0 for a whole file.
type id struct{ file, line int32 }

func (d Documents) newReader(in source.Input) (*reader, error) {
	l, err := parseLayout(d.Layout)
	if err != nil {
		return nil, err
	}
	counts, err := d.Features.Counts(in, d.Encoding)
	if err != nil {
		return nil, err
	}
	return &reader{Documents: d, layout: l, counts: counts, implied: source.NewImplied(nil)}, nil
}

// beginRole begins the files of a role.
func (r *reader) beginRole(part int8, role string) {
	r.part, r.role, r.files, r.rows, r.unmatched = part, role, 0, 0, 0
}

// readFile adds the rows of one file.
func (r *reader) readFile(name string, content []byte) error {
	var fields names
	if r.Layout != "" {
		var fits bool
		if fields, fits = r.layout.matchPath(name); !fits && !r.unlabelled {
			if r.unmatched++; r.unmatched == 1 {
				r.firstUnmatched = name
			}
			return nil
		}
		if !fits {
			fields = names{}
		}
	}
	r.files++
	name = strings.ToValidUTF8(name, "\ufffd")
	where := row{class: fields.valueOf("class"), task: fields.valueOf("task"), group: fields.valueOf("group"), part: r.part, id: id{file: int32(len(r.sources))}}
	r.sources = append(r.sources, file{role: r.role, name: name})
	if r.layout.hasField("part") && !r.applied {
		var ok bool
		if where.part, ok = r.partOf(fields.valueOf("part")); !ok {
			return fmt.Errorf("found %q as {part} of the path (layout %q), expected train, training, test or testing; say which part another word is with parts: {%[1]q: train}", fields.valueOf("part"), r.Layout)
		}
	}
	if r.Encoding == rawtext.Replace && !utf8.Valid(content) {
		r.replaced++
	}
	content, err := rawtext.DecodeMember(content, r.Encoding)
	if err != nil {
		return err
	}
	r.implied.Spell(int64(len(content)))
	whole := content
	if r.Headers == "strip" {
		content = stripHeaders(content)
	}
	if r.linewise() {
		return r.readLines(where, content, bytes.Count(whole[:len(whole)-len(content)], []byte{'\n'}))
	}
	return r.addRow(where, content)
}

// linewise reports whether each line is a row.
func (d Documents) linewise() bool { return d.Split == "line" || d.Label == "tab" }

// stripHeaders returns a text without its headers: what follows the first blank line, everything where there is none.
func stripHeaders(content []byte) []byte {
	for rest := content; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if len(bytes.TrimRight(line, "\r")) == 0 {
			return rest
		}
	}
	return content
}

// readLines adds a row for each line that is not blank; so many lines of the file are before them.
func (r *reader) readLines(where row, content []byte, before int) error {
	for lines := rawtext.LinesOf(content, ""); lines.Next(); {
		line, n := lines.Line, before+lines.Number
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		where.id.line = int32(n)
		if r.Label == "tab" {
			label, rest, found := bytes.Cut(line, []byte{'\t'})
			label = bytes.TrimSpace(label)
			if r.unlabelled && !found {
				label, rest = nil, line
			}
			if (!found || len(label) == 0) && !r.unlabelled {
				return rawtext.AtLine(n, "found %q, expected a label, a tab and a text", rawtext.Beginning(line))
			}
			where.class, line = string(label), rest
		}
		if err := r.addRow(where, line); err != nil {
			return rawtext.AtLine(n, "%w", err)
		}
	}
	return nil
}

// row is a row without its text.
type row struct {
	class, task, group string
	part               int8
	id                 id
}

func (r *reader) addRow(where row, content []byte) error {
	r.rows++
	r.class.Add(where.class)
	r.task.Add(where.task)
	if !r.layout.hasField("group") {
		where.group = fmt.Sprintf("%016x", data.Key(string(content)))
	}
	if name := r.sources[where.id.file].name; where.id.line > 0 {
		if err := r.implied.AskNames(len(name), 1, "ids of rows with the name of the file, of %d bytes,", len(name)); err != nil {
			return err
		}
	}
	r.groups.Add(where.group)
	r.parts = append(r.parts, where.part)
	r.ids = append(r.ids, where.id)
	return r.counts.Add(content)
}

// checkPart looks at what a role has given.
func (r *reader) checkPart(role string) error {
	if r.unmatched > 0 && (r.Unmatched == "error" || r.files == 0) {
		return fmt.Errorf("files.%s: the layout %q does not fit %d of %d paths, first %q (unmatched: skip leaves such files out)",
			role, r.Layout, r.unmatched, r.unmatched+r.files, r.firstUnmatched)
	}
	r.skipped += r.unmatched
	if r.rows == 0 {
		return fmt.Errorf("files.%s: no documents in %d files, expected lines that are not blank", role, r.files)
	}
	if r.files == 1 {
		r.sources[len(r.sources)-1].only = true
	}
	return nil
}
