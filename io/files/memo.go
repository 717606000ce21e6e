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
	Changed  int64  `json:"changed"`        // the same for the inode, which no program can set back; 0 where the system has none
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

// stampOf asks the open file, not its name, which may belong to another file by now.
func stampOf(f *os.File) (stamp, error) {
	info, err := f.Stat()
	if err != nil {
		return stamp{}, err
	}
	return stamp{Size: info.Size(), Modified: info.ModTime().UnixNano(), Changed: changed(f)}, nil
}

// memo remembers the digest of one file's decoded bytes. Every file has a memo of its own, replaced as a whole, so
// processes that share the folder need no lock.
type memo struct {
	at           string // the memo's path; empty when nothing is remembered
	path, member string
}

type record struct {
	Path   string `json:"path"`
	Member string `json:"member,omitempty"`
	Stamp  stamp  `json:"stamp"`
	SHA256 string `json:"sha256"`
	Check  string `json:"check"` // of the rest: a digest with a damaged digit would look as good as the right one
}

// checked is the record with its check.
func (r record) checked() record {
	r.Check = ""
	text, _ := json.Marshal(r) // fails for no value of these types
	r.Check = fmt.Sprintf("%x", sha256.Sum256(text))
	return r
}

func newMemo(cacheDir, path, member string) memo {
	full, err := filepath.Abs(path)
	if cacheDir == "" || err != nil {
		return memo{}
	}
	name := fmt.Sprintf("%x.json", sha256.Sum256([]byte(full+"\x00"+member)))
	return memo{at: filepath.Join(cacheDir, digests, name), path: full, member: member}
}

// digests is the folder of memos in the cache.
const digests = "digests"

// SweepDigests does in the folder of remembered checksums what Sweep does.
func SweepDigests(cacheDir string) error { return Sweep(filepath.Join(cacheDir, digests)) }

// recall is the digest for a file with this stamp. A memo that cannot be read or belongs to another version is none.
func (m memo) recall(now stamp) (digest string, ok bool) {
	if m.at == "" {
		return "", false
	}
	text, err := os.ReadFile(m.at)
	var r record
	if err != nil || json.Unmarshal(text, &r) != nil || r != (record{Path: m.path, Member: m.member, Stamp: now, SHA256: r.SHA256}.checked()) || len(r.SHA256) != 64 {
		return "", false
	}
	return r.SHA256, true
}

// settled is how old a file must be before its stamp is trusted: a second write within the clock's granularity (two
// seconds on the coarsest file systems) would leave the stamp as it is. Git calls such files racily clean.
const settled = 2 * time.Second

// remember stores the digest, unless the file is so fresh that its stamp proves nothing. A memo that cannot be written
// costs time later and is no error.
func (m memo) remember(s stamp, digest string) {
	if m.at == "" || time.Since(time.Unix(0, s.Modified)) < settled {
		return
	}
	text, err := json.Marshal(record{Path: m.path, Member: m.member, Stamp: s, SHA256: digest}.checked())
	if err != nil {
		return
	}
	_ = Replace(m.at, func(w io.Writer) error { _, err := w.Write(text); return err })
}
