package scratch

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"tenfold/engines/numeric/sparse"
)

var (
	_ sparse.Scratch = (*Space)(nil)
	_ sparse.Store   = (*Entries)(nil)
)

func TestSpace(t *testing.T) {
	if !Supported {
		t.Skip("this system maps no files")
	}
	dir := filepath.Join(t.TempDir(), "made", "as needed")
	s := New(dir, func(err error) { t.Errorf("warning: %v", err) })
	a, b, c, d := s.Int32s(1000), s.Float64s(3), s.Uint64s(5), s.Bytes(7)
	for k := range a {
		if a[k] != 0 {
			t.Fatal("not zero")
		}
		a[k] = int32(k)
	}
	b[2], c[4], d[6] = 1.5, 1<<63, 9
	if len(a) != 1000 || len(b) != 3 || len(c) != 5 || len(d) != 7 || s.Lent() != 4000+24+40+7 || len(s.Int32s(0)) != 0 {
		t.Errorf("%d bytes lent", s.Lent())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the files have names: %v, %v", left, err)
	}
	if err := s.Close(); err != nil || s.Lent() != 0 {
		t.Error(err)
	}
	if s.Int32s(2)[1] != 0 { // it can be used again
		t.Error("not zero")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Where there is no disk space, there is memory, and one warning.
func TestNoSpace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	warnings := 0
	s := New(filepath.Join(file, "below"), func(error) { warnings++ })
	if len(s.Int32s(10)) != 10 || len(s.Bytes(3)) != 3 || warnings != 1 {
		t.Errorf("%d warnings", warnings)
	}
}

func TestEntries(t *testing.T) {
	if !Supported {
		t.Skip("this system maps no files")
	}
	s := New(t.TempDir(), nil)
	defer s.Close()
	type part struct {
		idx []int32
		val []float64
	}
	for name, c := range map[string]struct {
		parts []part
		idx   []int32
		val   []float64
	}{
		"nothing":             {nil, []int32{}, nil},
		"ones":                {[]part{{[]int32{1, 2}, nil}, {[]int32{3}, nil}}, []int32{1, 2, 3}, nil},
		"values":              {[]part{{[]int32{1}, []float64{2}}, {[]int32{3}, []float64{4}}}, []int32{1, 3}, []float64{2, 4}},
		"values after ones":   {[]part{{[]int32{1, 2}, nil}, {[]int32{3}, []float64{4}}}, []int32{1, 2, 3}, []float64{1, 1, 4}},
		"ones between values": {[]part{{[]int32{1}, []float64{2}}, {[]int32{3}, nil}, {[]int32{5}, []float64{6}}}, []int32{1, 3, 5}, []float64{2, 1, 6}},
	} {
		e := s.Entries()
		for _, p := range c.parts {
			if err := e.Append(p.idx, p.val); err != nil {
				t.Fatal(err)
			}
		}
		idx, val, err := e.Arrays()
		if err != nil || !slices.Equal(idx, c.idx) || !reflect.DeepEqual(val, c.val) {
			t.Errorf("%s: %v %v %v", name, idx, val, err)
		}
	}
}
