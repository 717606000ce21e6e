package files

import (
	"archive/tar"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// sparseTar has a member that is empty on disk and says that it stands for so many zeros.
func sparseTar(name string, size int64) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	body := append([]byte("0\n"), make([]byte, 510)...) // no stretch of data
	w.WriteHeader(&tar.Header{Name: "x", Mode: 0o600, Size: int64(len(body)), Format: tar.FormatPAX, PAXRecords: map[string]string{
		"___.sparse.major": "1", "___.sparse.minor": "0", "___.sparse.name": name, "___.sparse.realsize": fmt.Sprint(size),
	}})
	w.Write(body)
	w.Close()
	return bytes.ReplaceAll(b.Bytes(), []byte("___.sparse"), []byte("GNU.sparse"))
}

// TestArchiveOfZeros: a few bytes that stand for more than any memory are refused at once, by name or among all.
func TestArchiveOfZeros(t *testing.T) {
	for _, content := range [][]byte{sparseTar("a.txt", 1<<50), gz(sparseTar("a.txt", 1<<50))} {
		for _, member := range []string{"a.txt", "*.txt"} {
			path := put(t, filepath.Join(t.TempDir(), "f"), content)
			s := openOne(t, Ref{Path: path, Member: member}, "")
			err := s.Members("all", func(string, []byte) error { return nil })
			if err == nil || !strings.Contains(err.Error(), "a.txt\": 1125899906842624 bytes, more than ") {
				t.Errorf("%q: %v", member, err)
			}
		}
	}
	path := put(t, filepath.Join(t.TempDir(), "f"), sparseTar("a.txt", 700))
	content, _, err := openOne(t, Ref{Path: path, Member: "a.txt"}, "").Bytes("all")
	if err != nil || !bytes.Equal(content, make([]byte, 700)) {
		t.Errorf("a small one: %d bytes, %v", len(content), err)
	}
}
