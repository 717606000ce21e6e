//go:build !unix

package scratch

import (
	"errors"
	"os"
)

// Supported tells whether the system has files that are memory.
const Supported = false

func mapWritable(*os.File, int) ([]byte, error) {
	return nil, errors.New("this system has no memory-mapped files that could be written to")
}

func unmap([]byte) error { return nil }
