package method

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
	"tenfold/io/files"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/process"
)

// drawn rows of ones at random columns, with responses.
func drawn(b *testing.B, rows, columns, each int) *data.View {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var x sparse.Builder
	y := make([]float64, rows)
	step := columns / each
	for i := range rows {
		on, values := make([]int32, each), make([]float64, each)
		for k := range on {
			on[k], values[k] = int32(k*step+r.IntN(step)), r.NormFloat64()
		}
		if err := x.Add(on, values); err != nil {
			b.Fatal(err)
		}
		y[i] = r.NormFloat64()
	}
	set := enginetest.Dataset(x.Matrix(columns), data.Target{Name: "y", Type: data.Real, Values: y})
	p, err := prepare.Recipe{}.Fit(set, nil)
	if err != nil {
		b.Fatal(err)
	}
	all := make([]int32, rows)
	for i := range all {
		all[i] = int32(i)
	}
	return p.View(all)
}

func benchmarked(b *testing.B, d *declaration.Declaration) Engine {
	b.Helper()
	if err := d.Validate(); err != nil {
		b.Fatal(err)
	}
	h := &Host{Programs: process.Programs{Folder: filepath.Join(b.TempDir(), "exchange"), Log: files.Root(b.TempDir())}}
	b.Cleanup(func() { h.Close() })
	e, err := h.Kind(d).New(func(any) error { return nil })
	if err != nil {
		b.Fatal(err)
	}
	return e.(Engine)
}

func fitOnce(b *testing.B, e Engine, train *data.View, seed uint64) {
	b.Helper()
	m, err := e.Fit(context.Background(), engines.Run{Train: train, Rand: rand.New(rand.NewPCG(1, seed)), Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	engines.Close(m)
}

const answering = `printf '{"coefficients": []}' > "$1/fitted.json"; echo fitted`

// BenchmarkShell is a fit of a shell that answers at once; BenchmarkShellAlone is the shell by itself, as started from Go. What the
// first takes beyond the second is what a fit costs besides its process.
func BenchmarkShell(b *testing.B) {
	train := drawn(b, 1000, 100, 10)
	d := declaration.Defaults()
	d.Name, d.Command, d.Output, d.Folder = "shell", []string{"sh", "-c", answering, "sh"}, []string{declaration.Coefficients}, b.TempDir()
	e := benchmarked(b, &d)
	for b.Loop() {
		fitOnce(b, e, train, 1)
	}
}

func BenchmarkShellAlone(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		if out, err := exec.Command("sh", "-c", answering, "sh", dir).Output(); err != nil || string(out) != "fitted\n" {
			b.Fatal(string(out), err)
		}
	}
}

// BenchmarkHandOver writes the files of 10⁶ × 10⁵ training rows with 2·10⁷ entries.
func BenchmarkHandOver(b *testing.B) {
	train := drawn(b, 1e6, 1e5, 20)
	d := declaration.Defaults()
	h := &Host{Programs: process.Programs{Folder: b.TempDir()}}
	for b.Loop() {
		s := &sharedFiles{}
		if err := s.write(h, &d, train); err != nil {
			b.Fatal(err)
		}
		os.RemoveAll(s.folder)
	}
}

// BenchmarkCheck compares these files with what was written, as after each fit; BenchmarkCopy copies them.
func BenchmarkCheck(b *testing.B) {
	train := drawn(b, 1e6, 1e5, 20)
	d := declaration.Defaults()
	s := &sharedFiles{}
	if err := s.write(&Host{Programs: process.Programs{Folder: b.TempDir()}}, &d, train); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := s.checkOriginals(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCopy(b *testing.B) {
	train := drawn(b, 1e6, 1e5, 20)
	d := declaration.Defaults()
	h, s := &Host{Programs: process.Programs{Folder: b.TempDir()}}, &sharedFiles{copied: true}
	if err := s.write(h, &d, train); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		x, err := h.NewFolder("copy")
		if err == nil {
			err = h.handOver(s, x, s.files.Shared()...)
		}
		if err != nil {
			b.Fatal(err)
		}
		os.RemoveAll(x.Path)
	}
}

const trivial = `import numpy as np
def fit(x, y, request):
    return {"coef": x.T @ y / len(y), "intercept": 0.0}
`

// python is the first of two that has SciPy.
func python(b *testing.B) string {
	b.Helper()
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import scipy").Run() == nil {
			return p
		}
	}
	b.Skip("no python3 with SciPy")
	return ""
}

// BenchmarkPythonReuse is 1,000 fits of a few products in Python with reuse: fold, its start among them; BenchmarkPythonAlone is one process
// that loads the same file and makes the same products.
func BenchmarkPythonReuse(b *testing.B) {
	interpreter := python(b)
	train := drawn(b, 1000, 100, 10)
	adapter, err := os.ReadFile("../../adapters/python/tenfold_method.py")
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	for name, text := range map[string]string{"tenfold_method.py": string(adapter), "m.py": trivial + "from tenfold_method import serve\nserve(fit)\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	d := declaration.Defaults()
	d.Name, d.Command, d.Output, d.Folder, d.Reuse = "python", []string{interpreter, "m.py"}, []string{declaration.Coefficients}, dir, reuseFold
	for b.Loop() {
		e := benchmarked(b, &d)
		for k := range 1000 {
			fitOnce(b, e, train, uint64(k))
		}
		if err := e.host.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPythonAlone(b *testing.B) {
	interpreter := python(b)
	train := drawn(b, 1000, 100, 10)
	d := declaration.Defaults()
	s := &sharedFiles{}
	if err := s.write(&Host{Programs: process.Programs{Folder: b.TempDir()}}, &d, train); err != nil {
		b.Fatal(err)
	}
	load := fmt.Sprintf("import scipy.sparse\nx, y = scipy.sparse.load_npz(%q), np.load(%q)\n", filepath.Join(s.folder, s.files.Train), filepath.Join(s.folder, s.files.Response))
	for b.Loop() {
		if out, err := exec.Command(interpreter, "-c", trivial+load+"for _ in range(1000): fit(x, y, None)\n").CombinedOutput(); err != nil {
			b.Fatal(string(out), err)
		}
	}
}
