package compiled

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/sequence"
	"tenfold/engines/numeric/sparse"
)

// full is a data set in which every field, also of everything it points at, is set. It is made by reflection, so a field
// added to data.Dataset fails the round trip until walk.go stores it.
func full() *data.Dataset {
	d := &data.Dataset{}
	fill(reflect.ValueOf(d).Elem(), "Dataset")
	d.Targets[0].Pairs, d.Targets[1].Rows = nil, nil // a target has one of them
	d.Account.Rows.Found, d.Account.Columns.Found = rows+4, 1+4
	return d
}

const rows, cols = 2, 2

// made is the digest of what the data sets here are made from.
var made = strings.Repeat("5a", 32)

// fill gives slices two elements, the number of rows and columns, and numbers the value 1, which is a valid index.
func fill(v reflect.Value, path string) {
	switch p := v.Addr().Interface().(type) {
	case **sparse.Matrix:
		*p = sparse.New(cols, []int{0, 1, 3}, []int32{1, 0, 1}, []float64{2, 3, 0.1})
		return
	case **sequence.Sequences:
		*p = &sequence.Sequences{Start: []int32{0, 1}, Static: 1} // columns of previous labels ask for more: see sequences
		return
	case **data.Features:
		*p = data.NewFeatures([]string{"é\xff", ""}).WithClasses([]int32{1, -1}, []string{"", "c"})
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fill(v.Field(i), path+"."+f.Name)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rows, rows))
		for i := range rows {
			fill(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
		if strings.HasSuffix(path, ".Rows") { // they rise
			v.Index(0).SetInt(0)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(path + "\xff")
	case reflect.Int, reflect.Int8, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint64:
		v.SetUint(1 << 63)
	case reflect.Float64:
		v.SetFloat(1)
	default:
		panic(path + ": teach this test about " + v.Type().String())
	}
}

// sequences is a data set with columns that look at previous labels; every field of that part is set.
func sequences() *data.Dataset {
	d := full()
	d.X = sparse.New(cols, []int{0, 1, 2}, []int32{0, 1}, nil)
	d.Targets, d.Truth = d.Targets[:1], d.Truth[:0]
	d.Targets[0].Type = data.Class
	d.Targets[0].Rows = nil
	d.Sequences.Parts = [][]int32{{1, 0}, {0, -1}}
	d.Sequences.Previous = []sequence.Previous{{Back: []int32{2, 1}, Parts: 1, Ptr: []int32{0, 1}, Code: []int64{5}, Column: []int32{1}}}
	return d
}

func TestSequencesAreAllSet(t *testing.T) {
	s := sequences().Sequences
	for _, v := range []reflect.Value{reflect.ValueOf(*s), reflect.ValueOf(s.Previous[0])} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s.%s is not set: the round trip would not notice that it is lost", v.Type(), v.Type().Field(i).Name)
			}
		}
	}
}

func image(t testing.TB, d *data.Dataset) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := writeDataset(&b, d, made); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	change := func(f func(d *data.Dataset)) *data.Dataset { d := full(); f(d); return d }
	for name, d := range map[string]*data.Dataset{
		"full": full(), "sequences": sequences(),
		"nothing optional": {
			X:        sparse.New(0, []int{0, 0}, []int32{}, nil),
			Features: data.NewFeatures(nil), Targets: []data.Target{{Type: data.Real, Values: []float64{0}}},
		},
		"empty, not nil": change(func(d *data.Dataset) {
			d.IDs, d.Time, d.Weight, d.Part, d.Facts = []string{}, []float64{}, []float64{}, []int8{}, []data.Fact{}
			d.Targets[0].Rows, d.Targets[0].Values, d.Targets[0].Numbers, d.Targets[0].Levels = []int32{}, []float64{}, []float64{}, []string{}
			d.Targets[0].Events = []int8{}
			d.Truth = []data.True{}
		}),
		"binary":  change(func(d *data.Dataset) { d.X = sparse.New(2, []int{0, 1, 1}, []int32{1}, nil) }),
		"numbers": change(func(d *data.Dataset) { d.Time = []float64{math.Copysign(0, -1), math.MaxFloat64} }),
	} {
		got, err := openDataset(image(t, d), made)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(got, d) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, d)
		}
	}
}

