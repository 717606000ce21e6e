package compiled

import (
	"fmt"
	"io"
	"slices"

	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
)

// The order of sections is written down once, in dataset below and what it calls: the same walk over a data set records
// its sections and, over an empty data set, plays them back. A field added to data.Dataset needs one line there and a
// higher version; the test that fills every field by reflection fails until then.

// write stores a data set that was made from what a digest names.
func write(w io.Writer, d *data.Dataset, digest string) error {
	v := walk{}
	v.dataset(d)
	return writeSections(w, digest, v.sections)
}

// open builds the data set from a compiled file, sharing the file's memory.
func open(file []byte, digest string) (*data.Dataset, error) {
	sections, err := readSections(file, digest)
	if err != nil {
		return nil, err
	}
	return play(sections)
}

func play(sections [][]byte) (*data.Dataset, error) {
	v := walk{playing: true, sections: sections}
	d := &data.Dataset{}
	v.dataset(d)
	v.expect(len(v.sections) == 0, "the end")
	if v.err != nil {
		return nil, v.err
	}
	return d, d.Check()
}

// walk visits a data set until the first error (while recording there is none).
type walk struct {
	playing  bool
	sections [][]byte // recorded so far, or left to play
	err      error
}

// pass records a section, or plays the next one back: only then is it ok to use what is stored.
func (w *walk) pass(section []byte) (stored []byte, ok bool) {
	if !w.playing {
		w.sections = append(w.sections, section)
		return nil, false
	}
	if !w.expect(len(w.sections) > 0, "more") {
		return nil, false
	}
	stored, w.sections = w.sections[0], w.sections[1:]
	return stored, true
}

// expect turns a false condition into an error, unless there is one already.
func (w *walk) expect(ok bool, what string) bool {
	if w.err == nil && !ok {
		w.err = fmt.Errorf("expected %s, %d sections before the last", what, len(w.sections))
	}
	return w.err == nil
}

func (w *walk) dataset(d *data.Dataset) {
	w.text(&d.Name)
	w.text(&d.Digest)
	w.text(&d.TrainingDigest)
	w.matrix(&d.X)
	w.features(&d.Features)
	list(w, &d.Targets, w.target)
	w.texts(&d.IDs)
	optional(w, &d.Groups, w.groups)
	array(w, &d.Time)
	array(w, &d.Weight)
	array(w, &d.Part)
	array(w, &d.Factor)
	optional(w, &d.Sequences, w.sequences)
	optional(w, &d.Tasks, w.tasks)
	w.truth(&d.Truth)
	list(w, &d.Facts, w.fact)
}

func (w *walk) target(t *data.Target) {
	w.text(&t.Name)
	w.text(&t.Group)
	integer(w, &t.Type)
	w.texts(&t.Levels)
	array(w, &t.Values)
	array(w, &t.Rows)
	optional(w, &t.Pairs, w.pairs)
	integer(w, &t.Positive)
	w.flag(&t.Pooled)
	array(w, &t.Numbers)
}

// truth is stored as three arrays: responses may have thousands of coefficients.
func (w *walk) truth(truth *[]data.True) {
	var feature, target []int32
	var value []float64
	if *truth != nil {
		feature, target, value = []int32{}, []int32{}, []float64{}
	}
	for _, c := range *truth {
		feature, target, value = append(feature, c.Feature), append(target, c.Target), append(value, c.Value)
	}
	array(w, &feature)
	array(w, &target)
	array(w, &value)
	if !w.playing || feature == nil || !w.expect(len(target) == len(feature) && len(value) == len(feature), "coefficients") {
		return
	}
	*truth = make([]data.True, len(feature))
	for k := range feature {
		(*truth)[k] = data.True{Feature: feature[k], Target: target[k], Value: value[k]}
	}
}

func (w *walk) pairs(p *data.Pairs) {
	array(w, &p.Left)
	array(w, &p.Right)
	w.real(&p.Kappa)
}

func (w *walk) groups(g *data.Groups) {
	w.text(&g.Name)
	array(w, &g.Of)
	array(w, &g.Key)
}

func (w *walk) sequences(s *data.Sequences) {
	array(w, &s.Start)
	integer(w, &s.Static)
	list(w, &s.Parts, func(of *[]int32) { array(w, of) })
	list(w, &s.Previous, w.previous)
}

func (w *walk) tasks(t *data.Tasks) {
	w.texts(&t.Names)
	array(w, &t.Of)
}

func (w *walk) previous(p *data.Previous) {
	array(w, &p.Back)
	integer(w, &p.Parts)
	array(w, &p.Ptr)
	array(w, &p.Code)
	array(w, &p.Column)
}

func (w *walk) fact(f *data.Fact) {
	w.text(&f.Name)
	w.text(&f.Value)
}

