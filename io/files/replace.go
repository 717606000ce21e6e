package files

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Replace puts what write produces under path, whole or not at all: readers see the old file or the new one, also when
// several processes replace it at once. Folders are made as needed; the file can be read by its owner only. It is not
// forced to the disk, so after a power failure it may be damaged: for caches, which check what they read.
func Replace(path string, write func(w io.Writer) error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(tmp, 1<<16)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
