package results

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/sealed"
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
		file, err := sealed.NewTable("damaged.parquet", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		_ = file.Protect(func() error { return new(Tables).decodeRows(file) })
		paths := &parts[pathLine]{table: file, columns: pathColumns()}
		_, _ = paths.linesOf(key{Cell: "c1", Repeat: 1})
		predictions := &parts[predictionLine]{table: file, columns: predictionColumns()}
		_, _ = predictions.linesOf(key{Cell: "c1", Repeat: 1})
	})
}

// TestDamaged cuts a file short everywhere and changes each of its bytes. All of it is refused.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, example())
	whole, err := os.ReadFile(filepath.Join(dir, PathsFile))
	if err != nil {
		t.Fatal(err)
	}
	read := func(b []byte) (rows []pathLine, err error) {
		file, err := sealed.NewTable("damaged.parquet", bytes.NewReader(b), int64(len(b)))
		if err == nil {
			err = file.Protect(func() error {
				if err := errors.Join(checkSchema(file), file.VerifyChecksum()); err != nil {
					return err
				}
				rows, err = sealed.DecodeGroup(file, 0, pathColumns())
				return err
			})
		}
		if err != nil && !strings.HasPrefix(err.Error(), "damaged.parquet: ") {
			t.Fatalf("the error does not name the file: %v", err)
		}
		// Lines one by one are the same lines; damage is noticed here too, or does not matter.
		lone := file.Protect(func() error {
			if err != nil {
				return nil
			}
			g, err := sealed.OpenGroup(file, 0, pathColumns())
			for i := 0; i < len(rows) && err == nil; i++ {
				var line []pathLine
				if line, err = g.Decode(i, i+1); err == nil && shown(line[0]) != shown(rows[i]) {
					t.Errorf("line %d: %+v, in the whole %+v", i, line[0], rows[i])
				}
			}
			g.Release()
			return err
		})
		if lone != nil {
			t.Errorf("one by one: %v", lone)
		}
		return rows, err
	}
	if rows, err := read(whole); err != nil || len(rows) != 6 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	refused := 0
	for n := range whole {
		if _, err := read(whole[:n]); err == nil {
			t.Fatalf("cut to %d of %d bytes, it was read", n, len(whole))
		}
		flipped := bytes.Clone(whole)
		flipped[n] ^= 0xff
		if _, err := read(flipped); err != nil {
			refused++
		}
	}
	if refused < len(whole) {
		t.Errorf("%d of %d changed bytes were noticed", refused, len(whole))
	}
}
