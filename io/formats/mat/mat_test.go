package mat

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/formats/tabular"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

var defaults = Kind.Defaults().(Mat)

// with other variables; "" leaves the default.
func with(x, y, target string) Mat {
	m := defaults
	if x != "" {
		m.Variables.X = x
	}
	if y != "" {
		m.Variables.Y = y
	}
	m.Target.Name = target
	return m
}

func fixture(tb testing.TB, name string) string {
	tb.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return string(content)
}

// rowsOf a data set, dense.
func TestTableOfSamples(t *testing.T) {
	t.Parallel()
	m := defaults
	m.Variables.Y, m.Variables.IDs, m.Target.Column = "", "long", "kind"
	m.Join = tabular.Joins{{File: source.Ref{Path: "x"}, By: "id", Header: true, Unmatched: "drop"}}
	d := sourcetest.MustLoad(t, m, map[string]string{"all": fixture(t, "plain.mat"), "join": "id,kind\n1,u\n0,v\n-3,u\n"})
	if got := fmt.Sprint(d.IDs, sourcetest.Levels(d.Targets[0])); got != "[-3 0 1]u 2, v 1" {
		t.Error(got)
	}
	m.Variables.IDs = "row"
	if _, err := sourcetest.Load(m, map[string]string{"all": fixture(t, "plain.mat"), "join": "id,kind\n1,u\n"}); err == nil || !strings.Contains(err.Error(), "variables.ids: row has ") {
		t.Errorf("ids twice: %v", err)
	}
}

func rowsOf(d *data.Dataset) string {
	rows, columns := d.X.Dims()
	out := make([]string, rows)
	for i := range out {
		dense := make([]float64, columns)
		d.X.Row(i).AddTo(dense, 1)
		out[i] = strings.Trim(fmt.Sprint(dense), "[]")
	}
	return strings.Join(out, "; ")
}

// What SciPy 1.10 wrote, with and without compression (testdata/make.py).
func TestReadsSciPy(t *testing.T) {
	const (
		x     = "1 0 -2.5; 0 3 0; 4 0 0.001; 0 0 7"
		whole = "1 0 -2; 0 3 0; 4 0 0; 0 0 7"
		truth = "1 0 0; 0 1 0; 1 0 1; 0 0 1"
	)
	across := with("T", "", "")
	across.Samples = byColumns
	named := with("", "", "class")
	named.Variables.Names, named.Variables.Groups = "names", "row"
	for _, file := range []string{"plain.mat", "compressed.mat"} {
		content := map[string]string{"all": fixture(t, file)}
		for _, c := range []struct {
			m       Mat
			rows, y string
		}{
			{defaults, x, "1 2 1 3"}, {with("S", "row", ""), x, "1 2 1 3"}, {across, x, "1 2 1 3"},
			{with("whole", "", ""), whole, "1 2 1 3"}, {with("single", "long", ""), "1 0 -2.5; 0 3 0; 4 0 0.0010000000474974513; 0 0 7", "1.099511627776e+12 -3 0 1"},
			{with("small", "", ""), "1 0 254; 0 3 0; 4 0 0; 0 0 7", "1 2 1 3"},
			{with("B", "yes", ""), truth, "1 0 0 1"}, {with("SB", "yes", "class"), truth, "0 2, 1 2"},
			{with("", "", "class"), x, "1 2, 2 1, 3 1"}, {with("", "labels", "class"), x, "no 2, yes 2"}, {with("", "chars", "class"), x, "ab 2, c 1, d 1"},
			{named, x, "1 2, 2 1, 3 1"},
		} {
			d := sourcetest.MustLoad(t, c.m, content)
			y := strings.Trim(fmt.Sprint(d.Targets[0].Values), "[]")
			if d.Targets[0].Type == data.Class {
				y = sourcetest.Levels(d.Targets[0])
			}
			if got := rowsOf(d); got != c.rows || y != c.y || d.Targets[0].Name != c.m.Variables.Y {
				t.Errorf("%s, %+v: rows %s, %s %s", file, c.m.Variables, got, d.Targets[0].Name, y)
			}
		}
		d := sourcetest.MustLoad(t, named, content)
		if got := fmt.Sprint(d.Features.Name(0), ", ", d.Features.Name(1), ", ", d.Features.Name(2)); got != "gene a, gène b, 遺伝子" || d.Groups == nil {
			t.Errorf("columns %s, groups %v", got, d.Groups)
		}
		d = sourcetest.MustLoad(t, with("", "two", ""), content)
		if len(d.Targets) != 2 || d.Targets[1].Name != "two2" || fmt.Sprint(d.Targets[1].Values) != "[5 6 7 8]" {
			t.Errorf("targets %+v", d.Targets)
		}
		parts := sourcetest.MustLoad(t, defaults, map[string]string{"train": content["all"], "test": content["all"]})
		if rowsOf(parts) != x+"; "+x || parts.Part[3] != 0 || parts.Part[4] != 1 || len(parts.Targets[0].Values) != 8 {
			t.Errorf("two files: %s", rowsOf(parts))
		}
	}
}

