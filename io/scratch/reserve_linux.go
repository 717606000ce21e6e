package scratch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve makes a file n bytes long, with room on the disk for all of them: without it, a write to mapped memory could end
// the process. File systems that cannot say so get zeros written.
func reserve(f *os.File, n int64) error {
	err := unix.Fallocate(int(f.Fd()), 0, 0, n)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return zeros(f, n)
	}
	return err
}
