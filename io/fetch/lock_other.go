//go:build !unix || solaris || aix

package fetch

import "os"

// lock does nothing: on these systems two processes must not download the same file at the same time.
func lock(*os.File) error { return nil }

// closeWith changes the name of a file after closing it, because an open file cannot be renamed.
func closeWith(f *os.File, do func() error) error {
	if err := f.Close(); err != nil {
		return err
	}
	return do()
}
