package npz

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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

// show writes the columns as text: rows end with a semicolon.
// targeted reads a target.
func targeted(t source.Target) NPZ {
	return NPZ{tabular.Described{Target: source.Response{Target: t}}}
}

// Rows without targets beside them get these, and more columns, from a table of samples.
func TestTableOfSamples(t *testing.T) {
	t.Parallel()
	n := NPZ{tabular.Described{
		Target: source.Response{Target: source.Target{Column: "type"}}, Columns: tabular.DescribedColumns{Group: "patient", Categorical: []string{"sex"}},
		Join: tabular.Joins{{File: source.Ref{Path: "x"}, By: "cell", Features: []string{"age"}, Header: true, Unmatched: "drop"}},
	}}
	table := "cell,type,patient,sex,age\nc3,T,p1,F,30\nc1,B,p2,M,10\nc9,T,p1,F,9\n"
	for _, ids := range []string{"c1\nc2\nc3\n", npy("|S2", []byte("c1c2c3"), 3)} {
		d := sourcetest.MustLoad(t, n, map[string]string{"all": npy("<f8", []float64{1, 2, 3, 4, 5, 6}, 3, 2), "ids": ids, "join": table})
		if got := fmt.Sprintln(d.IDs, d.X.Row(1).Idx, d.X.Row(1).Val, d.Groups.Name, d.Features.Name(2), d.Features.Name(4)); got != "[c1 c3] [0 1 2 4] [5 6 1 30] patient sex=F age\n" || sourcetest.Levels(d.Targets[0]) != "B 1, T 1" {
			t.Errorf("%s %s", got, sourcetest.Levels(d.Targets[0]))
		}
	}
	if _, err := sourcetest.Load(targeted(source.Target{}), map[string]string{"all": npy("<f8", []float64{1, 2}, 2, 1), "all_y": npy("<f8", []float64{1, 2}, 2), "ids": "a\na\n"}); err == nil || !strings.Contains(err.Error(), `ids:2: the name "a" stands on line 1 already`) {
		t.Errorf("ids twice: %v", err)
	}
}

func show(d *data.Dataset) string {
	var b strings.Builder
	for i := range d.Rows() {
		row := d.X.Row(i)
		for k, j := range row.Idx {
			fmt.Fprintf(&b, "%d:%v ", j, row.At(k))
		}
		b.WriteByte(';')
	}
	return b.String()
}

var (
	small = csr(3, 4, []int32{0, 2, 2, 3}, []int32{0, 3, 1}, []float32{1, 1, 1})
	real3 = npy("<f8", []float64{1, 2.5, -3}, 3)
)

