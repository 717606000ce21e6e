package compiled

import (
	"fmt"
	"io"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/engines/data/pairs"
	"tenfold/engines/data/sequence"
	"tenfold/engines/data/texts"
	"tenfold/engines/numeric/sparse"
)

// The order of sections is written down once, in dataset below and what it calls: the same walk over a data set records
// its sections and, over an empty data set, plays them back. A field added to data.Dataset needs one line there and a
// higher version; the test that fills every field by reflection fails until then.

// writeDataset writes a data set under the digest of what it was made from.
func writeDataset(w io.Writer, d *data.Dataset, digest string) error {
	v := walk{}
	v.passDataset(d)
	return writeSections(w, digest, v.sections)
}

// openDataset builds the data set from a compiled file, sharing the file's memory.
func openDataset(file []byte, digest string) (*data.Dataset, error) {
	sections, err := readSections(file, digest)
	if err != nil {
		return nil, err
	}
	return playSections(sections)
}

func playSections(sections [][]byte) (*data.Dataset, error) {
	v := walk{playing: true, sections: sections}
	d := &data.Dataset{}
	v.passDataset(d)
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

// passSection records a section, or plays the next one back; ok is true only if it plays one back, and stored is valid.
func (w *walk) passSection(section []byte) (stored []byte, ok bool) {
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

func (w *walk) passDataset(d *data.Dataset) {
	w.passText(&d.Name)
	w.passText(&d.Digest)
	w.passText(&d.TrainingDigest)
	w.passMatrix(&d.X)
	w.passFeatures(&d.Features)
	passList(w, &d.Targets, w.passTarget)
	w.passTexts(&d.IDs)
	passOptional(w, &d.Groups, w.passGroups)
	passArray(w, &d.Time)
	passArray(w, &d.Weight)
	passArray(w, &d.Exposure)
	passArray(w, &d.Part)
	passArray(w, &d.Factor)
	passOptional(w, &d.Texts, w.passTextColumns)
	passOptional(w, &d.Sequences, w.passSequences)
	passOptional(w, &d.Tasks, w.passTasks)
	w.passTruth(&d.Truth)
	passList(w, &d.Facts, w.passFact)
	w.passTally(&d.Account.Rows)
	w.passTally(&d.Account.Columns)
}

func (w *walk) passTarget(t *data.Target) {
	w.passText(&t.Name)
	w.passText(&t.Group)
	passInteger(w, &t.Type)
	w.passTexts(&t.Levels)
	passArray(w, &t.Values)
	passArray(w, &t.Rows)
	passOptional(w, &t.Pairs, w.passPairs)
	passInteger(w, &t.Positive)
	w.passBool(&t.Pooled)
	passArray(w, &t.Numbers)
	passArray(w, &t.Events)
}

func (w *walk) passTextColumns(t *texts.Columns) {
	w.passTexts(&t.Names)
	passArray(w, &t.Of)
}

// passTruth stores truth as three arrays: responses may have thousands of coefficients.
func (w *walk) passTruth(truth *[]data.True) {
	var feature, target []int32
	var value []float64
	if *truth != nil {
		feature, target, value = []int32{}, []int32{}, []float64{}
	}
	for _, c := range *truth {
		feature, target, value = append(feature, c.Feature), append(target, c.Target), append(value, c.Value)
	}
	passArray(w, &feature)
	passArray(w, &target)
	passArray(w, &value)
	if !w.playing || feature == nil || !w.expect(len(target) == len(feature) && len(value) == len(feature), "coefficients") {
		return
	}
	*truth = make([]data.True, len(feature))
	for k := range feature {
		(*truth)[k] = data.True{Feature: feature[k], Target: target[k], Value: value[k]}
	}
}

func (w *walk) passPairs(p *pairs.Pairs) {
	passArray(w, &p.Left)
	passArray(w, &p.Right)
	w.passFloat(&p.Kappa)
}

func (w *walk) passGroups(g *data.Groups) {
	w.passText(&g.Name)
	passArray(w, &g.Of)
	passArray(w, &g.Key)
}

func (w *walk) passSequences(s *sequence.Sequences) {
	passArray(w, &s.Start)
	passInteger(w, &s.Static)
	passList(w, &s.Parts, func(list *[]int32) { passArray(w, list) })
	passList(w, &s.Previous, w.passPrevious)
}

func (w *walk) passTasks(t *data.Tasks) {
	w.passTexts(&t.Names)
	passArray(w, &t.Of)
}

func (w *walk) passPrevious(p *sequence.Previous) {
	passArray(w, &p.Back)
	passInteger(w, &p.Parts)
	passArray(w, &p.Ptr)
	passArray(w, &p.Code)
	passArray(w, &p.Column)
}

func (w *walk) passFact(f *data.Fact) {
	w.passText(&f.Name)
	w.passText(&f.Value)
}

func (w *walk) passTally(t *account.Tally) {
	passInteger(w, &t.Found)
	passInteger(w, &t.Used)
	passList(w, &t.Roles, w.passPart)
	passList(w, &t.Unused, w.passPart)
	w.passPart(&t.Constant)
}

func (w *walk) passPart(p *account.Part) {
	w.passText(&p.What)
	passInteger(w, &p.Count)
	w.passTexts(&p.Names)
	passList(w, &p.Levels, func(l *account.LevelCount) {
		w.passText(&l.Level)
		passInteger(w, &l.Rows)
	})
}

func (w *walk) passMatrix(x **sparse.Matrix) {
	var cols int
	var ptr []int
	var idx []int32
	var val []float64
	if *x != nil {
		_, cols = (*x).Dims()
		ptr, idx, val = trimMatrix((*x).Rows())
	}
	passInteger(w, &cols)
	w.passInts(&ptr)
	passArray(w, &idx)
	passArray(w, &val)
	if w.playing && w.expect(cols >= 0 && dividesInto(ptr, len(idx)) && (val == nil || len(val) == len(idx)), "a matrix") {
		*x = sparse.New(cols, ptr, idx, val)
	}
}

// trimMatrix cuts a matrix that is a range of another one's rows out of the arrays that they share.
func trimMatrix(ptr []int, idx []int32, val []float64) ([]int, []int32, []float64) {
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

func (w *walk) passFeatures(f **data.Features) {
	var blob []byte
	var ends []int64
	var classes []string
	var class []int32
	switch {
	case *f == nil:
	case (*f).Kept():
		var names []string
		names, class, classes = spellFeatures(*f)
		blob, ends = packTexts(names)
	default:
		var text string
		text, ends, class, classes = (*f).Packed()
		if blob = fromString(text); class == nil {
			classes = nil
		}
	}
	passArray(w, &ends)
	passArray(w, &blob)
	passArray(w, &class)
	w.passTexts(&classes)
	if w.playing && w.expect(dividesInto(ends, len(blob)) && (class == nil || len(class) == len(ends)-1), "feature names") {
		*f = data.PackedFeatures(blob, ends).WithClasses(class, classes)
	}
}

// spellFeatures returns the names one by one, with their classes, since these features are a selection of others.
func spellFeatures(f *data.Features) (names []string, class []int32, classes []string) {
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

// passTexts stores strings as one block and offsets; nil offsets stand for nil.
func (w *walk) passTexts(s *[]string) {
	blob, ends := packTexts(*s)
	passArray(w, &ends)
	passArray(w, &blob)
	if w.playing && w.expect(ends == nil || dividesInto(ends, len(blob)), "texts") {
		*s = splitTexts(blob, ends)
	}
}

func packTexts(s []string) (blob []byte, ends []int64) {
	if s == nil {
		return nil, nil
	}
	total := 0
	for _, text := range s {
		total += len(text)
	}
	if ends = make([]int64, 1, len(s)+1); total > 0 {
		blob = make([]byte, 0, total)
	}
	for _, text := range s {
		blob = append(blob, text...)
		ends = append(ends, int64(len(blob)))
	}
	return blob, ends
}

func splitTexts(blob []byte, ends []int64) []string {
	if ends == nil {
		return nil
	}
	all := toString(blob)
	s := make([]string, len(ends)-1)
	for i := range s {
		s[i] = all[ends[i]:ends[i+1]]
	}
	return s
}

// dividesInto reports whether at divides n things into consecutive pieces.
func dividesInto[T int | int64](ends []T, n int) bool {
	if len(ends) == 0 || ends[0] != 0 || ends[len(ends)-1] != T(n) {
		return false
	}
	for i := 1; i < len(ends); i++ {
		if ends[i] < ends[i-1] {
			return false
		}
	}
	return true
}

func (w *walk) passText(s *string) {
	if stored, ok := w.passSection([]byte(*s)); ok {
		*s = toString(stored)
	}
}

func passArray[T number](w *walk, s *[]T) {
	if stored, ok := w.passSection(toBytes(*s)); ok {
		*s, w.err = fromBytes[T](stored)
	}
}

func (w *walk) passInts(s *[]int) {
	wide := toInt64(*s)
	passArray(w, &wide)
	if w.playing && w.err == nil {
		*s, w.err = toInt(wide)
	}
}

func (w *walk) passBool(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	passInteger(w, &n)
	*v = n != 0
}

func passInteger[T ~int | ~int8](w *walk, v *T) {
	wide := []int64{int64(*v)}
	passArray(w, &wide)
	if w.playing && w.expect(len(wide) == 1 && int64(T(wide[0])) == wide[0], "one number") {
		*v = T(wide[0])
	}
}

func (w *walk) passFloat(v *float64) {
	one := []float64{*v}
	passArray(w, &one)
	if w.playing && w.expect(len(one) == 1, "one number") {
		*v = one[0]
	}
}

// passList visits the elements of a slice, after its length (-1 for nil).
func passList[T any](w *walk, s *[]T, visit func(*T)) {
	n := len(*s)
	if *s == nil {
		n = -1
	}
	passInteger(w, &n)
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

// passOptional visits a struct unless it is nil.
func passOptional[T any](w *walk, p **T, visit func(*T)) {
	there := 0
	if *p != nil {
		there = 1
	}
	passInteger(w, &there)
	if w.playing && w.err == nil && there != 0 {
		*p = new(T)
	}
	if *p != nil {
		visit(*p)
	}
}
