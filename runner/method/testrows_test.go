//go:build unix

package method

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/runner/method/declaration"
)

// seeing runs a method on a table, and returns the files below the host's folder when it fits, and when it is to predict training and
// test rows: for each its checksum, size and name.
func seeing(t *testing.T, transductive bool) (m engines.Model, fit, train, test []string) {
	t.Helper()
	folder, aside, h := t.TempDir(), t.TempDir(), newHost(t)
	write(t, filepath.Join(folder, "m.sh"), `
see() { find "$2/.." -type f ! -name group ! -name 'predictions*' -exec cksum {} + | sed 's,/[^ ]*/,,' | sort > "$1"; }
see "$1/fit" "$2"
echo '{"selected": [0]}' > "$2/fitted.json"
echo fitted
while read -r verb file where; do
	see "$1/$file" "$2"
	rows=45; [ "$file" = test.npy ] && rows=15
	{ echo "%%MatrixMarket matrix array real general"; echo "$rows 1"; yes 1 | head -n $rows; } > "$where/predictions.mtx"
	echo predicted
done
`)
	d := declared("", declaration.Selected, declaration.Predictions)
	d.Folder, d.Command, d.Code, d.Transductive = folder, []string{"sh", "m.sh", aside}, []string{"m.sh"}, transductive
	fitted, tested := table(t)
	run := runOn(fitted)
	run.Watch = tested
	m, err := engineOf(t, &d, h).Fit(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engines.Close(m) })
	predictions(m, fitted)
	predictions(m, tested)
	var seen [3][]string
	for i, when := range []string{"fit", "train.npy", "test.npy"} {
		content, err := os.ReadFile(filepath.Join(aside, when))
		if err != nil {
			t.Fatal(err)
		}
		seen[i] = strings.Split(strings.TrimSpace(string(content)), "\n")
	}
	return m, seen[0], seen[1], seen[2]
}

// testFile is how seeing shows 15 rows of 5 numbers behind a header of 128 bytes.
const testFile = " 728 test.npy"

// TestTestRowsComeAfterTheFit: until a method has printed fitted, no file below the host's folder has a test row, and afterwards there
// is the file of their columns, and nothing with their responses.
func TestTestRowsComeAfterTheFit(t *testing.T) {
	t.Parallel()
	_, fit, train, test := seeing(t, false)
	if text := strings.Join(append(fit, train...), "\n"); strings.Contains(text, "test") || !strings.Contains(text, " y.npy") {
		t.Errorf("before the test rows were handed over there were\n%s", text)
	}
	fresh := slices.DeleteFunc(test, func(file string) bool { return slices.Contains(train, file) })
	if len(fresh) != 1 || !strings.HasSuffix(fresh[0], testFile) {
		t.Errorf("with the test rows there came %q", fresh)
	}
}

// TestTransductive: a method that gets test rows before it fits has no more of them than others have later, and its numbers are marked.
func TestTransductive(t *testing.T) {
	t.Parallel()
	m, fit, _, test := seeing(t, true)
	fresh := slices.DeleteFunc(test, func(file string) bool { return slices.Contains(fit, file) })
	if !slices.ContainsFunc(fit, func(file string) bool { return strings.HasSuffix(file, testFile) }) || len(fresh) != 1 || !strings.HasSuffix(fresh[0], " fitted.json") {
		t.Errorf("%q at the fit, and then %q", fit, fresh)
	}
	if !m.(engines.Reporter).Fitted().Optimistic {
		t.Error("it is not marked")
	}
}