func (w *walk) matrix(x **sparse.Matrix) {
	var cols int
	var ptr []int
	var idx []int32
	var val []float64
	if *x != nil {
		_, cols = (*x).Dims()
		ptr, idx, val = rebase((*x).Rows())
	}
	integer(w, &cols)
	w.ints(&ptr)
	array(w, &idx)
	array(w, &val)
	if w.playing && w.expect(cols >= 0 && rising(ptr, len(idx)) && (val == nil || len(val) == len(idx)), "a matrix") {
		*x = sparse.New(cols, ptr, idx, val)
	}
}

// rebase cuts a matrix that is a range of another one's rows out of it.
func rebase(ptr []int, idx []int32, val []float64) ([]int, []int32, []float64) {
	first, last := ptr[0], ptr[len(ptr)-1]
	if val != nil {
		val = val[first:last]
	}
	if first > 0 {
		ptr = slices.Clone(ptr)
		for i := range ptr {
			ptr[i] -= first
		}
	}
	return ptr, idx[first:last], val
}

func (w *walk) features(f **data.Features) {
	var blob []byte
	var at []int64
	var classes []string
	var class []int32
	switch {
	case *f == nil:
	case (*f).Kept():
		var names []string
		names, class, classes = spell(*f)
		blob, at = pack(names)
	default:
		var text string
		text, at, class, classes = (*f).Packed()
		if blob = fromString(text); class == nil {
			classes = nil
		}
	}
	array(w, &at)
	array(w, &blob)
	array(w, &class)
	w.texts(&classes)
	if w.playing && w.expect(rising(at, len(blob)) && (class == nil || len(class) == len(at)-1), "feature names") {
		*f = data.PackedFeatures(blob, at).WithClasses(class, classes)
	}
}

// spell goes through names one by one, since these features are a selection of others.
func spell(f *data.Features) (names []string, class []int32, classes []string) {
	names = make([]string, f.Len())
	for j := range names {
		names[j] = f.Name(j)
	}
	if !f.HasClasses() {
		return names, nil, nil
	}
	class = make([]int32, f.Len())
	for j := range class {
		class[j] = int32(f.Class(j))
	}
	return names, class, f.Classes()
}

// texts stores strings as one block and offsets; nil offsets stand for nil.
func (w *walk) texts(s *[]string) {
	blob, at := pack(*s)
	array(w, &at)
	array(w, &blob)
	if w.playing && w.expect(at == nil || rising(at, len(blob)), "texts") {
		*s = split(blob, at)
	}
}

func pack(s []string) (blob []byte, at []int64) {
	if s == nil {
		return nil, nil
	}
	at = make([]int64, 1, len(s)+1)
	for _, text := range s {
		blob = append(blob, text...)
		at = append(at, int64(len(blob)))
	}
	return blob, at
}

func split(blob []byte, at []int64) []string {
	if at == nil {
		return nil
	}
	all := toString(blob)
	s := make([]string, len(at)-1)
	for i := range s {
		s[i] = all[at[i]:at[i+1]]
	}
	return s
}

// rising tells whether at divides n things into consecutive pieces.
func rising[T int | int64](at []T, n int) bool {
	if len(at) == 0 || at[0] != 0 || at[len(at)-1] != T(n) {
		return false
	}
	for i := 1; i < len(at); i++ {
		if at[i] < at[i-1] {
			return false
		}
	}
	return true
}

func (w *walk) text(s *string) {
	if stored, ok := w.pass([]byte(*s)); ok {
		*s = toString(stored)
	}
}

func array[T number](w *walk, s *[]T) {
	if stored, ok := w.pass(toBytes(*s)); ok {
		*s, w.err = fromBytes[T](stored)
	}
}

func (w *walk) ints(s *[]int) {
	wide := toInt64(*s)
	array(w, &wide)
	if w.playing && w.err == nil {
		*s, w.err = toInt(wide)
	}
}

func (w *walk) flag(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	integer(w, &n)
	*v = n != 0
}

func integer[T ~int | ~int8](w *walk, v *T) {
	wide := []int64{int64(*v)}
	array(w, &wide)
	if w.playing && w.expect(len(wide) == 1 && int64(T(wide[0])) == wide[0], "one number") {
		*v = T(wide[0])
	}
}

func (w *walk) real(v *float64) {
	one := []float64{*v}
	array(w, &one)
	if w.playing && w.expect(len(one) == 1, "one number") {
		*v = one[0]
	}
}

// list visits the elements of a slice, after its length (-1 for nil).
func list[T any](w *walk, s *[]T, visit func(*T)) {
	n := len(*s)
	if *s == nil {
		n = -1
	}
	integer(w, &n)
	if w.playing && w.err == nil && n >= 0 {
		// Every element is at least one section, so a wrong length cannot ask for much memory.
		if w.expect(n <= len(w.sections), "fewer elements") {
			*s = make([]T, n)
		}
	}
	for i := range *s {
		visit(&(*s)[i])
	}
}

// optional visits a struct unless it is nil.
func optional[T any](w *walk, p **T, visit func(*T)) {
	there := 0
	if *p != nil {
		there = 1
	}
	integer(w, &there)
	if w.playing && w.err == nil && there != 0 {
		*p = new(T)
	}
	if *p != nil {
		visit(*p)
	}
}