// Missing values are NaN, which equals nothing, so bits are compared.
func TestRoundTripKeepsMissingValues(t *testing.T) {
	d := full()
	odd := math.Float64frombits(0x7ff8_0000_0000_0bad)
	d.X = sparse.New(2, []int{0, 1, 2}, []int32{0, 1}, []float64{odd, 1})
	got, err := openDataset(image(t, d), made)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, val := got.X.Rows(); math.Float64bits(val[0]) != math.Float64bits(odd) {
		t.Errorf("%x", math.Float64bits(val[0]))
	}
}

func TestRoundTripOfParts(t *testing.T) {
	d := full()
	d.X = sparse.New(3, []int{0, 2, 3, 5}, []int32{0, 1, 2, 0, 1}, []float64{1, 2, 3, 4, 5}).Range(1, 3)
	d.Features = data.NewFeatures([]string{"a", "b", "c", "d"}).WithClasses([]int32{0, 1, 0, 1}, []string{"p", "q"}).Keep([]int32{3, 2, 0})
	d.Factor, d.Texts = nil, nil
	got, err := openDataset(image(t, d), made)
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Rows() {
		if !reflect.DeepEqual(got.X.Row(i), d.X.Row(i)) {
			t.Errorf("row %d: %v, expected %v", i, got.X.Row(i), d.X.Row(i))
		}
	}
	for j := range d.Features.Len() {
		if got.Features.Name(j) != d.Features.Name(j) || got.Features.Class(j) != d.Features.Class(j) {
			t.Errorf("column %d: %s of class %d", j, got.Features.Name(j), got.Features.Class(j))
		}
	}
}

// TestUnalignedMemoryIsCopied takes the way of machines whose memory cannot be the file: copies.
func TestUnalignedMemoryIsCopied(t *testing.T) {
	d := full()
	file := image(t, d)
	moved := append([]byte{0}, file...)[1:]
	got, err := openDataset(moved, made)
	if err != nil || !reflect.DeepEqual(got, d) {
		t.Errorf("%+v, %v", got, err)
	}
}

// seal makes the checksums right again, so that the checks behind them are reached.
func seal(file []byte) []byte {
	le.PutUint64(file[16:], uint64(len(file)))
	le.PutUint32(file[56:], crc32.Checksum(file[headerSize:], castagnoliTable()))
	le.PutUint32(file[60:], crc32.Checksum(file[:60], castagnoliTable()))
	return file
}

func TestDamageIsFound(t *testing.T) {
	d := full()
	good := image(t, d)
	for n := range good { // cut anywhere, so at every section too
		if _, err := openDataset(good[:n:n], made); err == nil {
			t.Fatalf("cut to %d of %d bytes: accepted", n, len(good))
		}
		if n >= headerSize {
			_, _ = openDataset(seal(bytes.Clone(good[:n])), made) // must not panic
		}
	}
	for bit := range 8 * len(good) {
		bad := bytes.Clone(good)
		bad[bit/8] ^= 1 << (bit % 8)
		if _, err := openDataset(bad, made); err == nil {
			t.Fatalf("bit %d flipped: accepted", bit)
		}
	}
	if _, err := openDataset(append(bytes.Clone(good), 0), made); err == nil {
		t.Error("a byte too many: accepted")
	}
	if _, err := openDataset(good, strings.Repeat("00", 32)); err == nil || !strings.Contains(err.Error(), "it holds data set") {
		t.Errorf("another data set: %v", err)
	}
	old := bytes.Clone(good)
	old[8]++
	if _, err := openDataset(seal(old), made); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("another version: %v", err)
	}
}

// FuzzOpen damages files behind the checksums: whatever they hold, the result is an error or a sound data set.
func FuzzOpen(f *testing.F) {
	head := image(f, full())[:headerSize]
	for _, d := range []*data.Dataset{full(), small()} {
		file := image(f, d)
		f.Add(le.Uint32(file[12:]), file[headerSize:])
	}
	f.Fuzz(func(t *testing.T, sections uint32, body []byte) {
		file := append(bytes.Clone(head), body...)
		le.PutUint32(file[12:], sections)
		d, err := openDataset(seal(file), made)
		if err != nil {
			return
		}
		for i := range d.Rows() {
			_, _ = d.X.Row(i), d.RowID(i)
		}
		for j := range d.Features.Len() {
			_, _ = d.Features.Name(j), d.Features.Class(j)
		}
	})
}
