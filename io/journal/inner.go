package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"tenfold/engines"
)

// A log is the words of innerMagic and then records, each of the length of its content, the content, and the CRC-32C of both. A content is
// a key, the seconds and the processor's seconds, the number of values and the values, and each note after its length. Lengths, numbers of
// values and checksums have four bytes, other numbers eight, all little-endian.
const (
	innerFolder    = "inner" // inside the run's folder, with a folder for each part
	innerExtension = ".log"
	innerMagic     = "tenfold inner 1\n"
	keySize        = 16
	recordHead     = keySize + 8 + 8 + 4
	maxLogSize     = 1 << 31 // bytes of a log that are read
	maxRecord      = 1 << 26 // bytes of a record
)

// moment is how much work, in seconds, waits for the next write: a process that is killed loses so much at most, beside what is at work.
const moment = 0.02

// perSecond is the number of bytes that are worth being kept of a second of work.
const perSecond = 10 << 20

// InnerKey identifies a work inside a fit.
type InnerKey [keySize]byte

// InnerResult is the result of a work, and the time that it took.
type InnerResult struct {
	Seconds, CPUSeconds float64
	engines.Yield
}

// Inner holds the results of the works inside the fits of one part of a run. Every process appends to a log of its own, which has whole
// records at any moment, but for the last one of a process that was killed. It is safe for concurrent use.
type Inner struct {
	journal *Journal
	dir     string // in the run's folder
	sound   func() error

	mu      sync.Mutex
	known   map[InnerKey]InnerResult
	read    map[string]int // sizes of the logs that were read, by name
	fresh   int            // results that no log that was read has
	pending []byte
	owed    float64 // seconds of the work in pending
	log     *os.File
	name    string
	broken  bool
}

// Inner reads what is stored of a part. sound is called before results are written, and keeps them out with an error. What cannot be read
// counts as not there, with a warning.
func (j *Journal) Inner(part string, sound func() error) *Inner {
	l := &Inner{journal: j, dir: path.Join(innerFolder, part), sound: sound, known: map[InnerKey]InnerResult{}, read: map[string]int{}}
	for _, name := range l.logs() {
		content, err := j.run.ReadFile(name, maxLogSize)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process has put it into a log with others
		}
		if err == nil {
			l.read[name] = len(content)
			err = l.add(content)
		}
		l.warn(name, err)
	}
	return l
}

// logs returns the logs that are there, by name.
func (l *Inner) logs() (names []string) {
	entries, err := l.journal.run.ReadDir(l.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.warn(l.dir, err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), innerExtension) {
			names = append(names, path.Join(l.dir, e.Name()))
		}
	}
	return names
}

func (l *Inner) warn(name string, err error) {
	if err != nil && l.journal.Warn != nil {
		l.journal.Warn(fmt.Errorf("%s: %w; fits inside other fits that it holds are done again", l.journal.run.Path(name), err))
	}
}

// add adds the records of a log. A record that is cut off at the end is that of a process which was killed; anything else that is wrong
// is an error, and what follows is left out.
func (l *Inner) add(content []byte) error {
	rest, ok := bytes.CutPrefix(content, []byte(innerMagic))
	switch {
	case !ok && strings.HasPrefix(innerMagic, string(content)):
		return nil
	case !ok:
		return errors.New("damaged: it does not begin as a log of this version of tenfold")
	}
	for len(rest) >= 4 {
		n := int(binary.LittleEndian.Uint32(rest))
		if n < recordHead || n > maxRecord {
			return fmt.Errorf("damaged: no record begins at byte %d", len(content)-len(rest))
		}
		if len(rest) < n+8 {
			return nil
		}
		key, r, ok := decodeRecord(rest[4 : 4+n])
		if !ok || crc32.Checksum(rest[:4+n], castagnoli) != binary.LittleEndian.Uint32(rest[4+n:]) {
			return fmt.Errorf("damaged: the checksum of the record at byte %d does not match", len(content)-len(rest))
		}
		l.known[key] = r
		rest = rest[n+8:]
	}
	return nil
}

// decodeRecord decodes the content of a record, of recordHead bytes or more.
func decodeRecord(b []byte) (key InnerKey, r InnerResult, ok bool) {
	number := func() float64 {
		v := math.Float64frombits(binary.LittleEndian.Uint64(b))
		b = b[8:]
		return v
	}
	copy(key[:], b)
	b = b[keySize:]
	r.Seconds, r.CPUSeconds = number(), number()
	n := int(binary.LittleEndian.Uint32(b))
	if b = b[4:]; len(b) < 8*n {
		return key, r, false
	}
	r.Values = make([]float64, n)
	for i := range r.Values {
		r.Values[i] = number()
	}
	for len(b) >= 4 {
		n := int(binary.LittleEndian.Uint32(b))
		if b = b[4:]; len(b) < n {
			return key, r, false
		}
		r.Notes, b = append(r.Notes, string(b[:n])), b[n:]
	}
	return key, r, len(b) == 0
}

