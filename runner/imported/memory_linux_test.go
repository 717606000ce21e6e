package imported_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/files"
	"tenfold/io/source/sourcetest"
	"tenfold/runner/imported"
)

// TestMemoryOfPredictions: a file of predictions of n bytes takes at most 256 MiB and 24 n, whatever its bytes are.
func TestMemoryOfPredictions(t *testing.T) {
	if testing.Short() {
		t.Skip("large files; not with -short")
	}
	if path := sourcetest.Measured(); path != "" {
		sourcetest.Report(func() error {
			in, err := files.Open(imported.Files{Predictions: files.Ref{Path: path}}.Refs(), files.Folders{}, "")
			if err == nil {
				_, err = imported.Read(t.Context(), in, []imported.Fold{{Dataset: "d", Test: []int32{0}}}, nil, true, false)
			}
			return err
		})
		return
	}
	const size = 16 << 20
	const limit = 256<<20 + 24*size
	const header = "fold,row,prediction\n"
	for name, text := range map[string]string{"commas": ",", "rows": "0,0,a\n", "newlines": "\n", "one token": "x", "wide rows": "0,0,a" + strings.Repeat(",", 1000) + "\n"} {
		path := filepath.Join(t.TempDir(), "predictions.csv")
		if err := os.WriteFile(path, []byte(header+strings.Repeat(text, size/len(text))), 0o600); err != nil {
			t.Fatal(err)
		}
		peak, said := sourcetest.Peak(t, path, 4<<30)
		t.Logf("%s: %d MiB %.100s", name, peak>>20, said)
		if peak > limit {
			t.Errorf("%s: %d MiB, expected at most %d (%.200s)", name, peak>>20, limit>>20, said)
		}
	}
}