func TestColumns(t *testing.T) {
	for _, c := range []struct {
		name, file, want string
		binary           bool
	}{
		{name: "ones", file: small.zip(zip.Store), want: "0:1 3:1 ;;1:1 ;", binary: true},
		{name: "deflated", file: small.zip(zip.Deflate), want: "0:1 3:1 ;;1:1 ;", binary: true},
		{name: "values", file: small.with("data.npy", npy("<f4", []float32{1, 0.5, -2}, 3)).zip(zip.Store), want: "0:1 3:0.5 ;;1:-2 ;"},
		{name: "doubles", file: small.with("data.npy", npy("<f8", []float64{1, 0.1, -2}, 3)).zip(zip.Store), want: "0:1 3:0.1 ;;1:-2 ;"},
		{name: "integers", file: small.with("data.npy", npy("<i8", []int64{1, 7, -2}, 3)).zip(zip.Store), want: "0:1 3:7 ;;1:-2 ;"},
		{name: "bytes", file: small.with("data.npy", npy("|u1", []byte{1, 7, 255}, 3)).zip(zip.Store), want: "0:1 3:7 ;;1:255 ;"},
		{name: "booleans", file: small.with("data.npy", npy("|b1", []byte{1, 1, 1}, 3)).zip(zip.Store), want: "0:1 3:1 ;;1:1 ;", binary: true},
		{name: "integer ones", file: small.with("data.npy", npy("<i4", []int32{1, 1, 1}, 3)).zip(zip.Store), want: "0:1 3:1 ;;1:1 ;", binary: true},
		{name: "long indices", file: small.with("indices.npy", npy("<i8", []int64{0, 3, 1}, 3)).with("indptr.npy", npy("<i8", []int64{0, 2, 2, 3}, 4)).zip(zip.Store), want: "0:1 3:1 ;;1:1 ;", binary: true},
		{name: "stored zeros", file: small.with("data.npy", npy("<f4", []float32{0, 5, 0}, 3)).zip(zip.Store), want: "3:5 ;;;"},
		{name: "room after the last row", file: small.with("indptr.npy", npy("<i4", []int32{0, 2, 2, 2}, 4)).zip(zip.Store), want: "0:1 3:1 ;;;", binary: true},
		{name: "not rising", file: small.with("indices.npy", npy("<i4", []int32{3, 0, 1}, 3)).zip(zip.Store), want: "0:1 3:1 ;;1:1 ;", binary: true},
		{name: "not rising, with values", file: small.with("indices.npy", npy("<i4", []int32{3, 0, 1}, 3)).with("data.npy", npy("<f4", []float32{30, 10, 5}, 3)).zip(zip.Store), want: "0:10 3:30 ;;1:5 ;"},
		{name: "by column", file: csr(3, 4, []int32{0, 1, 2, 2, 3}, []int32{0, 2, 0}, []float32{1, 5, 2}).with("format.npy", npy("|S3", []byte("csc"))).zip(zip.Store), want: "0:1 3:2 ;;1:5 ;"},
		{name: "by column, rows not rising", file: csr(3, 4, []int32{0, 3, 3, 3, 3}, []int32{2, 0, 1}, []float32{1, 1, 1}).with("format.npy", npy("|S3", []byte("csc"))).zip(zip.Store), want: "0:1 ;0:1 ;0:1 ;", binary: true},
		{name: "format of wide characters", file: small.with("format.npy", npy("<U3", []byte("c\x00\x00\x00s\x00\x00\x00r\x00\x00\x00"))).zip(zip.Store), want: "0:1 3:1 ;;1:1 ;", binary: true},
		{name: "dense", file: npy("<f8", []float64{1, 0, 2.5, 0, 0, 3}, 3, 2), want: "0:1 ;0:2.5 ;1:3 ;"},
		{name: "dense by column", file: npyOrder("<f4", "True", []float32{1, 2.5, 0, 0, 0, 3}, 3, 2), want: "0:1 ;0:2.5 ;1:3 ;"},
		{name: "dense of zeros and ones", file: npy("|u1", []byte{1, 0, 0, 0, 0, 1}, 3, 2), want: "0:1 ;;1:1 ;", binary: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := sourcetest.Load(NPZ{}, map[string]string{"all": c.file, "all_y": real3})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(d); got != c.want || d.X.Binary() != c.binary {
				t.Errorf("got %s, binary %v, want %s, %v", got, d.X.Binary(), c.want, c.binary)
			}
			if d.Features.Name(1) != "1" || !slices.Equal(d.Targets[0].Values, []float64{1, 2.5, -3}) {
				t.Errorf("got name %q, targets %v", d.Features.Name(1), d.Targets[0].Values)
			}
		})
	}
}