func TestTimesAndEvents(t *testing.T) {
	f := small(binary.LittleEndian, true, false)
	f.add(f.matrix("ends", doubleClass, []int32{2, 2}, f.tagged(miDOUBLE, f.pack([]float64{2.5, 7, 0, 1}))), true)
	f.add(f.matrix("bad", doubleClass, []int32{2, 2}, f.tagged(miDOUBLE, f.pack([]float64{2.5, 7, 0, 3}))), true)
	content := map[string]string{"all": string(f.bytes)}
	d := sourcetest.MustLoad(t, with("", "ends", "survival"), content)
	if target := d.Targets[0]; target.Type != data.Survival || fmt.Sprint(target.Values, target.Events) != "[2.5 7] [0 1]" {
		t.Errorf("%+v", target)
	}
	for y, want := range map[string]string{"bad": "row 2: found 3, expected 1 for an event or 0", "Y": "expected two columns of numbers"} {
		if _, err := sourcetest.Load(with("", y, "survival"), content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", y, err)
		}
	}
}

// file is a MAT-file that the test writes, of either order of bytes.
type file struct {
	order binary.ByteOrder
	bytes []byte
}

func newFile(order binary.ByteOrder) *file {
	f := &file{order, append(bytes.Repeat([]byte(" "), 116), make([]byte, 12)...)}
	copy(f.bytes, "MATLAB 5.0 MAT-file, by a test")
	order.PutUint16(f.bytes[124:], 0x0100)
	order.PutUint16(f.bytes[126:], 'M'<<8|'I')
	return f
}

// tagged is an element: a small one where it fits.
func (f *file) tagged(kind uint32, body []byte) []byte {
	if n := len(body); n > 0 && n <= 4 && kind < miMATRIX {
		out := make([]byte, 8)
		f.order.PutUint32(out, uint32(n)<<16|kind)
		copy(out[4:], body)
		return out
	}
	out := make([]byte, 8)
	f.order.PutUint32(out, kind)
	f.order.PutUint32(out[4:], uint32(len(body)))
	out = append(out, body...)
	for kind != miCOMPRESSED && len(out)%8 > 0 {
		out = append(out, 0)
	}
	return out
}

