//go:build !unix

package files

import (
	"io"
	"os"
)

// Map returns the content of a file; on this system it is read, not mapped.
func Map(f *os.File) ([]byte, error) {
	b, err := io.ReadAll(f)
	if b == nil {
		b = []byte{}
	}
	return b, err
}

// unmap ends a mapping.
func unmap([]byte) error { return nil }

// inodeChanged returns 0: this system does not say it.
func inodeChanged(*os.File) int64 { return 0 }
