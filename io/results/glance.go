package results

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"tenfold/io/sealed"
)

// Glance returns the footer of results.parquet, as ReadFooter reads it, and, for each of the named columns, the number of rows with
// each text, much faster than by reading the rows; nil if the file has no such column.
func Glance(path string, names ...string) (footer *Tables, counts []map[string]int, err error) {
	file, err := sealed.Open(path)
	if err != nil {
		return nil, nil, err
	}
	footer = new(Tables)
	err = file.Protect(func() error {
		if err := errors.Join(footer.readFooter(file), file.VerifyChecksum()); err != nil {
			return err
		}
		for _, name := range names {
			n, err := file.CountTexts(name)
			if err != nil {
				return err
			}
			counts = append(counts, n)
		}
		return nil
	})
	return footer, counts, errors.Join(err, file.Close())
}

// checkSchema returns an error for files of other programs and of other versions.
func checkSchema(t *sealed.Table) error {
	switch stored, _ := t.Lookup(footerSchema); stored {
	case strconv.Itoa(Schema):
		return nil
	case "":
		return fmt.Errorf("not a result file of tenfold: its footer has no %s", footerSchema)
	default:
		return fmt.Errorf("written by another version of tenfold: its schema version is %s, this one reads %d", stored, Schema)
	}
}

// checkDigest returns an error if a file beside results.parquet belongs to other results.
func checkDigest(t *sealed.Table, digest string) error {
	if stored, _ := t.Lookup(footerDigest); stored != digest && stored != "" && digest != "" {
		return fmt.Errorf("it is of other results than %s: its digest is %s, not %s", ResultsFile, stored, digest)
	}
	return nil
}

// eachLine reads the whole table that belongs to results of the digest, and calls visit for each line in order; it does nothing if
// there is no such file.
func eachLine[L any](path, digest string, columns []sealed.Column[L], visit func(L)) error {
	file, err := sealed.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(file.Protect(func() error {
		if err := errors.Join(checkSchema(file), checkDigest(file, digest), file.CheckColumns(sealed.Names(columns)), file.VerifyChecksum()); err != nil {
			return err
		}
		for g := range file.RowGroups() {
			lines, err := sealed.DecodeGroup(file, g, columns)
			if err != nil {
				return err
			}
			for _, l := range lines {
				visit(l)
			}
		}
		return nil
	}), file.Close())
}
