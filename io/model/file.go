package model

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"tenfold/io/files"
)

// CheckPlace refuses a path that no file can be written to: to be looked at before a long fit.
func CheckPlace(path string) error {
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: there is no folder %s to put the model into", path, filepath.Dir(path))
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: it is no regular file, and a model would take its place", path)
	}
	return nil
}

// Write writes the file, whole or not at all; compressed where its name ends in .gz.
func Write(path string, f *File) error {
	if err := CheckPlace(path); err != nil {
		return err
	}
	return files.Replace(path, func(w io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return encode(w, f)
		}
		z := gzip.NewWriter(w)
		return errors.Join(encode(z, f), z.Close())
	})
}

// encode writes an object with each key on a line of its own: the lists of numbers would be too long otherwise, or too many lines.
// The last key is the checksum.
func encode(w io.Writer, f *File) error {
	v, between, compact := reflect.ValueOf(*f), "{", sha256.New()
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if options != "" && v.Field(i).IsZero() {
			continue
		}
		text, err := json.Marshal(v.Field(i).Interface())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := fmt.Fprintf(w, "%s\n  %q: %s", between, name, text); err != nil {
			return err
		}
		fmt.Fprintf(compact, "%s%q:%s", between, name, text)
		between = ","
	}
	io.WriteString(compact, "}")
	_, err := fmt.Fprintf(w, ",\n  %q: %q\n}\n", "checksum", sum(compact))
	return err
}

func sum(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// Read reads a model file. What is no model, is damaged, or of another version is an error in words.
func Read(path string) (*File, error) {
	content, err := files.ReadRegular(path, largest)
	if err != nil {
		return nil, err
	}
	f, err := parse(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

var (
	gzipped = []byte{0x1f, 0x8b}
	parquet = []byte("PAR1")
)

// largest model, decompressed, that is read: a billion bytes of JSON are some fifty million numbers.
const largest = 1 << 32

func parse(content []byte) (*File, error) {
	if bytes.HasPrefix(content, gzipped) {
		z, err := gzip.NewReader(bytes.NewReader(content))
		if err == nil {
			most := min(largest, max(64<<20, 100*int64(len(content)))) // numbers do not pack better
			if content, err = io.ReadAll(io.LimitReader(z, most+1)); err == nil && int64(len(content)) > most {
				return nil, fmt.Errorf("it unpacks to more than %d bytes; no model does", most)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("the compressed file is damaged or cut off: %w", err)
		}
	}
	text := bytes.TrimSpace(content)
	switch {
	case len(text) == 0:
		return nil, errors.New("the file is empty, expected a model that tenfold fit wrote")
	case bytes.HasPrefix(text, parquet):
		return nil, errors.New("a Parquet file, expected a model that tenfold fit wrote")
	case text[0] != '{':
		return nil, fmt.Errorf("it begins with %.20q, expected a model that tenfold fit wrote, which is JSON", text)
	}
	h, err := headOf(text)
	if err != nil {
		return nil, err
	}
	f := &File{}
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("the model is damaged: %w", err)
	}
	return f, cmp.Or(f.check(), h.check(text))
}

// head is what a file says of itself.
type head struct {
	Version  *json.Number    `json:"tenfold_model"`
	Tool     json.RawMessage `json:"tool"`
	Checksum string          `json:"checksum"` // SHA-256 of the rest, without white space between its parts; "" in files that were changed on purpose
}

// headOf returns what a file says of itself, which is looked at before all else: another version may have other content.
func headOf(text []byte) (head head, err error) {
	err = json.Unmarshal(text, &head)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(text)):
		return head, fmt.Errorf("the file is cut off after %d bytes", len(text))
	case errors.As(err, &syntax):
		return head, fmt.Errorf("no JSON at byte %d (%v), expected a model that tenfold fit wrote", syntax.Offset, err)
	case err != nil || head.Version == nil:
		return head, errors.New("no model: expected a file that tenfold fit wrote, which has tenfold_model")
	}
	if n, err := head.Version.Int64(); err != nil || n != Version {
		return head, fmt.Errorf("tenfold_model: found %s, expected %d, the version that this tenfold reads; the file is of tenfold %s", *head.Version, Version, cmp.Or(strings.Trim(string(head.Tool), `"`), "unknown"))
	}
	return head, nil
}

// check returns an error if the file is not as it was written, but for its layout. One from which the checksum was taken is not checked.
func (h head) check(text []byte) error {
	if h.Checksum == "" {
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return err
	}
	rest, last := bytes.CutSuffix(compact.Bytes(), fmt.Appendf(nil, ",%q:%q}", "checksum", h.Checksum))
	hash := sha256.New()
	hash.Write(rest)
	io.WriteString(hash, "}")
	if !last || sum(hash) != h.Checksum {
		return errors.New("the model is damaged: it is not what its checksum is of (where it was changed on purpose, take the checksum out)")
	}
	return nil
}

// check returns an error if something is missing that everything else relies on.
func (f *File) check() error {
	switch {
	case f.Preparation == nil:
		return errors.New("the model is damaged: preparation is missing")
	case f.Model.Kind == "":
		return errors.New("the model is damaged: model is missing")
	case f.Data.Format == "" || len(f.Data.Options) == 0:
		return errors.New("the model is damaged: data says nothing of a format")
	}
	if err := f.Preparation.Check(); err != nil {
		return fmt.Errorf("the model is damaged: preparation: %w", err)
	}
	return nil
}
