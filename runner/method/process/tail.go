package process

import (
	"bytes"
	"os"
	"path"
	"strings"
	"sync"

	"tenfold/io/files"
)

// tailWriter keeps the end of what is written to it, and all of it in a file, which is made at the first write.
type tailWriter struct {
	mu   sync.Mutex
	in   files.Root
	name string // "" for no file
	file *os.File
	tail []byte
	err  error
	size int64
}

// logFolder is the folder for the files, in a run's folder.
const logFolder = "status/methods"

// newTailWriter returns a writer to a file in a run's folder, "" for none.
func newTailWriter(run files.Root, name string) *tailWriter {
	if run == "" {
		return &tailWriter{}
	}
	return &tailWriter{in: run, name: path.Join(logFolder, name+".stderr")}
}

func (w *tailWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tail = append(w.tail, text...)
	if extra := len(w.tail) - tailBytes; extra > 0 {
		w.tail = append(w.tail[:0], w.tail[extra:]...)
	}
	if w.name != "" && w.file == nil && w.err == nil && len(text) > 0 {
		w.file, w.err = w.in.CreateNew(w.name)
	}
	if w.file != nil && w.err == nil && w.size < mostLog {
		_, w.err = w.file.Write(text)
		w.size += int64(len(text))
	}
	return len(text), nil // a failure to write the log does not end a fit
}

// Tail returns the end of what was written, from the beginning of a line if it has one.
func (w *tailWriter) Tail() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := w.tail
	if len(text) == tailBytes {
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[i+1:]
		}
	}
	return strings.ToValidUTF8(strings.TrimRight(string(text), "\n "), "�")
}

func (w *tailWriter) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file, w.name = nil, ""
	return err
}

const (
	tailBytes = 4 << 10
	mostLog   = 64 << 20 // bytes of standard error that are kept in a file
)
