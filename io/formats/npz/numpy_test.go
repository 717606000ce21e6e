package npz

import (
	"archive/zip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// fixture is a file that NumPy or SciPy wrote (testdata/make.py).
func fixture(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Matrices of every type of number and order of bytes, as NumPy writes them, and coordinates, as SciPy does, are one matrix.
func TestNumPyMatrices(t *testing.T) {
	files, err := filepath.Glob("testdata/x-*")
	if err != nil || len(files) != 18 {
		t.Fatalf("%d fixtures: %v", len(files), err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		want := "0:1 2:-2.5 ;;1:3 3:100 ;"
		switch {
		case strings.Contains(name, "-u"):
			want = "0:1 2:2 ;;1:3 3:100 ;"
		case strings.Contains(name, "-i"):
			want = "0:1 2:-2 ;;1:3 3:100 ;"
		}
		d, err := sourcetest.Load(NPZ{}, map[string]string{"all": fixture(t, name), "all_y": real3})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := show(d); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if strings.Contains(name, "coo") != (len(d.Facts) == 1 && d.Facts[0].Value == "1") {
			t.Errorf("%s: facts %v", name, d.Facts)
		}
	}
}

// Labels, groups and names of columns may be texts, of code points or of bytes.
func TestNumPyTexts(t *testing.T) {
	class := targeted(source.Target{Name: "class"})
	for name, levels := range map[string][]string{"y-U.npy": {"ham", "spam"}, "y-bigU.npy": {"ham", "späm"}, "y-S.npy": {"ham", "spam"}} {
		y := fixture(t, name)
		d, err := sourcetest.Load(class, map[string]string{"all": small.zip(0), "all_y": y, "groups": y, "names": npy("|S2", []byte("a\x00bbc\x00d\x00"), 4)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := d.Targets[0]; !slices.Equal(got.Levels, levels) || !slices.Equal(got.Values, []float64{1, 0, 1}) {
			t.Errorf("%s: %+v", name, got)
		}
		if !slices.Equal(d.Groups.Of, []int32{0, 1, 0}) || d.Features.Name(0) != "a" || d.Features.Name(1) != "bb" {
			t.Errorf("%s: groups %v, names %q %q", name, d.Groups.Of, d.Features.Name(0), d.Features.Name(1))
		}
	}
}

func TestNumPyErrors(t *testing.T) {
	coo := func(row, col string) string {
		return members{{"format.npy", npy("|S3", []byte("coo"))}, {"shape.npy", npy("<i4", []int32{3, 4}, 2)}, {"row.npy", row}, {"col.npy", col}, {"data.npy", npy("<f8", []float64{1, 2}, 2)}}.zip(0)
	}
	i4 := func(v ...int32) string { return npy("<i4", v, len(v)) }
	for _, c := range []struct {
		x, y, names, want string
	}{
		{x: small.zip(0), y: fixture(t, "y-U.npy"), want: "all_y: texts (type <U4), expected numbers; target: class reads them as classes"},
		{x: fixture(t, "y-U.npy"), y: real3, want: "all: texts (type <U4), expected numbers"},
		{x: fixture(t, "all.npz"), y: real3, want: "all: arrays as np.savez writes them (X.npy, names.npy, patient.npy, y.npy), expected one; name it, as in {path: all, member: X.npy}"},
		{x: small.zip(0), y: fixture(t, "all.npz"), want: "all_y: arrays as np.savez writes them"},
		{x: coo(i4(0, 3), i4(0, 1)), y: real3, want: "all: entry 1 (from 0) is at row 3, column 1 of a matrix of 3 × 4"},
		{x: coo(i4(0, 2), i4(-1, 1)), y: real3, want: "all: entry 0 (from 0) is at row 0, column -1 of a matrix of 3 × 4"},
		{x: coo(i4(0), i4(0, 1)), y: real3, want: "all: 2 data for 1 rows and 2 columns of entries"},
		{x: coo(npy("<f4", []float32{0, 1}, 2), i4(0, 1)), y: real3, want: "all: row: type <f4, shape [2], expected a list of integers"},
		{x: small.zip(0), y: real3, names: npy("|S1", []byte("abad"), 4), want: `names: the name "a" is that of columns 0 and 2 (from 0)`},
		{x: small.zip(0), y: real3, names: npy("|S1", []byte("ab"), 2), want: "names: type |S1, shape [2], expected a text for each of 4 columns"},
		{x: small.zip(0), y: real3, names: npy("|S1", []byte("a\xffcd"), 4), want: `names: value 1 (from 0), "\xff", is no UTF-8`},
		{x: small.zip(0), y: real3, names: npy("<U1", []uint32{'a', 'b', 'c', 0x110000}, 4), want: "names: value 3 (from 0) has 0x110000, which is no character of Unicode"},
	} {
		files := map[string]string{"all": c.x, "all_y": c.y}
		if c.names != "" {
			files["names"] = c.names
		}
		if _, err := sourcetest.Load(NPZ{}, files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// Numbers of 16 bits at the ends of what they can say (IEEE 754-2008, table 3.5).
func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0400: 0x1p-14, 0x0001: 0x1p-24, 0x03ff: 1023 * 0x1p-24, 0x3555: 0.333251953125, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		if got := float16(bits); got != want {
			t.Errorf("%#04x: %v, want %v", bits, got, want)
		}
	}
	if got := float16(0x7e00); got == got {
		t.Errorf("not a number: %v", got)
	}
}

func TestLook(t *testing.T) {
	for name, want := range map[string]string{
		"all.npz": "X.npy [3 4]; names.npy [4] texts; patient.npy [3] texts; y.npy [3] texts", "x-coo.npz": " [3 4]", "x-big-f2.npy": " [3 4]", "y-S.npy": " [3] texts",
	} {
		arrays, err := lookAtArrays(nil, []byte(fixture(t, name)), name)
		var got []string
		for _, a := range arrays {
			got = append(got, strings.TrimSuffix(fmt.Sprintf("%s %v texts", a.Member, a.Shape), map[bool]string{true: "", false: " texts"}[a.Texts]))
		}
		if strings.Join(got, "; ") != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	arrays, err := lookAtArrays(nil, []byte(fixture(t, "y-bigU.npy")), "y")
	if err != nil {
		t.Fatal(err)
	}
	// What cannot be read comes last, with the reason.
	odd := members{{"a.npy", npy("<c8", make([]byte, 8), 1)}, {"b.npy", npy("<i4", []int32{1, 2}, 2)}}
	found, err := lookAtArrays(nil, []byte(odd.zip(zip.Store)), "odd.npz")
	if err != nil || len(found) != 2 || found[0].Member != "b.npy" || found[1].Refused == nil {
		t.Fatalf("%+v, %v", found, err)
	}
	var numbers []string
	if err := found[0].Each(func(text string) { numbers = append(numbers, text) }); err != nil || strings.Join(numbers, " ") != "1 2" {
		t.Errorf("%q, %v", numbers, err)
	}
	var seen []string
	if err := arrays[0].Each(func(text string) { seen = append(seen, text) }); err != nil || strings.Join(seen, " ") != "späm ham späm" {
		t.Errorf("%q, %v", seen, err)
	}
}
