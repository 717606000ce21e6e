// Package source defines what a dataset format is: a struct of options that reads named files into a data.Dataset.
package source

import (
	"context"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/registry"
	"tenfold/io/rawtext"
)

// Source is a configured reader. Its yaml-tagged fields are the keys of a dataset entry that the format understands
// beyond the common ones (name, format, files, folds, grid, train_fraction, similar, family); fields that only parametrise the
// Recipe are tagged key:"-", since they change nothing about what is loaded.
type Source interface {
	Validate() error
	Declares() Declares
	// Recipe is the preparation to be fitted on the training rows of each fold.
	Recipe() prepare.Recipe
	// Load reads the files. Errors name file, line or row, what was found and what was expected.
	Load(ctx context.Context, in Input) (*data.Dataset, error)
}

// Declares describes a data set before it is loaded, so that mismatches are found at once.
type Declares struct {
	Targets  []Declared
	Others   []Declared // targets that the format offers in place of these
	Roles    [][]string // the combinations of file roles that the format reads, such as {{all}, {train, test}}; {{}} for none
	Optional []string   // further roles that may be given
	Binary   bool       // all values are 1
	Classes  bool       // columns have classes
	Groups   []string   // names of the groups for folds; nil if unknown before loading
	Parts    bool       // one file holds both training and test part
}

// Naming is implemented by a Source whose options name further files, by role.
type Naming interface{ Named() map[string]Ref }

// Declared is a target: its name and type, Any when only the data can tell.
type Declared struct {
	Name string
	Type data.Type
}

// Input gives a reader its files by role.
type Input interface {
	// Has reports whether a file or folder was given for the role.
	Has(role string) bool
	// Bytes returns the whole decoded (decompressed) content for a role and the name to use in messages. The bytes may be
	// memory-mapped: they must not be written.
	Bytes(role string) (content []byte, name string, err error)
	// Members calls f for every file of a role: the members of a zip or tar archive (gzip undone outside and inside) or the files
	// below a folder, in bytewise order of their names (slash-separated, relative to the archive or folder, without .gz); for any
	// other file it calls f once, with its base name. Hidden files, __MACOSX and all that is not a regular file are skipped. If the
	// reference has a member with * ? [ ] or **, only matching files count. The content must not be written, nor kept after f
	// returns. An error of f ends the calls, and is returned with the names of archive and member before it, so f need not add
	// them.
	Members(role string, f func(name string, content []byte) error) error
}

// Text returns the content of the text file of a role, without a byte order mark, and its name. Bytes that are not UTF-8 are left
// to the reader.
func Text(in Input, role string) (content []byte, file string, err error) {
	if content, file, err = in.Bytes(role); err != nil {
		return nil, "", err
	}
	content, err = rawtext.Plain(content, file)
	return content, file, err
}

// Kind is a format, and Set all formats by name.
type (
	Kind = registry.Kind[Source]
	Set  = registry.Set[Source]
)

// Define completes a format's Kind with the defaults of its options.
func Define[P Source](k Kind, defaults P) Kind { return registry.Define[Source](k, defaults) }