func TestParts(t *testing.T) {
	values := small.with("data.npy", npy("<f4", []float32{2, 0, 1}, 3)).zip(zip.Store)
	d, err := sourcetest.Load(NPZ{}, map[string]string{
		"train": small.zip(zip.Deflate), "train_y": npy("<f4", []float32{1, 2, 3, 4, 5, 6}, 3, 2),
		"test": values, "test_y": npyOrder("<i8", "True", []int64{7, 8, 9, 10, 11, 12}, 3, 2),
		"names": "\ufeffa\nb\r\nc\r\r\nd\n", "groups": npy("<i4", []int32{-5, 2, -5, 2, 2, 3}, 6),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(d), "0:1 3:1 ;;1:1 ;0:2 ;;1:1 ;"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for k, want := range [][]float64{{1, 3, 5, 7, 8, 9}, {2, 4, 6, 10, 11, 12}} {
		if got := d.Targets[k]; got.Name != fmt.Sprintf("y%d", k) || !slices.Equal(got.Values, want) {
			t.Errorf("target %d: got %+v, want %v", k, got, want)
		}
	}
	if names := fmt.Sprint(d.Features.Name(0), d.Features.Name(1), d.Features.Name(2)); names != "abc" || !slices.Equal(d.Part, []int8{0, 0, 0, 1, 1, 1}) || !slices.Equal(d.Groups.Of, []int32{0, 1, 0, 1, 1, 2}) {
		t.Errorf("got names %q, parts %v, groups %v", names, d.Part, d.Groups.Of)
	}
}

func TestClasses(t *testing.T) {
	d, err := sourcetest.Load(targeted(source.Target{Positive: "-1"}), map[string]string{"all": small.zip(zip.Store), "all_y": npy("<i4", []int32{10, -1, 10}, 3)})
	if err != nil {
		t.Fatal(err)
	}
	y := d.Targets[0]
	if y.Type != data.Class || !slices.Equal(y.Levels, []string{"10", "-1"}) || y.Positive != 1 || !slices.Equal(y.Values, []float64{0, 1, 0}) {
		t.Errorf("got %+v", y)
	}
}

func TestErrors(t *testing.T) {
	i4 := func(v ...int32) string { return npy("<i4", v, len(v)) }
	broken := func(s string, at int) string { return s[:at] + string(s[at]^0x40) + s[at+1:] }
	stored := small.zip(zip.Store)
	for _, c := range []struct {
		name, x, y, want string
		more             map[string]string
		n                NPZ
	}{
		{name: "no targets", x: stored, want: "no file was given for the role all_y"},
		{name: "neither", x: "1 2:3\n", y: real3, want: `all: neither an .npz nor an .npy file: it begins with "1 2:3\n"`},
		{name: "empty", x: "", y: real3, want: "all: neither an .npz nor an .npy file"},
		{name: "cut off", x: stored[:len(stored)/2], y: real3, want: "all: not an .npz file"},
		{name: "damaged", x: broken(stored, strings.Index(stored, "indices.npy")+140), y: real3, want: "all: member indices.npy: zip: checksum error"},
		{name: "no indptr", x: small.with("indptr.npy", "").zip(zip.Store), y: real3, want: "all: no member indptr.npy; expected what scipy.sparse.save_npz writes"},
		{name: "other format", x: small.with("format.npy", npy("|S3", []byte("bsr"))).zip(zip.Store), y: real3, want: `all: format "bsr", expected csr, csc or coo`},
		{name: "other type", x: small.with("data.npy", npy("<c8", []float32{1, 1, 1, 1, 1, 1}, 3)).zip(zip.Store), y: real3, want: "all: data: values of type <c8, expected b1 (bool), i1 to i8"},
		{name: "indices are no integers", x: small.with("indices.npy", npy("<f4", []float32{0, 3, 1}, 3)).zip(zip.Store), y: real3, want: "all: indices: type <f4, shape [3], expected a list of integers"},
		{name: "shape of three", x: small.with("shape.npy", i4(3, 4, 1)).zip(zip.Store), y: real3, want: "all: shape: 3 numbers, expected rows and columns"},
		{name: "negative shape", x: small.with("shape.npy", i4(3, -4)).zip(zip.Store), y: real3, want: "all: shape: 3 × -4, expected"},
		{name: "too many columns", x: small.with("shape.npy", i4(3, 1<<30)).zip(zip.Store), y: real3, want: "all: 1073741824 columns, expected at most 5242880, the most that a file of its size may have here"},
		{name: "no columns", x: npy("<f8", []float64{}, 3, 0), y: real3, want: "all: shape 3 × 0, expected at least one row and one column"},
		{name: "wrong number of rows", x: small.with("shape.npy", i4(4, 4)).zip(zip.Store), y: real3, want: "all: indptr: 4 numbers, expected 5 for 4 rows"},
		{name: "data and indices differ", x: small.with("data.npy", npy("<f4", []float32{1}, 1)).zip(zip.Store), y: real3, want: "all: 1 data for 3 indices"},
		{name: "indptr begins late", x: small.with("indptr.npy", i4(1, 2, 2, 3)).zip(zip.Store), y: real3, want: "all: indptr: it begins with 1, expected 0"},
		{name: "indptr falls", x: small.with("indptr.npy", i4(0, 2, 1, 3)).zip(zip.Store), y: real3, want: "all: indptr: number 2 (from 0) is 1, expected 2 to 3"},
		{name: "indptr too large", x: small.with("indptr.npy", i4(0, 2, 2, 4)).zip(zip.Store), y: real3, want: "all: indptr: number 3 (from 0) is 4, expected 2 to 3"},
		{name: "index too large", x: small.with("indices.npy", i4(0, 3, 4)).zip(zip.Store), y: real3, want: "all: row 2 (from 0): column index 4 outside 0..3"},
		{name: "negative index", x: small.with("indices.npy", i4(0, -1, 1)).zip(zip.Store), y: real3, want: "all: row 0 (from 0): column index -1 outside 0..3"},
		{name: "index beyond 32 bits", x: small.with("indices.npy", npy("<i8", []int64{0, 1 << 40, 1}, 3)).zip(zip.Store), y: real3, want: "all: entry 1 (from 0) of indices is 1099511627776"},
		{name: "repeated index", x: small.with("indices.npy", i4(3, 3, 1)).zip(zip.Store), y: real3, want: "all: row 0 (from 0): column index 3 is given twice"},
		{name: "repeated apart", x: csr(3, 4, []int32{0, 3, 3, 3}, []int32{1, 0, 1}, []float32{1, 2, 3}).zip(zip.Store), y: real3, want: "all: row 0 (from 0): column index 1 is given twice"},
		{name: "repeated row index", x: csr(3, 4, []int32{0, 0, 2, 2, 2}, []int32{1, 1}, []float32{1, 1}).with("format.npy", npy("|S3", []byte("csc"))).zip(zip.Store), y: real3, want: "all: column 1 (from 0): row index 1 is given twice"},
		{name: "infinite", x: small.with("data.npy", npy("<f4", []float32{1, 1, float32(math.Inf(1))}, 3)).zip(zip.Store), y: real3, want: "all: row 2 (from 0): column 1: value +Inf, expected a finite number, or NaN where it is missing"},
		{name: "infinite", x: npy("<f8", []float64{1, 2, math.Inf(-1)}, 3, 1), y: real3, want: "all: row 2, column 0 (from 0): value -Inf, expected a finite number"},
		{name: "one dimension", x: npy("<f8", []float64{1, 2, 3}, 3), y: real3, want: "all: shape [3], expected rows × columns"},
		{name: "target is NaN", x: stored, y: npy("<f8", []float64{1, math.NaN(), 3}, 3), want: "all_y: row 1 (from 0): target y is NaN, expected a finite number"},
		{name: "too few targets", x: stored, y: npy("<f8", []float64{1, 2}, 2), want: "all_y: 2 rows, expected 3 as in all"},
		{name: "targets of no width", x: stored, y: npy("<f8", []float64{}, 3, 0), want: "all_y: shape [3 0], expected one value a row, or rows × targets"},
		{name: "targets of three dimensions", x: stored, y: npy("<f8", []float64{1, 2, 3}, 3, 1, 1), want: "all_y: shape [3 1 1], expected one value a row"},
		{name: "one number", x: stored, y: npy("<f8", []float64{1}), want: "all_y: shape [], expected one value a row"},
		{name: "targets are an archive", x: stored, y: stored, want: `all_y: a sparse matrix of scipy, expected one array (.npy)`},
		{name: "version", x: stored, y: strings.Replace(real3, "NUMPY\x01", "NUMPY\x09", 1), want: "all_y: version 9 of the .npy format"},
		{name: "header longer by a byte", x: stored, y: real3[:8] + string([]byte{byte(len(real3) - 9), byte((len(real3) - 9) >> 8)}) + real3[10:], want: "all_y: the file ends in its header"},
		{name: "too many rows", x: small.with("shape.npy", npy("<i8", []int64{1 << 31, 4}, 2)).zip(zip.Store), y: real3, want: "all: shape: 2147483648 × 4, expected at most 2147483647 rows and columns"},
		{name: "the most rows", x: small.with("shape.npy", npy("<i8", []int64{1<<31 - 1, 4}, 2)).zip(zip.Store), y: real3, want: "all: indptr: 4 numbers, expected 2147483648 for 2147483647 rows"},
		{name: "header too long", x: stored, y: real3[:8] + "\xff\xff" + real3[10:], want: "all_y: the file ends in its header"},
		{name: "a record type", x: stored, y: strings.Replace(real3, "'<f8'", "[('a')]", 1), want: "all_y: header "},
		{name: "values cut off", x: stored, y: real3[:len(real3)-1], want: "all_y: 23 bytes of values, expected 24 for shape [3] of <f8"},
		{name: "product overflows", x: stored, y: npy("<f8", []float64{}, 1<<31-1, 1<<31-1, 1<<31-1), want: "is too large"},
		{name: "dimension overflows", x: stored, y: strings.Replace(real3, "(3, ), }", "(9999999999999999999, ), }", 1), want: "all_y: shape (9999999999999999999, ), expected at most"},
		{name: "names", x: stored, y: real3, more: map[string]string{"names": "a\nb\n"}, want: "names: 2 lines, expected one name for each of 4 columns"},
		{name: "a name twice", x: stored, y: real3, more: map[string]string{"names": "a\nb\na\nc"}, want: `names:3: the name "a" stands on line 1 already`},
		{name: "groups", x: stored, y: real3, more: map[string]string{"groups": npy("<f8", []float64{1, 2, 3}, 3)}, want: "groups: type <f8, shape [3], expected an integer or a text for each of 3 rows"},
		{name: "a column", x: stored, y: real3, n: targeted(source.Target{Column: "y"}), want: "target.column: targets are files of their own"},
		{name: "a word", x: stored, y: real3, n: targeted(source.Target{Name: "y"}), want: `target: "y" is not one of real, class`},
		{name: "unknown positive", x: stored, y: real3, n: targeted(source.Target{Positive: "4"}), want: `has no level "4"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"all": c.x}
			if c.y != "" {
				files["all_y"] = c.y
			}
			for role, content := range c.more {
				files[role] = content
			}
			if _, err := sourcetest.Load(c.n, files); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	t.Run("parts differ", func(t *testing.T) {
		wide, two := csr(3, 5, []int32{0, 0, 0, 0}, nil, nil).zip(zip.Store), npy("<f8", make([]float64, 6), 3, 2)
		for want, files := range map[string]map[string]string{
			"test: 5 columns, expected 4 as in train":     {"train": stored, "train_y": real3, "test": wide, "test_y": real3},
			"test_y: 2 targets, expected 1 as in train_y": {"train": stored, "train_y": real3, "test": stored, "test_y": two},
		} {
			if _, err := sourcetest.Load(NPZ{}, files); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	})
}

// A member that says it is larger than all memory, compressed too.
func TestAbsurdSize(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if _, err := z.CreateRaw(&zip.FileHeader{Name: "format.npy", Method: zip.Deflate, CompressedSize64: 1 << 60, UncompressedSize64: 1 << 60}); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := sourcetest.Load(NPZ{}, map[string]string{"all": b.String()}); err == nil || err.Error() != "all: members ask for 1.0 TiB of memory, and files of 0 bytes may ask for 160.0 MiB here" {
		t.Error(err)
	}
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const rows, cols = 60, 30
	dense, y := make([]float64, rows*cols), make([]float64, rows)
	ptr, idx, val := []int32{0}, []int32{}, []float64{}
	for i := range rows {
		y[i] = rng.NormFloat64()
		for j := range cols {
			if rng.IntN(3) == 0 {
				dense[i*cols+j] = rng.NormFloat64()
				idx, val = append(idx, int32(j)), append(val, dense[i*cols+j])
			}
		}
		ptr = append(ptr, int32(len(idx)))
	}
	sparse := csr(rows, cols, ptr, idx, nil).with("data.npy", npy("<f8", val, len(val)))
	for name, x := range map[string]string{"stored": sparse.zip(zip.Store), "deflated": sparse.zip(zip.Deflate), "dense": npy("<f8", dense, rows, cols)} {
		d, err := sourcetest.Load(NPZ{}, map[string]string{"all": x, "all_y": npy("<f8", y, rows)})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		gotPtr, gotIdx, gotVal := d.X.Rows()
		if !slices.Equal(gotIdx, idx) || !slices.Equal(gotVal, val) || gotPtr[rows] != len(idx) || !slices.Equal(d.Targets[0].Values, y) {
			t.Errorf("%s: read back, it differs", name)
		}
	}
}

func FuzzSparse(f *testing.F) {
	f.Add(small.zip(zip.Store))
	f.Add(small.zip(zip.Deflate))
	f.Add(small.with("data.npy", npy("<f4", []float32{0, 5, 0}, 3)).zip(zip.Store))
	f.Add(npyOrder("<f4", "True", []float32{1, 2.5, 0, 0, 0, 3}, 3, 2))
	f.Fuzz(func(t *testing.T, x string) {
		sourcetest.Fuzz(t, NPZ{}, map[string]string{"all": x, "all_y": real3})
	})
}

// FuzzMembers reaches what a checksum keeps FuzzSparse from.
func FuzzMembers(f *testing.F) {
	i4 := func(v ...int32) string { return npy("<i4", v, len(v)) }
	f.Add("csr", i4(3, 4), i4(0, 2, 2, 3), i4(0, 3, 1), npy("<f4", []float32{1, 1, 1}, 3))
	f.Add("csc", i4(3, 4), i4(0, 1, 2, 2, 3), i4(0, 2, 0), npy("<f8", []float64{1, 0, 3}, 3))
	f.Add("csr", npy("<i8", []int64{3, 4}, 2), npy("<i8", []int64{0, 3, 3, 3}, 4), npy("<i8", []int64{3, 0, 1}, 3), npy("|b1", []byte{1, 1, 0}, 3))
	f.Add("coo", i4(3, 4), i4(0, 2, 0), i4(0, 3, 0), npy("<f2", []uint16{0x3c00, 0, 0x7c00}, 3))
	f.Fuzz(func(t *testing.T, format, shape, indptr, indices, values string) {
		m := members{{"format.npy", npy("|S3", []byte(format))}, {"shape.npy", shape}, {"indptr.npy", indptr}, {"indices.npy", indices}, {"row.npy", indptr}, {"col.npy", indices}, {"data.npy", values}}
		sourcetest.Fuzz(t, NPZ{}, map[string]string{"all": m.zip(zip.Store), "all_y": real3})
	})
}

func FuzzTargets(f *testing.F) {
	f.Add(real3)
	f.Add(npyOrder("<i4", "True", []int32{1, 2, 3, 4, 5, 6}, 3, 2))
	f.Add(npy("|S2", []byte("a\x00bba\x00"), 3))
	f.Fuzz(func(t *testing.T, y string) {
		sourcetest.Fuzz(t, NPZ{}, map[string]string{"all": small.zip(zip.Store), "all_y": y})
		sourcetest.Fuzz(t, targeted(source.Target{Name: "class"}), map[string]string{"all": small.zip(zip.Store), "all_y": y, "groups": y})
	})
}

// inMemory hands the same bytes out again and again, as a memory-mapped file does.
type inMemory map[string][]byte

func (m inMemory) Has(role string) bool                      { return m[role] != nil }
func (m inMemory) Bytes(role string) ([]byte, string, error) { return m[role], role, nil }
func (m inMemory) Members(string, func(string, []byte) error) error {
	return errors.New("an array is one file")
}

// BenchmarkProblemA loads problem A (764,188 + 85,812 rows, 190,103 columns, 20.4 million ones in the training part).
func BenchmarkProblemA(b *testing.B) {
	folder := os.Getenv("TENFOLD_BENCH")
	if folder == "" {
		b.Skip("TENFOLD_BENCH names no folder of benchmark problems")
	}
	files := inMemory{}
	for role, file := range map[string]string{"train": "train.npz", "train_y": "train.y.npy", "test": "test.npz", "test_y": "test.y.npy"} {
		content, err := os.ReadFile(filepath.Join(folder, "A", file))
		if err != nil {
			b.Fatal(err)
		}
		files[role] = content
	}
	b.ReportAllocs()
	for b.Loop() {
		d, err := NPZ{}.Load(context.Background(), files)
		if err != nil {
			b.Fatal(err)
		}
		if !d.X.Binary() {
			b.Fatal("the values are all one, but were stored")
		}
	}
}
