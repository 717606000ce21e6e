package data

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// Features holds the names of the columns of a matrix, and their classes if the data has any. Names are one string with offsets, so a
// hundred thousand of them load from disk as two blocks.
type Features struct {
	blob    string
	offset  []int64 // name j is blob[offset[j]:offset[j+1]]
	class   []int32 // class number of each column, -1 for none; nil when the data has no classes
	classes []string
	pick    []int32 // column j here is column pick[j] of the arrays above; nil means all, in order

	once   sync.Once
	byName map[string]int
}

// NewFeatures returns features with the given names, in column order.
func NewFeatures(names []string) *Features {
	n := 0
	for _, s := range names {
		n += len(s)
	}
	blob, offset := make([]byte, 0, n), make([]int64, 1, len(names)+1)
	for _, s := range names {
		blob = append(blob, s...)
		offset = append(offset, int64(len(blob)))
	}
	return PackedFeatures(blob, offset)
}

// PackedFeatures wraps names laid end to end: name j is blob[offset[j]:offset[j+1]]. Neither slice may change afterwards.
func PackedFeatures(blob []byte, offset []int64) *Features {
	return &Features{blob: unsafe.String(unsafe.SliceData(blob), len(blob)), offset: offset}
}

// NumberedFeatures returns n features named first, first+1, …
func NumberedFeatures(first, n int) *Features {
	blob, offset := make([]byte, 0, n*len(strconv.Itoa(first+n))), make([]int64, 1, n+1)
	for j := first; j < first+n; j++ {
		blob = strconv.AppendInt(blob, int64(j), 10)
		offset = append(offset, int64(len(blob)))
	}
	return PackedFeatures(blob, offset)
}

// WithClasses returns the features with class[j] as the class of column j, an index of classes, or -1 for none. Not for results of Keep.
func (f *Features) WithClasses(class []int32, classes []string) *Features {
	return &Features{blob: f.blob, offset: f.offset, pick: f.pick, class: class, classes: classes}
}

// WithNewClasses returns the features with other classes; also for results of Keep.
func (f *Features) WithNewClasses(class []int32, classes []string) *Features {
	if f.pick == nil {
		return f.WithClasses(class, classes)
	}
	names := make([]string, f.Len())
	for j := range names {
		names[j] = f.Name(j)
	}
	return NewFeatures(names).WithClasses(class, classes)
}

// WithColumns returns the features followed by further columns, all of one class.
func (f *Features) WithColumns(names []string, class string) *Features {
	classes := f.classes
	k := slices.Index(classes, class)
	if k < 0 {
		k, classes = len(classes), append(slices.Clone(classes), class)
	}
	return f.followedBy(names, slices.Repeat([]int32{int32(k)}, len(names)), classes)
}

// WithProbes returns the features followed by a probe of each source column, with its prefixed name and its class.
func (f *Features) WithProbes(sources []int32) *Features {
	names, class := make([]string, len(sources)), make([]int32, len(sources))
	for k, j := range sources {
		names[k], class[k] = ProbePrefix+f.Name(int(j)), int32(f.Class(int(j)))
	}
	return f.WithColumnsLike(names, class)
}

// WithColumnsLike returns the features followed by further columns, of classes that there are.
func (f *Features) WithColumnsLike(names []string, class []int32) *Features {
	if !f.HasClasses() {
		class = nil
	}
	return f.followedBy(names, class, f.classes)
}

// followedBy returns the features followed by further columns; class is nil if there are no classes.
func (f *Features) followedBy(names []string, class []int32, classes []string) *Features {
	all, classOf := make([]string, f.Len(), f.Len()+len(names)), make([]int32, f.Len(), f.Len()+len(names))
	for j := range all {
		all[j], classOf[j] = f.Name(j), int32(f.Class(j))
	}
	out := NewFeatures(append(all, names...))
	if class == nil {
		return out
	}
	return out.WithClasses(append(classOf, class...), classes)
}

// Unprefixed returns the name of column j without its class as a prefix: "market" for bag_market of class bag.
func (f *Features) Unprefixed(j int) string {
	name := f.Name(j)
	if c := f.Class(j); c >= 0 {
		return strings.TrimPrefix(name, f.classes[c]+"_")
	}
	return name
}

// Keep returns the given columns, renumbered in that order.
func (f *Features) Keep(columns []int32) *Features {
	pick := make([]int32, len(columns))
	for k, j := range columns {
		pick[k] = int32(f.origin(int(j)))
	}
	return &Features{blob: f.blob, offset: f.offset, class: f.class, classes: f.classes, pick: pick}
}

func (f *Features) origin(j int) int {
	if f.pick == nil {
		return j
	}
	return int(f.pick[j])
}

// None is the class of columns that have no other.
const None = "_none"

// Len returns the number of columns.
func (f *Features) Len() int {
	if f.pick == nil {
		return len(f.offset) - 1
	}
	return len(f.pick)
}

// Name returns the name of column j.
func (f *Features) Name(j int) string {
	j = f.origin(j)
	return f.blob[f.offset[j]:f.offset[j+1]]
}

// SortByName sorts columns by their names: what is drawn by this order does not depend on that of the columns in a file.
func (f *Features) SortByName(columns []int32) {
	slices.SortStableFunc(columns, func(a, b int32) int { return strings.Compare(f.Name(int(a)), f.Name(int(b))) })
}

// ByName returns all columns in the order of their names.
func (f *Features) ByName() []int32 {
	columns := Numbers(f.Len())
	f.SortByName(columns)
	return columns
}

// Lookup finds a column by name; the first call costs O(columns).
func (f *Features) Lookup(name string) (int, bool) {
	f.once.Do(f.buildIndex)
	j, ok := f.byName[name]
	return j, ok
}

func (f *Features) buildIndex() {
	f.byName = make(map[string]int, f.Len())
	for j := f.Len() - 1; j >= 0; j-- {
		f.byName[f.Name(j)] = j
	}
}

// HasClasses reports whether the columns have classes.
func (f *Features) HasClasses() bool { return f.class != nil }

// Classes returns the names of the classes, by number.
func (f *Features) Classes() []string { return f.classes }

// Class returns the class number of column j, -1 for none.
func (f *Features) Class(j int) int {
	if f.class == nil {
		return -1
	}
	return int(f.class[f.origin(j)])
}

// Kept reports whether the features are a result of Keep.
func (f *Features) Kept() bool { return f.pick != nil }

// Packed returns what PackedFeatures and WithClasses make the features from, for storage. Not for results of Keep.
func (f *Features) Packed() (blob string, offset []int64, class []int32, classes []string) {
	return f.blob, f.offset, f.class, f.classes
}
