package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tenfold/io/yamlerr"
	"tenfold/runner/plan"
)

func TestWellFormed(t *testing.T) {
	t.Parallel()
	if err := checkFormat("json", asText, asJSON); err != nil {
		t.Error(err)
	}
	for want, have := range map[string][]string{"--format xml: expected text or json": {asText, asJSON}, "--format xml: expected one of text, csv, json": {asText, asCSV, asJSON}} {
		if err := checkFormat("xml", have...); err == nil || err.Error() != want || exitCode(err) != ExitInvalid {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"5%": 3, "100%": 50, "0.05": 3, "1.0": 50, "1": 1, "12": 12, "60": 50, "1e-9%": 1} { // of 50
		if s, err := parseSampleSize(text); err != nil || s.cellsOf(50) != want {
			t.Errorf("%s: %d, %v, want %d", text, s.cellsOf(50), err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "0%", "101%", "1.5", "NaN", "many"} {
		if s, err := parseSampleSize(text); err == nil {
			t.Errorf("%s is %+v", text, s)
		}
	}
}

// TestMistakes: joined errors are told one by one, those of files with their places.
func TestMistakes(t *testing.T) {
	t.Parallel()
	place := yamlerr.Mistake{File: "f", Line: 3, Column: 2, Msg: "bad"}
	err := errors.Join(invalidInput(yamlerr.Mistakes{place, {File: "g", Msg: "worse"}}), invalidInput(errors.New("no data")), &os.PathError{Op: "open", Path: "x", Err: os.ErrNotExist})
	got := splitMistakes(err)
	want := yamlerr.Mistakes{place, {File: "g", Msg: "worse"}, {Msg: "no data"}, {Msg: "x: file does not exist"}}
	if fmt.Sprint([]yamlerr.Mistake(got)) != fmt.Sprint([]yamlerr.Mistake(want)) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestAreFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(checkFolders([]string{dir}), checkEmpty("--out", filepath.Join(dir, "none"))); err != nil {
		t.Error(err)
	}
	want := filepath.Join(dir, "none") + ": no such folder\n" + file + " is a file; the folder of a run was expected, such as " + filepath.Join("runs", "NAME")
	if err := checkFolders([]string{filepath.Join(dir, "none"), dir, file}); err == nil || err.Error() != want || exitCode(err) != ExitInvalid {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if err := checkEmpty("--out", dir); err == nil || err.Error() != "--out "+dir+": the folder is not empty" {
		t.Error(err)
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	var units []*plan.Unit
	for _, r := range []string{"new", "failed before", "new"} {
		units = append(units, &plan.Unit{Reason: r})
	}
	for n, want := range map[int]string{0: "", 1: "new", 2: "new (1); failed before (1)", 3: "new (2); failed before (1)"} {
		if got := reasonsText(units[:n]); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// TestShort: digests are cut, other texts are not.
func TestShort(t *testing.T) {
	t.Parallel()
	const hex = "0123456789abcdef0123456789abcdef"
	for text, want := range map[string]string{hex: hex[:20] + "…", "sha256:" + hex: "sha256:" + hex[:13] + "…", hex[:31]: hex[:31], hex + "g": hex + "g", "": ""} {
		if got := shortDigest(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