// appendRecord appends a record.
func appendRecord(b []byte, key InnerKey, r InnerResult) []byte {
	start := len(b)
	b = append(append(b, 0, 0, 0, 0), key[:]...)
	for _, v := range []float64{r.Seconds, r.CPUSeconds} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.Values)))
	for _, v := range r.Values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	for _, note := range r.Notes {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(note))), note...)
	}
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start-4))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
}

// Get returns the result of a work; false if it is not known.
func (l *Inner) Get(key InnerKey) (InnerResult, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.known[key]
	return r, ok
}

// Put keeps a result, unless it is large for the time that it took. It is written once a moment's work waits.
func (l *Inner) Put(key InnerKey, r InnerResult) {
	record := appendRecord(nil, key, r)
	if float64(len(record)) > perSecond*max(r.Seconds, moment) || len(record) > maxRecord {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[key] = r
	l.fresh++
	l.pending = append(l.pending, record...)
	if l.owed += r.Seconds; l.owed >= moment {
		l.write()
	}
}

// Flush writes what waits.
func (l *Inner) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write()
}

// write appends what waits to the log, which the first call makes. After an error nothing is written any more: the fits go on.
func (l *Inner) write() {
	if !l.broken && len(l.pending) > 0 {
		err := l.sound()
		if err == nil && l.log == nil {
			l.name = path.Join(l.dir, fmt.Sprintf("%016x%s", rand.Uint64(), innerExtension))
			if l.log, err = l.journal.run.CreateNew(l.name); err == nil {
				_, err = l.log.WriteString(innerMagic)
			}
		}
		if err == nil {
			_, err = l.log.Write(l.pending)
		}
		if l.broken = err != nil; l.broken && l.log != nil {
			l.warn(l.name, err)
		}
	}
	l.pending, l.owed = l.pending[:0], 0
}

// Close writes what waits, and puts all results into one log in place of those that were read and its own. A log that has grown since
// it was read stays: a process is at work with it.
func (l *Inner) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write()
	if l.log != nil {
		_ = l.log.Close() // what is lost here is found missing when it is read
	}
	if l.broken || l.fresh == 0 && len(l.read) < 2 { // one log that has all
		return
	}
	if err := l.compact(); err != nil {
		l.warn(l.dir, err)
	}
}

// compact reads again what other processes wrote meanwhile, so that it is not lost with the log that it was in.
func (l *Inner) compact() error {
	whole := path.Join(l.dir, "whole"+innerExtension)
	old := []string{l.name}
	for _, name := range l.logs() {
		info, err := l.journal.run.Stat(name)
		if err != nil || name == l.name {
			continue
		}
		size, was := l.read[name]
		if grown := !was || info.Size() != int64(size); grown && name == whole {
			if content, err := l.journal.run.ReadFile(name, maxLogSize); err == nil {
				_ = l.add(content) // what is damaged is left out
			}
		} else if !grown && name != whole {
			old = append(old, name)
		}
	}
	keys := slices.SortedFunc(maps.Keys(l.known), func(a, b InnerKey) int { return bytes.Compare(a[:], b[:]) })
	content := []byte(innerMagic)
	for _, key := range keys {
		content = appendRecord(content, key, l.known[key])
	}
	if err := l.journal.run.Replace(whole, func(w io.Writer) error { _, err := w.Write(content); return err }); err != nil {
		return err
	}
	for _, name := range old {
		if name == "" {
			continue
		}
		if err := l.journal.run.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// InnerParts returns the parts of which results are stored, with their bytes.
func (j *Journal) InnerParts() (map[string]int64, error) {
	parts := map[string]int64{}
	entries, err := j.run.ReadDir(innerFolder)
	for _, e := range entries {
		if !isKey(e.Name()) {
			continue
		}
		logs, err := j.run.ReadDir(path.Join(innerFolder, e.Name()))
		if err != nil {
			return nil, err
		}
		size := int64(0)
		for _, log := range logs {
			if info, err := log.Info(); err == nil {
				size += info.Size()
			}
		}
		parts[e.Name()] = size
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return parts, err
}

// RemoveInner removes what is stored of a part.
func (j *Journal) RemoveInner(part string) error {
	dir := path.Join(innerFolder, part)
	entries, err := j.run.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		err = errors.Join(err, j.run.Remove(path.Join(dir, e.Name())))
	}
	return errors.Join(err, j.run.Remove(dir))
}
