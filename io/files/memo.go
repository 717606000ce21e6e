package files

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// stamp tells versions of a file, or of the files below a folder, apart without reading them.
type stamp struct {
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"`       // nanoseconds since 1970
	Changed  int64  `json:"changed"`        // the same for the inode, which no program can set back; 0 if the system has none
	List     string `json:"list,omitempty"` // of a folder: hash of the names and stamps of its files
}

func stampAt(path string) (stamp, error) {
	f, err := os.Open(path)
	if err != nil {
		return stamp{}, err
	}
	defer f.Close()
	return stampOf(f)
}

// stampOf takes the stamp of the open file, since its name may belong to another file by now.
func stampOf(f *os.File) (stamp, error) {
	info, err := f.Stat()
	if err != nil {
		return stamp{}, err
	}
	return stamp{Size: info.Size(), Modified: info.ModTime().UnixNano(), Changed: inodeChanged(f)}, nil
}

// digestMemo remembers the digest of one file's decoded bytes. Every file has its own memo, replaced atomically, so that
// processes that share the folder need no lock.
type digestMemo struct {
	file         string // path of the memo; "" if nothing is remembered
	path, member string
}

type memoRecord struct {
	Path   string `json:"path"`
	Member string `json:"member,omitempty"`
	Stamp  stamp  `json:"stamp"`
	SHA256 string `json:"sha256"`
	Check  string `json:"check"` // of the other fields: a digest with a damaged digit would look like a right one
}

func (r memoRecord) withCheck() memoRecord {
	r.Check = ""
	text, _ := json.Marshal(r) // fails for no value of these types
	r.Check = fmt.Sprintf("%x", sha256.Sum256(text))
	return r
}

func newMemo(cacheDir, path, member string) digestMemo {
	full, err := filepath.Abs(path)
	if cacheDir == "" || err != nil {
		return digestMemo{}
	}
	name := fmt.Sprintf("%x.json", sha256.Sum256([]byte(full+"\x00"+member)))
	return digestMemo{file: filepath.Join(cacheDir, digestsFolder, name), path: full, member: member}
}

// digestsFolder is the folder of memos in the cache.
const digestsFolder = "digests"

// SweepDigests sweeps the folder of remembered checksums.
func SweepDigests(cacheDir string) error { return Sweep(filepath.Join(cacheDir, digestsFolder)) }

// recall returns the digest remembered for a file with this stamp. A memo that cannot be read or belongs to another
// version counts as none.
func (m digestMemo) recall(now stamp) (digest string, ok bool) {
	if m.file == "" {
		return "", false
	}
	text, err := os.ReadFile(m.file)
	var r memoRecord
	if err != nil || json.Unmarshal(text, &r) != nil || r != (memoRecord{Path: m.path, Member: m.member, Stamp: now, SHA256: r.SHA256}.withCheck()) || len(r.SHA256) != 64 {
		return "", false
	}
	return r.SHA256, true
}

// minStampAge is how old a file must be before its stamp is trusted: a second write within the clock's granularity (two
// seconds on the coarsest file systems) would not change the stamp. Git calls such files racily clean.
const minStampAge = 2 * time.Second

// remember stores the digest, unless the file is so fresh that its stamp proves nothing. Errors are ignored: a missing
// memo only costs time later.
func (m digestMemo) remember(s stamp, digest string) {
	if m.file == "" || time.Since(time.Unix(0, s.Modified)) < minStampAge {
		return
	}
	text, err := json.Marshal(memoRecord{Path: m.path, Member: m.member, Stamp: s, SHA256: digest}.withCheck())
	if err != nil {
		return
	}
	_ = Replace(m.file, func(w io.Writer) error { _, err := w.Write(text); return err })
}
