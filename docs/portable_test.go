package docs_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tenfold/engines/all"
)

// needProcessors skips tests that build the whole program for other processors, minutes with an empty cache.
func needProcessors(t *testing.T) {
	t.Helper()
	if os.Getenv("TENFOLD_PROCESSORS") == "" {
		t.Skip("builds for other processors: set TENFOLD_PROCESSORS=1")
	}
}

// buildFor builds the program for a processor and returns its path.
func buildFor(t *testing.T, env ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "tenfold")
	build := exec.Command("go", "build", "-o", out, ".")
	build.Env = append(os.Environ(), env...)
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", env, err, text)
	}
	return out
}

var fused = regexp.MustCompile(`^\s*(\S+\.go):(\d+)\s.*\s(FN?M(?:ADD|SUB)[DS]|VFN?M(?:ADD|SUB)\d+[SP][SD])\b`)

// TestNoFusedArithmetic: where results are made or compared, the compiler fuses no product with a sum, neither for arm64 nor
// for newer amd64 processors: every product that is added is rounded by a conversion. math.FMA is exact everywhere.
func TestNoFusedArithmetic(t *testing.T) {
	needProcessors(t)
	sources := map[string][]string{} // by the name of each file of the project, its lines that use math.FMA
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		content, err := os.ReadFile(path)
		sources[d.Name()] = append(sources[d.Name()], "")
		for k, line := range strings.Split(string(content), "\n") {
			if strings.Contains(line, "math.FMA(") {
				sources[d.Name()] = append(sources[d.Name()], strconv.Itoa(k+1))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range [][]string{{"GOARCH=arm64", "GOOS=linux"}, {"GOARCH=amd64", "GOOS=linux", "GOAMD64=v3"}} {
		dump, err := exec.Command("go", "tool", "objdump", "-s", `^tenfold/(engines|io|runner|reports)`, buildFor(t, env...)).Output()
		if err != nil {
			t.Fatal(err)
		}
		function, seen := "", 0
		for line := range bytes.Lines(dump) {
			if after, ok := bytes.CutPrefix(line, []byte("TEXT ")); ok {
				function, seen = string(bytes.TrimSpace(after)), seen+1
			}
			found := fused.FindSubmatch(line)
			if found == nil || strings.HasPrefix(function, "tenfold/reports/figure") || strings.HasPrefix(function, "tenfold/reports/drawing") {
				continue
			}
			file, number := string(found[1]), string(found[2])
			if lines, ours := sources[file]; !ours || strings.Contains(" "+strings.Join(lines, " ")+" ", " "+number+" ") {
				continue
			}
			t.Errorf("%s, %s:%s in %s: %s; write float64(a*b) where a product is added", env[0], file, number, function, found[3])
		}
		if seen < 1000 {
			t.Errorf("%v: %d functions looked at, expected thousands", env, seen)
		}
	}
}

// exactFunctions of package math have one result by IEEE 754, or make no arithmetic.
var exactFunctions = regexp.MustCompile(`^(Abs|Ceil|Copysign|FMA|Float(32|64)(bits|frombits)|Floor|Frexp|Inf|Is(Inf|NaN)|Ldexp|M(ax|in|od)|Modf|` +
	`NaN|Nextafter|Pow10|Round|RoundToEven|Signbit|Sqrt|Trunc)$`)

// TestElementaryFunctions: results take exp, log and powers from engines/numeric/elementary; those of the standard library depend on
// the processor.
func TestElementaryFunctions(t *testing.T) {
	for _, dir := range []string{"engines", "io", "runner"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "engines/enginetest") {
				return err
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				of, ok := call.X.(*ast.Ident)
				switch {
				case !ok:
				case of.Name == "math" && of.Obj == nil && call.Sel.Name[0] >= 'A' && !exactFunctions.MatchString(call.Sel.Name) && isCalled(file, call):
					t.Errorf("%s: math.%s depends on the processor: engines/numeric/elementary has it", set.Position(n.Pos()), call.Sel.Name)
				case call.Sel.Name == "NormFloat64" || call.Sel.Name == "ExpFloat64":
					t.Errorf("%s: %s depends on the processor", set.Position(n.Pos()), call.Sel.Name)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// isCalled tells whether the function is called: math.Pi is a constant.
func isCalled(file *ast.File, function ast.Expr) (called bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Fun == function {
			called = true
		}
		return !called
	})
	return called
}

// TestSameDigestOnEveryProcessor: fits of every engine, many of which end on thresholds, have one digest without fused
// multiply-add, built for newer processors, and on arm64.
func TestSameDigestOnEveryProcessor(t *testing.T) {
	files, err := filepath.Glob("runner/cli/testdata/processors/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	set, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Names() {
		missing[name] = true
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`engine: ([a-z0-9-]+)`).FindAllSubmatch(content, -1) {
			delete(missing, string(found[1]))
		}
	}
	for name := range missing {
		t.Errorf("no file of testdata/processors has engine %s", name)
	}
	needProcessors(t)
	dir := t.TempDir()
	digests := func(name string, env []string, command ...string) map[string]string {
		t.Helper()
		out := map[string]string{}
		for _, file := range files {
			run := exec.Command(command[0], append(command[1:], "run", file, "--out", filepath.Join(dir, name, file), "--cache", filepath.Join(dir, name))...)
			run.Env = append(os.Environ(), env...)
			text, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%s, %s: %v\n%s", name, file, err, text)
			}
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			out[file] = lines[len(lines)-1]
		}
		return out
	}
	program := buildFor(t)
	want := digests("plain", nil, program)
	same := func(name string, env []string, command ...string) {
		t.Helper()
		for file, have := range digests(name, env, command...) {
			if have != want[file] {
				t.Errorf("%s, %s: %s, expected %s", name, file, have, want[file])
			}
		}
	}
	same("without fused multiply-add", []string{"GODEBUG=cpu.fma=off,cpu.avx2=off"}, program)
	if flags, _ := os.ReadFile("/proc/cpuinfo"); bytes.Contains(flags, []byte(" bmi2 ")) && bytes.Contains(flags, []byte(" fma ")) {
		same("GOAMD64=v3", nil, buildFor(t, "GOARCH=amd64", "GOAMD64=v3"))
	} else {
		t.Log("without GOAMD64=v3: this processor is none")
	}
	if qemu, err := exec.LookPath("qemu-aarch64-static"); err == nil {
		same("arm64", nil, qemu, buildFor(t, "GOARCH=arm64"))
	} else {
		t.Log("without arm64: qemu-aarch64-static is not installed")
	}
}
