package npz

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/numeric/sparse"
	"tenfold/io/host/hosttest"
)

func randomMatrix(t *testing.T, rows, columns int, share float64) *sparse.Matrix {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	ptr, idx, val := []int{0}, []int32{}, []float64{}
	for range rows {
		for j := range columns {
			if r.Float64() < share {
				idx, val = append(idx, int32(j)), append(val, r.NormFloat64())
			}
		}
		ptr = append(ptr, len(idx))
	}
	return sparse.New(columns, ptr, idx, val)
}

// An array of columns is read by rows, and one of version 2 or 3 as one of version 1.
func TestReadArray(t *testing.T) {
	rows := npy("<f8", []float64{1, 2, 3, 4, 5, 6}, 2, 3)
	version := func(n string) string { return rows[:6] + n + "\x00" + rows[8:10] + "\x00\x00" + rows[10:] }
	for name, content := range map[string]string{"rows": rows, "columns": npyOrder("<f8", "True", []float64{1, 4, 2, 5, 3, 6}, 2, 3), "version 2": version("\x02"), "version 3": version("\x03")} {
		shape, values, err := ReadArray("a.npy", []byte(content))
		if err != nil || !slices.Equal(shape, []int{2, 3}) || !slices.Equal(values, []float64{1, 2, 3, 4, 5, 6}) {
			t.Errorf("%s: %v %v %v", name, shape, values, err)
		}
	}
}

// TestWritten: what is written is read again to the last bit, by this package, and by SciPy where it is there.
func TestWritten(t *testing.T) {
	t.Parallel()
	x := randomMatrix(t, 37, 11, 0.3)
	var dense, packed bytes.Buffer
	if err := WriteDense(&dense, x); err != nil {
		t.Fatal(err)
	}
	if err := WriteSparse(&packed, x); err != nil {
		t.Fatal(err)
	}
	if at := bytes.IndexByte(dense.Bytes(), '\n') + 1; at%64 != 0 {
		t.Errorf("values begin at byte %d, expected a multiple of 64", at)
	}
	shape, values, err := ReadArray("dense.npy", dense.Bytes())
	if err != nil || !slices.Equal(shape, []int{37, 11}) {
		t.Fatal(shape, err)
	}
	for i := range 37 {
		row := make([]float64, 11)
		for k, j := range x.Row(i).Idx {
			row[j] = x.Row(i).At(k)
		}
		if !slices.Equal(row, values[11*i:11*i+11]) {
			t.Fatalf("row %d: %v, written %v", i, values[11*i:11*i+11], row)
		}
	}
	var market bytes.Buffer
	if err := WriteMarketArray(&market, values, 37, 11); err != nil {
		t.Fatal(err)
	}
	if shape, again, err := ReadMarketArray("a.mtx", market.Bytes()); err != nil || !slices.Equal(shape, []int{37, 11}) || !slices.Equal(again, values) {
		t.Fatalf("%v %v", shape, err)
	}
	for text, want := range map[string]string{
		"1 2\n": "a.mtx: expected a first line", "%%MatrixMarket matrix array real general\n2\n": `found "2"`,
		"%%MatrixMarket matrix array real general\n2 1\n1\n": "1 values, expected 2", "%%MatrixMarket matrix array real general\n1 1\nx\n": `value 1: found "x"`,
		"%%MatrixMarket matrix array real general\n1 1\n1\n2\n": `found "2" after 1 values`, "%%MatrixMarket matrix array real general\n1000000 1000000\n": "expected the numbers",
	} {
		if _, _, err := ReadMarketArray("a.mtx", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
	python := hosttest.Find(t, "Python with SciPy, which reads what is written", []string{"-c", "import scipy.sparse"}, "python3", "/usr/bin/python3")
	dir := t.TempDir()
	for name, content := range map[string][]byte{"d.npy": dense.Bytes(), "s.npz": packed.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(python, "-c", "import numpy, scipy.sparse as s; d = numpy.load('d.npy'); x = s.load_npz('s.npz'); print(x.format, x.shape, (x.toarray() == d).all())")
	run.Dir = dir
	out, err := run.CombinedOutput()
	if strings.TrimSpace(string(out)) != "csr (37, 11) True" {
		t.Fatalf("%s: %v", out, err)
	}
}
