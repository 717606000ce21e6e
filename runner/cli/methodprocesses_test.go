//go:build linux

package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"tenfold/io/host/hosttest"
	"testing"
)

// withProgram is an experiment on a table beside it, of which a shell script is the method.
const withProgram = `tenfold: 1
name: small
seed: 1
methods:
  - {name: m, command: [sh, m.sh], code: [m.sh], target: [real], output: [coefficients]}
datasets:
  - {name: d, format: csv, files: {all: t.csv}, target: {column: "y"}}
folds: {kind: kfold, k: 4}
algorithms:
  - {name: m, engine: m}
metrics: [test_mse]
`

const answersOne = `echo '{"coefficients": [], "intercept": 1}' > "$1/fitted.json"; echo fitted` + "\n"

func newProgram(t *testing.T, script string) (x tool, spec string) {
	t.Helper()
	dir := t.TempDir()
	var table strings.Builder
	table.WriteString("a,y\n")
	for i := range 40 {
		fmt.Fprintf(&table, "%d,%d\n", i%7, i%5)
	}
	put(t, filepath.Join(dir, "t.csv"), table.String())
	put(t, filepath.Join(dir, "m.sh"), script+answersOne)
	put(t, filepath.Join(dir, "x.yaml"), withProgram)
	return tool{t, t.TempDir()}, filepath.Join(dir, "x.yaml")
}

// TestLeftProcesses: a run ends what its methods leave, in whatever session, and says how many there were.
func TestLeftProcesses(t *testing.T) {
	t.Parallel()
	left := filepath.Join(t.TempDir(), "left")
	x, spec := newProgram(t, fmt.Sprintf(`(exec > /dev/null 2>&1; setsid sleep 3600 & echo $! >> %[1]s; env -i setsid sh -c 'sleep 3600 & echo $! >> %[1]s')`+"\n", left))
	_, errs := x.ok("run", spec, "--out", filepath.Join(t.TempDir(), "run"), "--allow-methods", "--jobs", "2")
	wants(t, errs, "method m ended before others that it had started, 8 in all; they were ended")
	content, err := os.ReadFile(left)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(string(content)) {
		if pid, err := strconv.Atoi(line); err != nil || syscall.Kill(pid, 0) == nil {
			t.Errorf("process %d goes on (%v)", pid, err)
		}
	}
}

// TestSandboxFlag: with --sandbox a method sees neither the data nor other exchange folders nor the run, and leaves nothing for later fits. Its
// results are those without, under the same keys.
func TestSandboxFlag(t *testing.T) {
	t.Parallel()
	hosttest.Find(t, "bubblewrap", []string{"--unshare-all", "--ro-bind", "/", "/", "true"}, "bwrap")
	x, spec := newProgram(t, `(
cat t.csv && echo "it sees the data"
[ "$(ls "$1/.." | wc -l)" = 1 ] || echo "it sees other folders: $(ls "$1/..")"
[ -z "$(ls "$1/../../../status")" ] || echo "it sees the run"
touch kept && echo "it writes beside its code"
tail -n +3 /proc/net/dev | grep -v '^ *lo:' && echo "it has a network"
echo looked
) >&2 2> /dev/null
`)
	dir := filepath.Join(t.TempDir(), "run")
	out, errs := x.ok("run", spec, "--out", dir, "--allow-methods", "--sandbox")
	logs, _ := filepath.Glob(filepath.Join(dir, "status", "methods", "*"))
	if len(logs) != 4 {
		t.Errorf("%d logs, expected 4\n%s", len(logs), errs)
	}
	for _, log := range logs {
		content, err := os.ReadFile(log)
		if err != nil || string(content) != "looked\n" {
			t.Errorf("%s\n%v", content, err)
		}
	}
	plan, _ := x.ok("plan", spec, "--out", dir)
	wants(t, plan, "4 cached, 0 to run")
	free, _ := x.ok("run", spec, "--out", filepath.Join(t.TempDir(), "free"), "--allow-methods")
	if digest(out) != digest(free) {
		t.Errorf("in a sandbox %s, without %s", digest(out), digest(free))
	}
}