func (f *file) pack(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, f.order, v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// matrix is an array with the elements of its content.
func (f *file) matrix(name string, class uint32, shape []int32, content ...[]byte) []byte {
	body := slices.Concat(f.tagged(miUINT32, f.pack(class, uint32(0))), f.tagged(miINT32, f.pack(shape)), f.tagged(miINT8, []byte(name)))
	return f.tagged(miMATRIX, append(body, slices.Concat(content...)...))
}

// add a variable, compressed or not.
func (f *file) add(matrix []byte, compressed bool) *file {
	if !compressed {
		f.bytes = append(f.bytes, matrix...)
		return f
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(matrix); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	f.bytes = append(f.bytes, f.tagged(miCOMPRESSED, b.Bytes())...)
	return f
}

// small is a matrix of two rows and targets, in any order of bytes, sparse or full.
func small(order binary.ByteOrder, compressed, sparse bool) *file {
	f := newFile(order)
	if sparse {
		f.add(f.matrix("X", sparseClass, []int32{2, 3}, f.tagged(miINT32, f.pack([]int32{0, 1, 0})), f.tagged(miINT32, f.pack([]int32{0, 1, 2, 3})), f.tagged(miDOUBLE, f.pack([]float64{1, 2, 0.5}))), compressed)
	} else {
		f.add(f.matrix("X", doubleClass, []int32{2, 3}, f.tagged(miDOUBLE, f.pack([]float64{1, 0, 0, 2, 0.5, 0}))), compressed)
	}
	return f.add(f.matrix("Y", doubleClass, []int32{1, 2}, f.tagged(miUINT8, []byte{1, 2})), compressed)
}

func TestOrdersOfBytes(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, compressed := range []bool{false, true} {
			for _, sparse := range []bool{false, true} {
				d := sourcetest.MustLoad(t, defaults, map[string]string{"all": string(small(order, compressed, sparse).bytes)})
				if got := rowsOf(d); got != "1 0 0.5; 0 2 0" || fmt.Sprint(d.Targets[0].Values) != "[1 2]" {
					t.Errorf("%v, compressed %v, sparse %v: %s, %v", order, compressed, sparse, got, d.Targets[0].Values)
				}
			}
			f := newFile(order)
			for k, of := range []struct {
				class, kind uint32
				values      any
			}{
				{int8Class, miINT8, []int8{-1, 2}}, {uint8Class, miUINT8, []uint8{200, 2}}, {int16Class, miINT16, []int16{-300, 2}}, {uint16Class, miUINT16, []uint16{60000, 2}},
				{int32Class, miINT32, []int32{-70000, 2}}, {uint32Class, miUINT32, []uint32{1 << 31, 2}}, {singleClass, miSINGLE, []float32{0.5, 2}},
				{int64Class, miINT64, []int64{-1 << 40, 2}}, {uint64Class, miUINT64, []uint64{1 << 50, 2}}, {doubleClass, miDOUBLE, []float64{1e300, 2}},
			} {
				f.add(f.matrix(fmt.Sprint("v", k), of.class, []int32{2, 1}, f.tagged(of.kind, f.pack(of.values))), compressed)
			}
			var got []string
			for k := range 10 {
				d := sourcetest.MustLoad(t, with(fmt.Sprint("v", k), fmt.Sprint("v", k), ""), map[string]string{"all": string(f.bytes)})
				got = append(got, fmt.Sprint(d.Targets[0].Values[0]))
			}
			if all := strings.Join(got, " "); all != "-1 200 -300 60000 -70000 2.147483648e+09 0.5 -1.099511627776e+12 1.125899906842624e+15 1e+300" {
				t.Errorf("%v: %s", order, all)
			}
		}
	}
}

// A sparse matrix has the samples of a full one, be they its rows or its columns, and as little may be infinite.
func TestSparseIsFull(t *testing.T) {
	for _, last := range []float64{4, math.Inf(1)} {
		f := newFile(binary.LittleEndian)
		f.add(f.matrix("S", sparseClass, []int32{2, 2}, f.tagged(miINT32, f.pack([]int32{0, 0, 1})), f.tagged(miINT32, f.pack([]int32{0, 1, 3})), f.tagged(miDOUBLE, f.pack([]float64{1, 3, last}))), false)
		f.add(f.matrix("F", doubleClass, []int32{2, 2}, f.tagged(miDOUBLE, f.pack([]float64{1, 0, 3, last}))), false)
		f.add(f.matrix("Y", doubleClass, []int32{1, 2}, f.tagged(miUINT8, []byte{1, 2})), false)
		for _, samples := range []string{byRows, byColumns} {
			var said []string
			for _, name := range []string{"S", "F"} {
				m := with(name, "", "")
				m.Samples = samples
				d, err := sourcetest.Load(m, map[string]string{"all": string(f.bytes)})
				if err != nil {
					said = append(said, strings.ReplaceAll(err.Error(), "variable "+name, "variable"))
				} else {
					said = append(said, rowsOf(d))
				}
			}
			if said[0] != said[1] || (last == 4) != (said[0] == map[string]string{byRows: "1 3; 0 4", byColumns: "1 0; 3 4"}[samples]) {
				t.Errorf("%v, samples in %s: %q", last, samples, said)
			}
		}
	}
}

func TestTexts(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		f := small(order, true, false)
		cell := func(kind uint32, letters int32, units any) []byte {
			return f.matrix("", charClass, []int32{1, letters}, f.tagged(kind, f.pack(units)))
		}
		f.add(f.matrix("names", cellClass, []int32{1, 3}, cell(miUTF8, 2, []byte("gè")), cell(miUTF16, 2, []uint16{'a', 0x6f22}), cell(miUTF32, 1, []uint32{0x1f600})), true)
		f.add(f.matrix("chars", charClass, []int32{3, 2}, f.tagged(miUINT16, f.pack([]uint16{'a', 'b', 'c', 'x', ' ', 0}))), false)
		f.add(f.matrix("empty", cellClass, []int32{3, 1}, f.matrix("", doubleClass, []int32{0, 0}, f.tagged(miDOUBLE, nil)), f.matrix("", charClass, []int32{0, 0}, f.tagged(miUTF8, nil)), cell(miUINT8, 1, []byte("q"))), true)
		for name, want := range map[string]string{"names": "gè|a漢|😀", "chars": "ax|b|c"} {
			m := defaults
			m.Variables.Names = name
			d := sourcetest.MustLoad(t, m, map[string]string{"all": string(f.bytes)})
			if got := d.Features.Name(0) + "|" + d.Features.Name(1) + "|" + d.Features.Name(2); got != want {
				t.Errorf("%s: %s", name, got)
			}
		}
		m := defaults
		m.Variables.Names = "empty"
		if _, err := sourcetest.Load(m, map[string]string{"all": string(f.bytes)}); err == nil || !strings.Contains(err.Error(), `the name "" is that of columns 1 and 2`) {
			t.Errorf("equal names: %v", err)
		}
	}
}

