//go:build unix

package files

import (
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Map returns the content of a file as memory that the system fills from disk on demand and shares between processes. It
// is read-only (a write ends the process) and valid until unmap, beyond the closing of the file. O(1).
func Map(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return []byte{}, nil // the system refuses an empty mapping
	}
	if int64(int(info.Size())) != info.Size() {
		return nil, fmt.Errorf("%d bytes are more than this machine can address", info.Size())
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, &fs.PathError{Op: "mmap", Path: f.Name(), Err: err}
	}
	return b, nil
}

// unmap ends a mapping; nothing that shares its memory may be used afterwards.
func unmap(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	return unix.Munmap(b)
}

// inodeChanged returns the time of the inode's last change, in nanoseconds since 1970.
func inodeChanged(f *os.File) int64 {
	var s unix.Stat_t
	if unix.Fstat(int(f.Fd()), &s) != nil {
		return 0
	}
	return s.Ctim.Nano()
}
