package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tenfold/io/sanitize"
	"tenfold/io/strictyaml"
)

func TestWellFormed(t *testing.T) {
	t.Parallel()
	if err := CheckFormat("json", AsText, AsJSON); err != nil {
		t.Error(err)
	}
	for want, have := range map[string][]string{"--format xml: expected text or json": {AsText, AsJSON}, "--format xml: expected one of text, csv, json": {AsText, AsCSV, AsJSON}} {
		if err := CheckFormat("xml", have...); err == nil || err.Error() != want || ExitCode(err) != ExitInvalid {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestMistakes: joined errors are told one by one, those of files with their places.
func TestMistakes(t *testing.T) {
	t.Parallel()
	place := strictyaml.Mistake{File: "f", Line: 3, Column: 2, Msg: "bad"}
	err := errors.Join(Invalid(strictyaml.Mistakes{place, {File: "g", Msg: "worse"}}), Invalid(errors.New("no data")), &os.PathError{Op: "open", Path: "x", Err: os.ErrNotExist})
	got := SplitMistakes(err)
	want := strictyaml.Mistakes{place, {File: "g", Msg: "worse"}, {Msg: "no data"}, {Msg: "x: file does not exist"}}
	if fmt.Sprint([]strictyaml.Mistake(got)) != fmt.Sprint([]strictyaml.Mistake(want)) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestMessages: what an error names begins no line; joined errors and Lines do, and so do mistakes in files.
func TestMessages(t *testing.T) {
	t.Parallel()
	const name = "x\nforged\x1b"
	path := &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New(name), `x\nforged\x1b`},
		{fmt.Errorf("%s: %w; go on", name, errors.New(name)), `x\nforged\x1b: x\nforged\x1b; go on`},
		{errors.Join(errors.New("a"), fmt.Errorf("b: %w", errors.Join(errors.New("c"), errors.New(name)))), "a\nb: c\n" + `x\nforged\x1b`},
		{Invalid(sanitize.Lines{errors.New("head:"), errors.New(name)}), "head:\n" + `x\nforged\x1b`},
		{sanitize.NewLines("one", "", name), "one\n\n" + `x\nforged\x1b`},
		{fmt.Errorf("%s: %w", name, path), `x\nforged\x1b: file does not exist`},
		{fmt.Errorf("reading: %w", path), `reading: x\nforged\x1b: file does not exist`},
		{fmt.Errorf("%w and %w", errors.New("a\nb"), path), `a\nb and x\nforged\x1b: file does not exist`},
		{strictyaml.Mistakes{{File: name, Line: 1, Column: 1, Source: "key: 1", Msg: name}, {File: "g", Msg: "m"}}, `x\nforged\x1b:1:1: x\nforged\x1b` + "\n    key: 1\n    ^\ng: m"},
		{ReplacePath(errors.Join(errors.New("/tmp/f: no"), errors.New("none")), "/tmp/f", "f"), "f: no\nnone"},
	} {
		if got := UserMessage(c.err); got != c.want {
			t.Errorf("%q: got %q, want %q", c.err, got, c.want)
		}
	}
}

func TestAreFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(CheckFolders([]string{dir}), CheckEmpty("--out", filepath.Join(dir, "none"))); err != nil {
		t.Error(err)
	}
	want := filepath.Join(dir, "none") + ": no such folder\n" + file + " is a file; the folder of a run was expected, such as " + filepath.Join("runs", "NAME")
	if err := CheckFolders([]string{filepath.Join(dir, "none"), dir, file}); err == nil || err.Error() != want || ExitCode(err) != ExitInvalid {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if err := CheckEmpty("--out", dir); err == nil || err.Error() != "--out "+dir+": the folder is not empty" {
		t.Error(err)
	}
}