func TestRefuses(t *testing.T) {
	scipy := fixture(t, "compressed.mat")
	le := func() *file { return newFile(binary.LittleEndian) }
	one := func(matrix func(f *file) []byte) string {
		f := le()
		f.add(matrix(f), false)
		return string(f.add(f.matrix("Y", doubleClass, []int32{1, 2}, f.tagged(miUINT8, []byte{1, 2})), false).bytes)
	}
	sparse := func(rows, begins []int32) string {
		return one(func(f *file) []byte {
			return f.matrix("X", sparseClass, []int32{2, 2}, f.tagged(miINT32, f.pack(rows)), f.tagged(miINT32, f.pack(begins)), f.tagged(miDOUBLE, f.pack([]float64{1, 2})))
		})
	}
	hdf := "MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00" + strings.Repeat(" ", 500)
	grouped, names, cells := defaults, defaults, defaults
	grouped.Variables.Groups, names.Variables.Names, cells.Variables.Names = "two", "Y", "N"
	turned := with("T", "", "")
	bad := string(small(binary.LittleEndian, true, false).bytes)
	for _, c := range []struct {
		name, content, want string
		m                   Mat
	}{
		{"version 7.3", hdf, "all: a MAT-file of version 7.3, which is HDF5, expected version 5 to 7: save it again with save('-v7', ...), or scipy.io.savemat", defaults},
		{"version 4", fixture(t, "version4.mat"), "all: a MAT-file of version 4, expected version 5 to 7", defaults},
		{"short", "MATLAB 5.0", "all: 10 bytes, expected a MAT-file of version 5, whose header alone has 128", defaults},
		{"a text", strings.Repeat("a,b\n", 99), `all: bytes 126 and 127 are "b\n", expected MI or IM`, defaults},
		{"another name", scipy, `all: no variable "x"; did you mean "X"? (variables: X (4 × 3 double), S (4 × 3 sparse), T (3 × 4 double)`, with("x", "", "")},
		{"no targets", scipy, `all: no variable "target" (variables: `, with("", "target", "")},
		{"complex", scipy, "all: variable C: 4 × 3 complex double, expected a matrix of real numbers, rows × columns", with("C", "", "")},
		{"a struct", scipy, "all: variable struct: 1 × 1 struct, expected a matrix of real numbers", with("struct", "", "")},
		{"empty", scipy, "all: variable empty: 0 × 0 double, expected at least one row and one column", with("empty", "", "")},
		{"across", scipy, "all: variable Y: 4 × 1 double, expected a value for each of 3 samples of T (3 × 4 double); where samples are columns of the matrix, say samples: columns", turned},
		{"texts for numbers", scipy, "all: variable labels: texts, expected numbers; target: class reads them as classes", with("", "labels", "")},
		{"two groups", scipy, "all: variable two: 4 × 2 int64, expected one value for each of 4 samples", grouped},
		{"names of numbers", scipy, "all: variable Y: 4 × 1 double, expected a char array of a row each, or a cell array of texts", names},
		{"cut", bad[:len(bad)-3], "all: at byte ", defaults},
		{"not finite", one(func(f *file) []byte {
			return f.matrix("X", doubleClass, []int32{2, 1}, f.tagged(miDOUBLE, f.pack([]float64{1, math.Inf(1)})))
		}), "all: variable X: row 2, column 1: value +Inf, expected a finite number, or NaN where it is missing", defaults},
		{"names of which one is no text", one(func(f *file) []byte {
			text := f.matrix("", charClass, []int32{1, 1}, f.tagged(miUTF8, []byte("a")))
			number := f.matrix("", doubleClass, []int32{1, 1}, f.tagged(miUINT8, []byte{1}))
			x := f.matrix("X", doubleClass, []int32{2, 2}, f.tagged(miUINT8, []byte{1, 2, 3, 4}))
			return append(x, f.matrix("N", cellClass, []int32{1, 2}, text, number)...)
		}), "all: variable N: cell 2: 1 × 1 double, expected a row of char", cells},
		{"few values", one(func(f *file) []byte {
			return f.matrix("X", doubleClass, []int32{2, 2}, f.tagged(miDOUBLE, f.pack([]float64{1, 2})))
		}), "all: variable X: its values: 2 numbers, expected 4", defaults},
		{"huge", one(func(f *file) []byte { return f.matrix("X", doubleClass, []int32{1 << 20, 1 << 20}) }), "all: at byte 128: dimensions [1048576 1048576], expected less than 2³¹ elements", defaults},
		{"huge and sparse", one(func(f *file) []byte {
			return f.matrix("X", sparseClass, []int32{1 << 30, 1 << 30}, f.tagged(miINT32, nil), f.tagged(miINT32, nil), f.tagged(miDOUBLE, nil))
		}), "columns, expected at most", defaults},
		{"rows that fall", sparse([]int32{1, 0}, []int32{0, 2, 2}), "all: variable X: column 1 has an entry in row 1, expected one from 3 to 2", defaults},
		{"a row too many", sparse([]int32{0, 2}, []int32{0, 1, 2}), "all: variable X: column 2 has an entry in row 3, expected one from 1 to 2", defaults},
		{"columns that fall", sparse([]int32{0, 1}, []int32{0, 2, 1}), "all: variable X: column 3 begins at entry 1, expected a number from 2 to 2", defaults},
	} {
		if _, err := sourcetest.Load(c.m, map[string]string{"all": c.content}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	damaged := []byte(bad)
	damaged[len(damaged)-10] ^= 0x55
	if _, err := sourcetest.Load(defaults, map[string]string{"all": string(damaged)}); err == nil {
		t.Error("damage in a compressed variable is not noticed")
	}
}

func lookAt(content string) ([]source.Array, error) {
	sight, err := defaults.Look(context.Background(), sourcetest.Input(map[string]string{"all": content}))
	return sight.Arrays, err
}

// What can be a matrix, targets or names is listed, with its values; a file that is none is an error.
func TestLook(t *testing.T) {
	found, err := lookAt(fixture(t, "compressed.mat"))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{}
	for _, v := range found {
		if err := v.Each(func(text string) { values[v.Member] = append(values[v.Member], text) }); err != nil {
			t.Error(err)
		}
	}
	for name, n := range map[string]int{"X": 12, "S": 12, "Y": 4, "labels": 4, "C": 0, "struct": 0} {
		if len(values[name]) != n {
			t.Errorf("%s: values %q, expected %d", name, values[name], n)
		}
	}
	if !slices.Equal(values["S"], values["X"]) {
		t.Errorf("of a sparse matrix %q, of the same with its zeros %q", values["S"], values["X"])
	}
	if _, err := lookAt("MATLAB 5.0"); err == nil {
		t.Error("what is no file is looked into")
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*Mat){
		"variables.x": func(m *Mat) { m.Variables.X = "" }, "variables.y": func(m *Mat) { m.Variables.Y = "" },
		"samples": func(m *Mat) { m.Samples = "both" }, "target.column": func(m *Mat) { m.Target.Column = "Y" },
	} {
		m := defaults
		change(&m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// The files in which the field exchanges its benchmarks, against counts that were made by SciPy.
func TestBenchmarks(t *testing.T) {
	folder := os.Getenv("TENFOLD_DATA")
	if folder == "" {
		t.Skip("TENFOLD_DATA is not set")
	}
	for _, c := range []struct {
		name                   string
		rows, columns, entries int
		levels                 string
	}{
		{"ALLAML", 72, 7129, 513271, "1 47, 2 25"},
		{"BASEHOCK", 1993, 4862, 134253, "1 994, 2 999"},
		{"GLIOMA", 50, 4434, 221700, "1 14, 2 7, 3 14, 4 15"},
		{"Isolet", 1560, 617, 959173, ""},
		{"PCMAC", 1943, 3289, 93185, "1 982, 2 961"},
		{"arcene", 200, 10000, 1087539, "-1 112, 1 88"},
		{"colon", 62, 2000, 72446, "-1 40, 1 22"},
		{"leukemia", 72, 7070, 286715, "-1 47, 1 25"},
		{"lung_small", 73, 325, 14813, "1 6, 2 5, 3 5, 4 16, 5 7, 6 13, 7 21"},
		{"lymphoma", 96, 4026, 232240, "1 46, 2 10, 3 9, 4 11, 5 6, 6 6, 7 4, 8 2, 9 2"},
		{"madelon", 2600, 500, 1299999, "-1 1300, 1 1300"},
		{"nci9", 60, 9712, 293047, "1 9, 2 9, 3 8, 4 5, 5 7, 6 6, 7 8, 8 6, 9 2"},
		{"warpPIE10P", 210, 2420, 507732, ""},
	} {
		content, err := os.ReadFile(filepath.Join(folder, "selection-benchmarks", c.name+".mat"))
		if os.IsNotExist(err) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		d := sourcetest.MustLoad(t, with("", "", "class"), map[string]string{"all": string(content)})
		rows, columns := d.X.Dims()
		if levels := sourcetest.Levels(d.Targets[0]); rows != c.rows || columns != c.columns || d.X.NNZ() != c.entries || c.levels != "" && levels != c.levels {
			t.Errorf("%s: %d × %d, %d entries, classes %s", c.name, rows, columns, d.X.NNZ(), levels)
		}
	}
}

func FuzzMat(f *testing.F) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, compressed := range []bool{false, true} {
			f.Add(string(small(order, compressed, true).bytes))
			f.Add(string(small(order, compressed, false).bytes))
		}
	}
	named := newFile(binary.LittleEndian)
	named.add(named.matrix("X", doubleClass, []int32{1, 1}, named.tagged(miUINT8, []byte{7})), false)
	named.add(named.matrix("Y", cellClass, []int32{1, 1}, named.matrix("", charClass, []int32{1, 2}, named.tagged(miUTF8, []byte("ab")))), false)
	f.Add(string(named.bytes))
	labelled := with("", "", "class")
	labelled.Variables.Names = "Y"
	across := defaults
	across.Samples = byColumns
	f.Fuzz(func(t *testing.T, content string) {
		for _, m := range []Mat{defaults, labelled, across, {Variables: Variables{X: "X", Y: "X", Groups: "Y"}, Samples: byRows, Described: tabular.Described{Target: source.Response{Target: source.Target{Name: "class"}}}}} {
			sourcetest.Fuzz(t, m, map[string]string{"all": content})
		}
		if found, err := lookAt(content); err == nil {
			for _, v := range found {
				_ = v.Each(func(string) {}) // no panic is all that is asked
			}
		}
	})
}
