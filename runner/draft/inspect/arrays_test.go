package inspect

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tenfold/io/source"
)

// Arrays of test rows are those whose names and shapes go with the ones of training rows; one number beside them is none.
func TestTestsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x, y []int
		want [2]string
	}{
		{[]int{5, 3}, []int{5}, [2]string{"X_test.npy", "y_test.npy"}}, {[]int{5, 3}, []int{5, 2}, [2]string{"X_test.npy", "y_test.npy"}},
		{[]int{5, 3}, nil, [2]string{}}, {[]int{5, 3}, []int{4}, [2]string{}}, {[]int{5, 4}, []int{5}, [2]string{}}, {[]int{5}, []int{5}, [2]string{}}, {nil, nil, [2]string{}},
	} {
		f := Found{columns: 3, Arrays: []source.Array{
			{Member: "X_train.npy", Shape: []int{40, 3}}, {Member: "y_train.npy", Shape: []int{40}}, {Member: "X_test.npy", Shape: c.x}, {Member: "y_test.npy", Shape: c.y},
		}}
		if got := f.TestsOf("X_train.npy", "y_train.npy"); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.x, c.y, got, c.want)
		}
		if got := f.TestsOf("X_test.npy", "y_test.npy"); got != [2]string{} {
			t.Errorf("of test rows themselves: %q", got)
		}
	}
}

// An array is taken by a usual name, or the first of the shape for columns; a list of another length, or of texts for numbers, is none.
func TestLikely(t *testing.T) {
	t.Parallel()
	f := Found{Arrays: []source.Array{
		{Member: "other", Shape: []int{9, 2}}, {Member: "X", Shape: []int{5, 3}}, {Member: "data", Shape: []int{5, 3}}, {Member: "y", Shape: []int{5}}, {Member: "names", Shape: []int{3}, Texts: true}, {Member: "Y", Shape: []int{4}}, {Member: "labels", Shape: []int{5, 2}},
	}}
	for _, c := range []struct {
		what         string
		dims, length int
		want         string
	}{
		{"columns", 2, 0, "X"}, {"columns", 2, 9, "other"}, {"columns", 2, 7, ""}, {"targets", 1, 5, "y"}, {"targets", 1, 0, "y"}, {"targets", 1, 4, "Y"}, {"targets", 1, 3, ""}, {"targets", 2, 5, "labels"},
		{"names", 1, 3, "names"}, {"names", 1, 4, ""},
	} {
		if got := f.Likely(c.what, c.dims, c.length); got != c.want {
			t.Errorf("%s of %d dimensions and length %d: %q, want %q", c.what, c.dims, c.length, got, c.want)
		}
	}
	if f.Array("other") != &f.Arrays[0] || f.Array("none") != nil {
		t.Error("arrays by name")
	}
	sklearn := Found{Arrays: []source.Array{{Member: "DESCR.npy"}, {Member: "data.npy", Shape: []int{5, 3}}, {Member: "target.npy", Shape: []int{5}}, {Member: "feature_names.npy", Shape: []int{3}, Texts: true}, {Member: "target_names.npy", Shape: []int{2}, Texts: true}}}
	if x, y, names := sklearn.Likely("columns", 2, 0), sklearn.Likely("targets", 1, 5), sklearn.Likely("names", 1, 3); x != "data.npy" || y != "target.npy" || names != "feature_names.npy" {
		t.Errorf("of scikit-learn: %q, %q, %q", x, y, names)
	}
	f.Arrays[1].Member, f.Arrays[2].Member = "a", "b"
	if got := f.Likely("columns", 2, 5); got != "a" {
		t.Errorf("without a usual name: %q", got)
	}
	f.Measure(f.Arrays[0])
	if f.Rows != 9 || f.Width() != 2 || f.Wide() {
		t.Errorf("%+v", f)
	}
	if f.Turn(); f.Rows != 2 || f.Width() != 9 || !f.Wide() {
		t.Errorf("turned: %+v", f)
	}
}

