//go:build !unix || solaris || aix

package fetch

import "os"

// lock does nothing: there, two processes must not download one file at a time.
func lock(*os.File) error { return nil }

// closeWith does something to the name of a file after it is closed: an open one keeps its name.
func closeWith(f *os.File, do func() error) error {
	if err := f.Close(); err != nil {
		return err
	}
	return do()
}
