//go:build unix

package scratch

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Supported tells whether the system has files that are memory.
const Supported = true

// mapWritable returns n bytes of a file as memory.
func mapWritable(f *os.File, n int) ([]byte, error) {
	b, err := unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, &fs.PathError{Op: "mmap", Path: f.Name(), Err: err}
	}
	return b, nil
}

func unmap(b []byte) error { return unix.Munmap(b) }
