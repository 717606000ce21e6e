package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// Watch holds the files that stay mapped. Writes of other programs to such a file change the mapped memory, so what is
// computed from it is valid only while Unchanged. It is safe for concurrent use.
type Watch struct {
	mu    sync.Mutex
	marks []openStamp
}

// openStamp is an open file with its state before it was read.
type openStamp struct {
	file *os.File
	info fs.FileInfo
}

func openStampOf(f *os.File) (openStamp, error) {
	info, err := f.Stat()
	return openStamp{f, info}, err
}

// checkUnchanged checks the file that is mapped, which may have lost its name: replacing or removing it does no harm.
func (m openStamp) checkUnchanged() error {
	now, err := m.file.Stat()
	if err == nil && (now.Size() != m.info.Size() || !now.ModTime().Equal(m.info.ModTime())) {
		err = Overwritten{m.file.Name()}
	}
	return err
}

// Unchanged returns an error, Overwritten, once another program has written into a watched file. O(files).
func (w *Watch) Unchanged() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.marks {
		if err := m.checkUnchanged(); err != nil {
			return err
		}
	}
	return nil
}

func (w *Watch) addFile(m openStamp) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.marks = append(w.marks, m)
}

// Overwritten is the error of a file that was written to while it was in use.
type Overwritten struct{ Path string }

func (o Overwritten) Error() string {
	return fmt.Sprintf("%s: another program wrote into the file while it was in use; what was computed since is not kept: run again", o.Path)
}

// Keep maps a file, passes the mapping to sound, and watches the file from then on if sound accepts it; otherwise it
// closes the file.
func (w *Watch) Keep(f *os.File, sound func(mapping []byte) error) error {
	m, err := openStampOf(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	mapping, err := Map(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if err := sound(mapping); err != nil {
		return errors.Join(err, unmap(mapping), f.Close())
	}
	w.addFile(m)
	return nil
}
