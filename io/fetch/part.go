package fetch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// part is an incomplete file: a hidden file, which readers of folders skip, beside the final name, and a small one with the origin
// of its bytes. One process at a time has it.
type part struct {
	root     *os.Root
	path     string // final name below the root
	file     *os.File
	out      io.Writer // the file
	size     int64
	from     origin
	modified time.Time // of the source; zero while unknown
	pieced   bool      // it holds bytes of several responses
}

// origin is the URL and the version that the bytes of a part come from.
type origin struct {
	URL      string `json:"url"`
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"last_modified,omitempty"`
	Size     int64  `json:"size,omitempty"` // of the whole file; 0 if unknown
}

// version identifies the content of a URL; "" if the server gave no version.
func (o origin) version() string {
	if o.ETag != "" {
		return o.ETag
	}
	return o.Modified
}

// unwritable is an error of the destination folder.
type unwritable struct{ err error }

func (u unwritable) Error() string { return "writing: " + u.err.Error() }
func (u unwritable) Unwrap() error { return u.err }

func beside(path, suffix string) string {
	dir, name := filepath.Split(path)
	return filepath.Join(dir, "."+name+suffix)
}

func (p *part) partPath() string   { return beside(p.path, ".part") }
func (p *part) originPath() string { return beside(p.path, ".part.json") }

// name returns the path of the part's file, with the root.
func (p *part) name() string { return filepath.Join(p.root.Name(), p.partPath()) }

// openPart continues the part of an earlier process, or begins one. It returns an error if the final name is taken, another process
// has the part, or a link leads outside the root.
func openPart(root *os.Root, path string) (*part, error) {
	p := &part{root: root, path: path}
	if err := root.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	var err error
	if p.file, err = p.lock(); err != nil {
		return nil, err
	}
	if _, err := root.Lstat(path); err == nil { // checked after locking: the previous owner may have finished it
		return nil, errors.Join(exists(filepath.Join(root.Name(), path)), p.file.Close())
	}
	p.out = p.file
	if p.size, err = p.file.Seek(0, io.SeekEnd); err != nil {
		return nil, errors.Join(err, p.file.Close())
	}
	// Without a readable origin the bytes are useless: the first response replaces them.
	if text, err := root.ReadFile(p.originPath()); err != nil || json.Unmarshal(text, &p.from) != nil {
		p.from = origin{}
	}
	return p, nil
}

// lock opens the part's file and locks it; it tries again if the file got its final name before it was locked.
func (p *part) lock() (*os.File, error) {
	for {
		file, err := p.root.OpenFile(p.partPath(), os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := lock(file); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: another process is downloading it", p.name()), file.Close())
		}
		mine, err := file.Stat()
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		if there, err := p.root.Lstat(p.partPath()); err == nil && os.SameFile(mine, there) {
			return file, nil
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
	}
}

// restart drops all bytes; from is the origin of the bytes that follow.
func (p *part) restart(from origin) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	if err := p.file.Truncate(0); err != nil {
		return unwritable{err}
	}
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return unwritable{err}
	}
	p.size, p.from, p.pieced = 0, from, false
	if err := p.root.WriteFile(p.originPath(), text, 0o666); err != nil {
		return unwritable{err}
	}
	return nil
}

// Write appends to the part.
func (p *part) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.size += int64(n)
	return n, err
}

// commit gives the file its final name, and the date of its source.
func (p *part) commit() error {
	if err := p.file.Sync(); err != nil {
		return unwritable{err}
	}
	if !p.modified.IsZero() && p.modified.Before(time.Now()) {
		_ = p.root.Chtimes(p.partPath(), p.modified, p.modified) // failing to set the date is no reason to fail
	}
	file := p.file
	p.file = nil
	if err := closeWith(file, func() error { return p.root.Rename(p.partPath(), p.path) }); err != nil {
		return err
	}
	return p.remove(p.originPath())
}

// close keeps the bytes for another process, unless there are none.
func (p *part) close() error {
	if p.file == nil {
		return nil
	}
	if p.size > 0 {
		return p.file.Close()
	}
	return errors.Join(closeWith(p.file, func() error { return p.remove(p.partPath()) }), p.remove(p.originPath()))
}

func (p *part) remove(name string) error {
	if err := p.root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
