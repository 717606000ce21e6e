package results

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// output is a file that gets its name when it is complete.
type output struct {
	*os.File
	path string
}

// create a file that is to become path.
func create(path string) (*output, error) {
	dir, name := filepath.Split(path)
	// Not os.CreateTemp, whose files only their owner may read.
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf(".tmp-%s-%x", name, rand.Uint64())), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	return &output{f, path}, nil
}

// commit replaces what had the name; the file must have been closed.
func (o *output) commit() error { return os.Rename(o.Name(), o.path) }

// abort removes the file.
func (o *output) abort() error {
	if err := o.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return errors.Join(err, os.Remove(o.Name()))
	}
	return os.Remove(o.Name())
}
