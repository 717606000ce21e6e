package results

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzRead gives damaged files to the readers: whatever is wrong is an error, never a panic.
func FuzzRead(f *testing.F) {
	dir := f.TempDir()
	write(f, dir, example())
	for _, name := range []string{ResultsFile, MetricsFile, SelectionsFile, PathsFile, PredictionsFile} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file := &table{path: "damaged.parquet"}
		err := file.guard(func() (err error) {
			file.File, err = parquetFile(bytes.NewReader(b), int64(len(b)))
			return err
		})
		if err != nil {
			return
		}
		_ = file.guard(func() error { return new(Tables).decodeRows(file.File) })
		paths := &parts[pathLine]{table: file, columns: pathColumns()}
		_, _ = paths.of(key{Cell: "c1", Repeat: 1})
		predictions := &parts[predictionLine]{table: file, columns: predictionColumns()}
		_, _ = predictions.of(key{Cell: "c1", Repeat: 1})
	})
}

// TestDamaged changes the bytes of a file one after the other.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, example())
	whole, err := os.ReadFile(filepath.Join(dir, PathsFile))
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		b := bytes.Clone(whole)
		b[n] ^= 0xff
		file := &table{path: "damaged.parquet"}
		_ = file.guard(func() error {
			var err error
			if file.File, err = parquetFile(bytes.NewReader(b), int64(len(b))); err == nil {
				_, err = decode(file.File, 0, pathColumns())
			}
			return err
		})
	}
}
