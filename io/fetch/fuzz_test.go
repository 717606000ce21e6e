package fetch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// whims is a server that answers by a script, a byte an answer: honest in part, wrong in status, range, length or version, or
// cut off.
type whims struct {
	body   []byte
	script []byte
}

func (s *whims) RoundTrip(r *http.Request) (*http.Response, error) {
	whim := byte(0)
	if len(s.script) > 0 {
		whim, s.script = s.script[0], s.script[1:]
	}
	from := int64(0)
	resp := &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Header: http.Header{"Etag": {`"v1"`}}, ContentLength: int64(len(s.body)), Request: r}
	if asked := r.Header.Get("Range"); asked != "" && whim&1 == 0 {
		if _, err := fmt.Sscanf(asked, "bytes=%d-", &from); err != nil || from < 0 {
			return nil, errors.New("bad request")
		}
		resp.StatusCode, resp.Status = http.StatusPartialContent, "206"
		if from >= int64(len(s.body)) {
			resp.StatusCode, resp.Status, from = http.StatusRequestedRangeNotSatisfiable, "416", int64(len(s.body))
			resp.Header.Set("Content-Range", fmt.Sprintf("bytes */%d", len(s.body)))
		} else {
			resp.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(s.body)-1, len(s.body)))
		}
		resp.ContentLength -= from
	}
	rest := s.body[from:]
	switch whim >> 1 & 7 {
	case 1:
		resp.StatusCode, resp.Status = http.StatusServiceUnavailable, "503"
	case 2:
		resp.Header.Set("Content-Range", "bytes 1-")
	case 3:
		resp.Header.Set("Etag", `W/"v2"`)
		resp.ContentLength = -1
	case 4:
		rest = rest[:len(rest)/2]
	case 5:
		rest, resp.ContentLength = bytes.Clone(rest), -1
		for i := range rest {
			rest[i] ^= 1
		}
	case 6:
		return nil, io.ErrUnexpectedEOF
	case 7:
		resp.StatusCode, resp.Status = int(whim)+300, "odd"
	}
	resp.Body = io.NopCloser(bytes.NewReader(rest))
	return resp, nil
}

// FuzzResume goes on with whatever lies there of an earlier download, from a server that answers anything: what gets the
// file's name is the right content, and nothing else is written.
func FuzzResume(f *testing.F) {
	body := content[:300]
	from := `{"url":"http://example.org/f","etag":"\"v1\""}`
	for _, script := range [][]byte{{0}, {1}, {8, 0}, {4, 0}, {10, 0}, {12, 6, 14, 2}, {2, 2, 2, 2, 2}, {16 + 8, 8, 8, 8, 8, 8}} {
		f.Add(body[:100], []byte(from), script)
		f.Add(body, []byte(from), script)
		f.Add(append(bytes.Clone(body), 'x'), []byte(from), script)
		f.Add(bytes.Repeat([]byte("x"), 50), []byte(`{"url":1}`), script)
	}
	f.Fuzz(func(t *testing.T, part, origin, script []byte) {
		dir := t.TempDir()
		if err := errors.Join(os.WriteFile(filepath.Join(dir, ".f.part"), part, 0o600), os.WriteFile(filepath.Join(dir, ".f.part.json"), origin, 0o600)); err != nil {
			t.Fatal(err)
		}
		get := New("test")
		get.client, get.pause, get.stall = &http.Client{Transport: &whims{body, script}, CheckRedirect: redirect}, time.Nanosecond, time.Minute
		_, err := get.Get(t.Context(), dir, Item{Path: "f", Sources: []string{"http://example.org/f"}, Check: digest(body), Exact: true})
		got, there := os.ReadFile(filepath.Join(dir, "f"))
		if (err == nil) != (there == nil) || there == nil && !bytes.Equal(got, body) {
			t.Errorf("%v, %v: %q", err, there, got)
		}
		for e := range strings.FieldsSeq(names(t, dir)) {
			if e != "f" && e != ".f.part" && e != ".f.part.json" {
				t.Errorf("%s was written", e)
			}
		}
	})
}
