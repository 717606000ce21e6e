// Package compiled keeps loaded data sets on disk in the form in which they lie in memory, so that a second run, and
// every other process, maps them instead of reading them: a data set of 20 million entries in milliseconds.
//
// A compiled file is named by the digest of what it was made from: the decoded bytes of the source files and the
// reader's name, revision and options. It therefore never goes out of date; it is only ever missing or damaged, and then
// made again.
package compiled

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"tenfold/engines/data"
	"tenfold/engines/data/digest"
	"tenfold/io/files"
	"tenfold/io/source"
)

// Cache is a folder of compiled data sets. Several processes may use it at once.
type Cache struct {
	Dir  string      // empty: nothing is kept
	Anew bool        // what is stored is not believed: data sets are read, and stored again
	Warn func(error) // is called for problems with the cache that do not affect the data; may be nil
	// Watch gets the files that loaded data sets are mapped from; may be nil.
	Watch *files.Watch
	// Memory is about how many bytes of memory a reader may take; 0 for 1 GiB. Source files that might need more are read with disk
	// space beside the compiled data sets, by readers that support it (source.Roomy); the data set is the same.
	Memory int64
	// Swept, if several users of the cache share it, makes them remove what killed processes left once, instead of with each data
	// set that they store.
	Swept *sync.Once
}

// Reader identifies how source files are read: the name and revision of the format, and the options that differ from
// its defaults, as registry.Canonical gives them.
type Reader struct {
	Name    string
	Rev     int
	Options string
}

// scheme is the version of what Digest hashes.
const scheme = "tenfold data set 1"

// Digest returns the SHA-256, in hexadecimal, of the reader's identity and of each file's role and decoded bytes. It identifies
// what a data set is made from, while the data set's own digest identifies its content.
func (r Reader) Digest(in *files.Set) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q %d %q\n", scheme, r.Name, r.Rev, r.Options)
	for _, role := range in.Roles() {
		digest, err := in.Digest(role)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %s\n", role, digest)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Load returns the data set that src makes from the files, with its digests set. On a hit the data set's arrays are the mapped file
// itself, and no source file whose checksum is remembered is read; otherwise src reads, and the result is checked, stored and
// mapped. A mapping lives until the process ends.
//
// A cache that cannot be read or written is a warning, not an error. Processes that miss at the same time each read, and
// store the same bytes. Load closes in as soon as nothing refers to its contents any more.
func (c Cache) Load(ctx context.Context, r Reader, src source.Source, in *files.Set) (d *data.Dataset, hit bool, err error) {
	key, err := r.Digest(in)
	if err != nil {
		return nil, false, err
	}
	if !c.Anew {
		if d := c.mapStored(key); d != nil {
			return d, true, in.Close()
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	room := c.roomFor(in)
	if d, err = src.Load(ctx, roomy{in, room}); err == nil {
		err = errors.Join(d.Check(), in.Unchanged())
	}
	if err != nil {
		return nil, false, errors.Join(err, closeRoom(room))
	}
	digest.Identify(d)
	d.FindConstant()
	if c.storeDataset(d, key) {
		c.freeMemory(key)
		if mapped := c.mapStored(key); mapped != nil {
			return mapped, false, errors.Join(in.Close(), closeRoom(room))
		}
	}
	in.Watch(c.watchOrNew()) // its arrays may lie in a source file, or in the room, which stay open
	return d, false, nil
}

// pathOf returns the file of a digest. Its name contains the version of the layout, so that programs with different layouts can
// share a folder.
func (c Cache) pathOf(digest string) string {
	return filepath.Join(c.Dir, "datasets", fmt.Sprintf("%s.v%d", digest, version))
}

// mapStored maps a compiled data set; it returns nil if there is none or it is damaged.
func (c Cache) mapStored(digest string) *data.Dataset {
	if c.Dir == "" {
		return nil
	}
	path := c.pathOf(digest)
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		c.warn(fmt.Errorf("compiled data set: %w", err))
		return nil
	}
	var d *data.Dataset
	if err := c.watchOrNew().Keep(f, func(mapping []byte) error { d, err = openDataset(mapping, digest); return err }); err != nil {
		c.warn(fmt.Errorf("compiled data set %s: %w; it is made again", path, err))
		return nil
	}
	return d
}

func (c Cache) watchOrNew() *files.Watch {
	if c.Watch == nil {
		return new(files.Watch)
	}
	return c.Watch
}

func (c Cache) storeDataset(d *data.Dataset, digest string) bool {
	if c.Dir == "" {
		return false
	}
	path := c.pathOf(digest)
	swept := c.Swept
	if swept == nil {
		swept = new(sync.Once)
	}
	swept.Do(func() {
		if err := errors.Join(files.Sweep(filepath.Dir(path)), files.SweepDigests(c.Dir)); err != nil {
			c.warn(fmt.Errorf("compiled data sets: %w", err))
		}
	})
	err := files.Replace(path, func(w io.Writer) error { return writeDataset(w, d, digest) })
	if err != nil {
		c.warn(fmt.Errorf("the compiled data set could not be kept: %w", err))
	}
	return err == nil
}

// freeMemory gives what reading a large data set has left to the system, before the data set is mapped beside it.
func (c Cache) freeMemory(digest string) {
	const large = 64 << 20
	if info, err := os.Stat(c.pathOf(digest)); err == nil && info.Size() > large {
		debug.FreeOSMemory()
	}
}

func (c Cache) warn(err error) {
	if c.Warn != nil {
		c.Warn(err)
	}
}
