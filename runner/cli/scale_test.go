package cli_test

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"tenfold/runner/cli/app"
)

// writeRows writes a data set in SVMlight's format whose columns are as frequent as words are: each row has a one in each of several
// ranges of columns, drawn in Zipf's proportions. Labels follow a fiftieth of the columns.
func writeRows(path string, rows, columns, ones int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	rng := rand.New(rand.NewPCG(1, 2))
	width := columns / ones
	until, sum := make([]float64, width), 0.0
	for k := range until {
		sum += 1 / float64(k+2)
		until[k] = sum
	}
	weight := make([]float64, columns)
	for j := range weight {
		if rng.IntN(50) == 0 {
			weight[j] = rng.NormFloat64()
		}
	}
	var line []byte
	at := make([]int, ones)
	for range rows {
		z := 0.0
		for t := range at {
			at[t] = t*width + min(sort.SearchFloat64s(until, rng.Float64()*sum), width-1)
			z += weight[at[t]]
		}
		line = append(line[:0], "-1"...)
		if rng.Float64() < 1/(1+math.Exp(-2*z)) {
			line = append(line[:0], '1')
		}
		for _, j := range at {
			line = strconv.AppendInt(append(line, ' '), int64(j+1), 10)
			line = append(line, ":1"...)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return w.Flush()
}

func writeScale(t testing.TB, dir, engine, target, params string) (spec string) {
	t.Helper()
	spec = filepath.Join(dir, engine+".yaml")
	text := fmt.Sprintf(`tenfold: 1
name: scale-%s
seed: 1
predictions: false
datasets:
  - {name: rows, format: svmlight, files: {all: rows.svm}, target: %s}
folds: {kind: holdout, test: 0.1}
algorithms:
  - {name: %[1]s, engine: %[1]s, params: {%[3]s}}
`, engine, target, params)
	if err := os.WriteFile(spec, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return spec
}

// The memory that is allowed changes no result; where it cannot be enough, nothing is begun.
func TestMemory(t *testing.T) {
	x, dir := tool{t, t.TempDir()}, t.TempDir()
	if err := writeRows(filepath.Join(dir, "rows.svm"), 40_000, 2000, 20); err != nil {
		t.Fatal(err)
	}
	spec := writeScale(t, dir, "l1", "class", "c1_ratio: 0.2, tol: 1.0e-3")
	out, _ := x.ok("run", spec, "--out", filepath.Join(dir, "free"))
	little := tool{t, t.TempDir()} // reads the data with disk space, and lays it out on disk
	tight, _ := little.ok("run", spec, "--out", filepath.Join(dir, "tight"), "--memory", "40MiB")
	if digest(out) != digest(tight) {
		t.Errorf("with little memory: %s, otherwise %s", digest(tight), digest(out))
	}
	if left, err := os.ReadDir(filepath.Join(little.cache, "scratch")); err != nil || len(left) > 0 {
		t.Errorf("the folder for what is large: %v, %v", left, err)
	}
	refused := filepath.Join(dir, "refused")
	code, _, errs := x.run("run", spec, "--out", refused, "--memory", "1MiB")
	if code != app.ExitInvalid {
		t.Errorf("refused with exit code %d", code)
	}
	wants(t, errs, "scale-l1 cannot run here", "rows × l1 fold 0", "40000 rows, 2000 columns, 800000 entries", "all memory here is 1 MiB", "train_fraction")
	if _, err := os.Stat(refused); err == nil {
		t.Error("a run that is refused leaves a folder")
	}
	out, _ = x.ok("plan", spec, "--out", refused, "--memory", "1MiB")
	wants(t, out, "note: scale-l1 cannot run here")
}

// BenchmarkScale runs stagewise and l1 on rows × columns with so many ones a row, in processes of their own, and reports
// their peaks of memory that is their own and of mapped files, apart. TENFOLD_SCALE says how large, as 10000000x1000000x20 in
// docs/scaling.md, TENFOLD_MEMORY how much memory they may take, TMPDIR where the files are.
func BenchmarkScale(b *testing.B) {
	var rows, columns, ones int
	if n, _ := fmt.Sscanf(os.Getenv("TENFOLD_SCALE"), "%dx%dx%d", &rows, &columns, &ones); n != 3 {
		b.Skip("TENFOLD_SCALE gives no size, such as 1000000x100000x20")
	}
	dir := b.TempDir()
	if err := writeRows(filepath.Join(dir, "rows.svm"), rows, columns, ones); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ engine, target, params string }{
		{"stagewise", "real", "epsilon: 0.01, max_iter: 2000, choose: last"},
		{"l1", "class", "c1_ratio: 0.003, tol: 1.0e-3"},
	} {
		spec := writeScale(b, dir, c.engine, c.target, c.params)
		for _, command := range []string{"validate", "run"} { // the first compiles
			b.Run(c.engine+" "+command, func(b *testing.B) {
				for range b.N {
					args := []string{command, spec, "--cache", filepath.Join(dir, "cache")}
					if command == "run" {
						args = append(args, "--out", filepath.Join(dir, "out", c.engine))
					}
					own, mapped, cpu := peak(b, args)
					b.ReportMetric(own, "MiB-own")
					b.ReportMetric(mapped, "MiB-mapped")
					b.ReportMetric(cpu, "cpu-s")
				}
			})
		}
	}
}

// peak runs the tool, and is its peaks of memory in MiB and its processor time in seconds.
func peak(b *testing.B, args []string) (own, mapped, cpu float64) {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "TENFOLD_TEST_MAIN=1")
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				b.Fatalf("%v\n%s", err, errs.String())
			}
			return own, mapped, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		case <-time.After(20 * time.Millisecond):
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			if err != nil {
				continue
			}
			own, mapped = max(own, kib(string(text), "RssAnon")), max(mapped, kib(string(text), "RssFile"))
		}
	}
}

// kib is a line of a process's status, in MiB.
func kib(status, key string) float64 {
	_, rest, _ := strings.Cut(status, key+":")
	n, _ := strconv.Atoi(strings.Fields(rest + " 0")[0])
	return float64(n) / 1024
}
