package method

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"sync"

	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/exchange"
	"tenfold/runner/method/process"
)

// sharedFiles holds the files that are written once for all fits of a method on the same rows. No fit may change them for another.
// They are read-only; where that does not keep the method from writing, each process gets copies; and after each fit their content
// is compared with what was written.
type sharedFiles struct {
	key    sharedKey
	copied bool // whether a fit has changed earlier ones, so that nobody gets links to these

	once    sync.Once
	folder  string
	files   exchange.RequestFiles
	linked  bool                   // whether exchange folders have links to them, else copies
	written map[string]fingerprint // by name
	err     error

	idle []*process.Process // started with reuse: fold
}

// fingerprint identifies the content of a file. A check sum that is not easily forged would take twice the time, and gain nothing:
// who changes files on purpose has copies, or the rights of tenfold.
type fingerprint struct {
	size int64
	sum  uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// write writes the files.
func (s *sharedFiles) write(h *Host, d *declaration.Declaration, train *data.View) error {
	x, err := h.NewFolder("rows")
	if err != nil {
		return err
	}
	defer x.Close()
	s.folder = x.Path
	if s.files, err = exchange.WriteTraining(d, x, train); err != nil {
		return err
	}
	s.written = map[string]fingerprint{}
	for _, name := range s.files.Shared() {
		if s.written[name], err = fingerprintOf(x.Folder, name, maxSize); err != nil {
			return err
		}
	}
	// To root and on some file systems modes mean nothing, and who is root in a container is not known here.
	s.linked = !s.copied && d.Container.Image == "" && !x.Writable(s.files.Train)
	return nil
}

const maxSize = 1<<63 - 1 // bytes of a file

// fingerprintOf returns the fingerprint of the first most bytes of a file, in about a twentieth of the time of writing it.
func fingerprintOf(in files.Folder, name string, most int64) (fingerprint, error) {
	f, err := in.Open(name)
	if err != nil {
		return fingerprint{}, err
	}
	defer f.Close()
	sum := crc32.New(castagnoli)
	size, err := io.Copy(sum, io.LimitReader(f, most))
	return fingerprint{size, sum.Sum32()}, err
}

// check returns an error unless the files of some names in a folder are as they were written.
func (s *sharedFiles) check(in files.Folder, names ...string) error {
	for _, name := range names {
		was := s.written[name]
		switch is, err := fingerprintOf(in, name, was.size+1); {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("it removed its input %s; a method must leave that as it is", name)
		case err != nil:
			return err
		case is != was:
			return fmt.Errorf(`it changed its input %s; a method must leave that as it is (numpy: mmap_mode="c", or a copy)`, name)
		}
	}
	return nil
}

// checkOriginals returns an error unless all files are as they were written.
func (s *sharedFiles) checkOriginals() error {
	originals, err := files.OpenFolder(s.folder)
	if err != nil {
		return err
	}
	defer originals.Close()
	return s.check(originals, s.files.Shared()...)
}

// handOver adds files to an exchange folder that does not have them.
func (h *Host) handOver(s *sharedFiles, x *exchange.Folder, names ...string) error {
	originals, err := files.OpenFolder(s.folder)
	if err != nil {
		return err
	}
	defer originals.Close()
	for _, name := range names {
		if x.Has(name) || s.linked && h.Between(s.folder, x.Path, name, (*os.Root).Link) == nil {
			continue
		}
		if err := x.Copy(name, originals); err != nil { // also if the file system has no links
			return err
		}
	}
	return nil
}

// discard makes later fits get new files, as copies, because a fit has changed these.
func (h *Host) discard(s *sharedFiles) {
	h.mu.Lock()
	if h.shared[s.key] == s {
		h.shared[s.key] = &sharedFiles{key: s.key, copied: true}
	}
	h.mu.Unlock()
	h.endIdle(s)
}

// endIdle ends the processes that wait for more fits.
func (h *Host) endIdle(s *sharedFiles) {
	h.mu.Lock()
	idle := s.idle
	s.idle = nil
	h.mu.Unlock()
	for _, p := range idle {
		p.End()
	}
}
