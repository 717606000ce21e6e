package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// Watch has the files that stay mapped. What a program does to such a file shows in the memory of those who mapped it, so
// whatever is computed from it is worth something only while Unchanged. It is safe for several goroutines.
type Watch struct {
	mu    sync.Mutex
	marks []mark
}

// mark is an open file as it was before it was read.
type mark struct {
	file *os.File
	info fs.FileInfo
}

func markOf(f *os.File) (mark, error) {
	info, err := f.Stat()
	return mark{f, info}, err
}

// unchanged asks the file that is mapped, which need not have its name any more: to replace or to remove it does no harm.
func (m mark) unchanged() error {
	now, err := m.file.Stat()
	if err == nil && (now.Size() != m.info.Size() || !now.ModTime().Equal(m.info.ModTime())) {
		err = Overwritten{m.file.Name()}
	}
	return err
}

// Unchanged is an error, Overwritten, once another program has written into a watched file. O(files).
func (w *Watch) Unchanged() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.marks {
		if err := m.unchanged(); err != nil {
			return err
		}
	}
	return nil
}

func (w *Watch) add(m mark) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.marks = append(w.marks, m)
}

// Overwritten is the error of a file that was written to while it was in use.
type Overwritten struct{ Path string }

func (o Overwritten) Error() string {
	return fmt.Sprintf("%s: another program wrote into the file while it was in use; what was computed since is not kept: run again", o.Path)
}

// Keep maps a file that sound accepts, and watches it from then on: it stays open. One that is not accepted is let go.
func (w *Watch) Keep(f *os.File, sound func(mapping []byte) error) error {
	m, err := markOf(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	mapping, err := Map(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if err := sound(mapping); err != nil {
		return errors.Join(err, Unmap(mapping), f.Close())
	}
	w.add(m)
	return nil
}
