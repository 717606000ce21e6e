// Package workbook reads sheets of Excel workbooks: Office Open XML (ECMA-376 part 1, chapter 18), transitional and strict. It never
// passes over damage: a part that is cut, changed or no XML is an error, and so is a value that is not what its cell declares.
package workbook

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Book is an open workbook.
type Book struct {
	Sheets []Sheet // worksheets, in their order; no sheets of charts

	parts     map[string]*zip.File // by name in lower case
	strings   string               // name of the part with the shared texts; "" for none
	styles    string               // name of the part with the styles; "" for none
	epoch1904 bool                 // dates are days since 1904
	read      bool                 // texts and formats are read
	texts     []string             // shared
	formats   []format             // of styles of cells
}

// Sheet is a worksheet.
type Sheet struct {
	Name   string
	Hidden bool
	part   string
}

// begins is how a zip archive begins.
var begins = []byte("PK\x03\x04")

// Is reports whether the content is a workbook: a zip archive with one in it.
func Is(content []byte) bool {
	z, err := open(content)
	return err == nil && slices.ContainsFunc(z.File, func(part *zip.File) bool { return path.Base(plainName(part.Name)) == "workbook.xml" })
}

func open(content []byte) (*zip.Reader, error) {
	if !bytes.HasPrefix(content, begins) {
		return nil, errors.New("it is no zip archive")
	}
	return zip.NewReader(bytes.NewReader(content), int64(len(content)))
}

// plainName returns the name of a part as parts are compared.
func plainName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

// Open lists the sheets of a workbook. Its errors do not name the file.
func Open(content []byte) (*Book, error) {
	z, err := open(content)
	if err != nil {
		return nil, err
	}
	b := &Book{parts: map[string]*zip.File{}}
	for _, part := range z.File {
		name := plainName(part.Name)
		if b.parts[name] != nil {
			return nil, fmt.Errorf("the part %s is there twice", part.Name)
		}
		b.parts[name] = part
	}
	main := "xl/workbook.xml"
	roots, err := b.relations("")
	if err != nil {
		return nil, err
	}
	for _, r := range roots {
		if r.is("officeDocument") {
			main = r.Target
		}
	}
	if b.parts[main] == nil {
		return nil, errors.New("it is a zip archive without a workbook in it")
	}
	if strings.HasSuffix(main, ".bin") {
		return nil, errors.New("it is a binary workbook (.xlsb): save it as .xlsx")
	}
	return b, b.list(main)
}

// list finds the sheets, the shared texts and the styles of a workbook.
func (b *Book) list(main string) error {
	var book struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string     `xml:"name,attr"`
			State string     `xml:"state,attr"`
			Attrs []xml.Attr `xml:",any,attr"` // the id has one of two name spaces
		} `xml:"sheets>sheet"`
	}
	if err := b.decode(main, &book); err != nil {
		return err
	}
	relations, err := b.relations(main)
	if err != nil {
		return err
	}
	for _, r := range relations {
		switch {
		case r.is("sharedStrings"):
			b.strings = r.Target
		case r.is("styles"):
			b.styles = r.Target
		}
	}
	b.epoch1904 = isTrue(book.Properties.Date1904)
	for _, sheet := range book.Sheets {
		for _, attr := range sheet.Attrs {
			if r := relations[attr.Value]; attr.Name.Local == "id" && r.is("worksheet") {
				b.Sheets = append(b.Sheets, Sheet{sheet.Name, sheet.State == "hidden" || sheet.State == "veryHidden", r.Target})
			}
		}
	}
	if len(b.Sheets) == 0 {
		return errors.New("the workbook has no sheet of cells")
	}
	return nil
}

func isTrue(text string) bool { return text == "1" || text == "true" }

// relation is what a part says of another one.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// is reports whether the other part is of a kind.
func (r relation) is(kind string) bool { return strings.HasSuffix(r.Type, "/"+kind) }

// relations returns those of a part by their ids, with names of parts as targets; those of the package for "".
func (b *Book) relations(part string) (map[string]relation, error) {
	name := plainName(path.Join(path.Dir(part), "_rels", path.Base("/"+part)+".rels"))
	if part == "" {
		name = "_rels/.rels"
	}
	if b.parts[name] == nil {
		return nil, nil
	}
	var list struct {
		Relations []relation `xml:"Relationship"`
	}
	if err := b.decode(name, &list); err != nil {
		return nil, err
	}
	found := map[string]relation{}
	for _, r := range list.Relations {
		if !strings.HasPrefix(r.Target, "/") {
			r.Target = path.Join(path.Dir(part), r.Target)
		}
		r.Target = plainName(r.Target)
		found[r.ID] = r
	}
	return found, nil
}

// Size returns the number of bytes that reading a sheet unpacks, and those of the texts among them.
func (b *Book) Size(s Sheet) (all, texts int64) {
	for _, name := range []string{s.part, b.strings, b.styles} {
		if part := b.parts[name]; part != nil {
			n := int64(min(part.UncompressedSize64, 1<<50))
			if all += n; name == b.strings {
				texts = n
			}
		}
	}
	return all, texts
}

// maxSmall is the most bytes of a part that is held as a whole: a list of sheets, or of styles.
const maxSmall = 64 << 20

// decode reads a small part.
func (b *Book) decode(name string, into any) error {
	return b.each(name, maxSmall, func(d *xml.Decoder) error { return d.Decode(into) })
}

// each reads a part, to its end, so that damage is found.
func (b *Book) each(name string, most uint64, read func(*xml.Decoder) error) error {
	part := b.parts[name]
	if part == nil {
		return fmt.Errorf("the workbook names the part %s, and does not have it", name)
	}
	if part.UncompressedSize64 > most {
		return fmt.Errorf("the part %s unpacks to %d bytes, expected at most %d", name, part.UncompressedSize64, most)
	}
	content, err := part.Open()
	if err != nil {
		return fmt.Errorf("%s is damaged: %w", name, err)
	}
	defer content.Close()
	err = read(xml.NewDecoder(content))
	if _, rest := io.Copy(io.Discard, content); err == nil {
		err = rest // the checksum, too
	}
	if err != nil && !errors.As(err, new(cellError)) {
		return fmt.Errorf("%s is damaged: %w", name, err)
	}
	return err
}