// Rows, columns and whether there are many of these, of matrices; what is wrong with them is said.
func TestMatrices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n% by hand\n\n4 2 8\n", "4 × 2"},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n4 3 8\n", "4 × 3, wide"},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\nfour 3 8\n", `a.mtx:2: found "four", expected a whole number of 0 or more`},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n", "a.mtx:1: the file ends before the numbers of rows and columns"},
		{"a.data", "1 2\n2\n1 2\n1\n", "4 × 2"},
		{"a.data", "1 2\n3 4 5\n5 6\n7 8\n", "4 × 8, wide"}, // columns of a sparse row
		{"a.data", "1:2 3:4\n2:x\n", `a.data:2: column 2: found "x", expected a finite number`},
		{"a.npy", "\x93NUMPY\x01\x00", "a.npy: "},
		{"a.npz", "PK\x03\x04....", "a.npz: "},
		{"a.mat", "MATLAB 5.0", "a.mat: "},
		{"a.npy", array("<f8", "(4, 2)", 64), "4 × 2"},
		{"a.npy", array("<f8", "(3, 2)", 48), "3 × 2, wide"},
	} {
		path := file(t, c.name, c.text)
		if c.name == "a.data" {
			if err := os.WriteFile(strings.TrimSuffix(path, ".data")+".labels", []byte("+1\n-1\n\n1\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Look(t.Context(), path, "", Asked{})
		got := ""
		if err != nil {
			got = err.Error()[strings.Index(err.Error(), c.name):]
		} else if got = fmt.Sprintf("%d × %d", f.Rows, f.Width()); f.Wide() {
			got += ", wide"
		}
		if got != c.want && !(err != nil && strings.HasSuffix(c.want, ": ") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s, %q: %s, want %s", c.name, c.text, got, c.want)
		}
		if c.name == "a.data" && err == nil {
			if err := f.LookAtTargets(f.Beside); err != nil || f.Labels.Rows != 3 || strings.Join(f.Labels.Levels, " ") != "1 -1" {
				t.Errorf("%v, %+v", err, f.Labels)
			}
			if err := f.LookAtTargets(path + "none"); err == nil || !strings.Contains(err.Error(), "a.datanone: ") {
				t.Errorf("no file of labels: %v", err)
			}
		}
	}
}

// array is an .npy file of so many bytes of zeros.
func array(kind, shape string, bytes int) string {
	header := fmt.Sprintf("%-117s\n", fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, shape))
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header + strings.Repeat("\x00", bytes)
}

// Targets of another array are several where it has more than one column.
func TestTargetsOfAnArray(t *testing.T) {
	t.Parallel()
	for shape, several := range map[string]bool{"(4,)": false, "(4, 1)": false, "(2, 2)": true} {
		f := Found{Format: NPZ}
		if err := f.LookAtTargets(file(t, "y.npy", array("<f8", shape, 32))); err != nil || f.Several != several || f.Labels.Rows != 4 || f.Labels.Name != "y" {
			t.Errorf("%s: %v, several %v, %+v", shape, err, f.Several, f.Labels)
		}
	}
	f := Found{Format: NPZ}
	if err := f.LookAtTargets(file(t, "y.npy", "no array")); err != nil || f.Labels != nil {
		t.Errorf("what is no array: %v, %+v", err, f.Labels)
	}
}

// Groups are an array of equal whole numbers or texts, one a row.
func TestGrouping(t *testing.T) {
	t.Parallel()
	of := func(texts ...string) func(func(string)) error {
		return func(see func(string)) error {
			for _, text := range texts {
				see(text)
			}
			return nil
		}
	}
	f := Found{Rows: 4, Arrays: []source.Array{
		{Member: "X", Shape: []int{4, 2}}, {Member: "subject_id.npy", Shape: []int{4}, Each: of("7", "7", "8", "8")}, {Member: "site", Shape: []int{4}, Texts: true, Each: of("a", "b", "b", "c")},
		{Member: "all", Shape: []int{4}, Each: of("1", "2", "3", "4")}, {Member: "one", Shape: []int{4}, Each: of("1", "1", "1", "1")}, {Member: "age", Shape: []int{4}, Each: of("1.5", "1.5", "2", "2")},
		{Member: "short", Shape: []int{3}, Each: of("1", "1", "2")}, {Member: "refused", Shape: []int{4}, Refused: os.ErrInvalid},
	}}
	for member, want := range map[string]int{"subject_id.npy": 2, "site": 3, "all": 0, "one": 0, "age": 0, "short": 0, "refused": 0, "none": 0, "X": 0} {
		c, err := f.Grouping(member, "groups")
		if err != nil || (c == nil) != (want == 0) || c != nil && (len(c.Levels) != want || c.Name != "groups") {
			t.Errorf("%s: %+v, %v", member, c, err)
		}
	}
	if got := f.Likely("groups", 1, 4); got != "subject_id.npy" {
		t.Errorf("likely %q", got)
	}
}
