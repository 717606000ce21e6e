package codes

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
	"testing"
)

// transferWith changes the default transfer.
func transferWith(change func(*Transfer)) Transfer {
	t := DefaultTransfer()
	change(&t)
	return t
}

// named columns in classes by the part before the underscore.
func named(names ...string) *data.Features {
	class, classes := make([]int32, len(names)), []string(nil)
	for j, name := range names {
		of, _, ok := strings.Cut(name, "_")
		if class[j] = int32(slices.Index(classes, of)); class[j] < 0 && ok {
			class[j], classes = int32(len(classes)), append(classes, of)
		}
	}
	return data.NewFeatures(names).WithClasses(class, classes)
}

func columnsNamed(f *data.Features, names ...string) (columns []int) {
	for _, name := range names {
		if j, ok := f.Lookup(name); ok {
			columns = append(columns, j)
		}
	}
	return columns
}

// The counts of three donors, one of which lacks a feature.
func TestPrior(t *testing.T) {
	target := named("tp_1", "tp_2", "word_the", "word_a", "pos_N", "loose")
	first, second := named("tp_1", "word_the", "word_a", "pos_N", "obj_x", "loose"), named("tp_1", "tp_2", "word_a", "pos_N")
	donors := []Donor{
		NewDonor(first, columnsNamed(first, "tp_1", "word_the", "word_a", "obj_x")),
		NewDonor(second, columnsNamed(second, "tp_1", "word_a")),
		{Selected: []Feature{{"loose", data.None}}},
	}
	for _, c := range []struct {
		transfer          Transfer
		classes, features map[string]Count
	}{
		{transferWith(func(*Transfer) {}),
			map[string]Count{"tp": {2, 1}, "word": {2, 1}, "obj": {1, 2}, "_none": {1, 2}},
			map[string]Count{"tp_1": {2, 1}, "word_the": {1, 2}, "word_a": {2, 1}, "loose": {1, 2}}},
		{transferWith(func(t *Transfer) { t.Absent = absentSkip }),
			map[string]Count{"tp": {2, 1}, "word": {2, 1}, "obj": {1, 2}, "_none": {1, 2}},
			map[string]Count{"tp_1": {2, 1}, "tp_2": {0, 2}, "word_the": {1, 1}, "word_a": {2, 1}, "loose": {1, 1}}},
		{transferWith(func(t *Transfer) { t.Setting = settingFeatures }), map[string]Count{},
			map[string]Count{"tp_1": {2, 1}, "word_the": {1, 2}, "word_a": {2, 1}, "loose": {1, 2}}},
		{transferWith(func(t *Transfer) { t.Setting, t.Absent = settingSemantic, absentSkip }),
			map[string]Count{"tp": {2, 1}}, map[string]Count{"tp_1": {2, 1}, "tp_2": {0, 2}}},
		{transferWith(func(t *Transfer) { t.Setting = settingSyntactic }),
			map[string]Count{"word": {2, 1}, "obj": {1, 2}, "_none": {1, 2}},
			map[string]Count{"word_the": {1, 2}, "word_a": {2, 1}, "loose": {1, 2}}},
	} {
		p := c.transfer.Prior(donors, target)
		if !reflect.DeepEqual(p.Classes, c.classes) || !reflect.DeepEqual(p.Features, c.features) || p.Donors != 3 {
			t.Errorf("%+v:\ngot  %v %v\nwant %v %v", c.transfer, p.Classes, p.Features, c.classes, c.features)
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(donors)
		again, err := json.Marshal(c.transfer.Prior(donors, target))
		if err != nil || string(text) != string(again) {
			t.Errorf("the order of donors changes the text: %s, %s (%v)", text, again, err)
		}
		var back Prior
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(prices(t, back, target), prices(t, p, target)) {
			t.Errorf("%s comes back as %+v (%v)", text, back, err)
		}
	}
}

// prices of classes that are new, of classes that are in with two of them, and of columns.
func prices(t *testing.T, p Prior, f *data.Features) [3][]float64 {
	t.Helper()
	c, err := ReadClasses(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	code := p.newCoder(Terms{Classes: c}).(*classCode)
	var out [3][]float64
	for class := range c.Names {
		out[0], out[1] = append(out[0], code.newClassBits(int32(class))), append(out[1], code.knownClassBits(int32(class), 2))
	}
	for j := range f.Len() {
		out[2] = append(out[2], code.indexBits(int32(j)))
	}
	return out
}

// Prices by hand: 2 donors; K = 3, of 2, 2 and 1 columns.
func TestTransferPrices(t *testing.T) {
	f := named("tp_1", "tp_2", "word_a", "word_b", "pos_N")
	donors := []Donor{{Selected: []Feature{{"tp_1", "tp"}, {"tp_2", "tp"}, {"word_a", "word"}}}, {Selected: []Feature{{"tp_1", "tp"}}}}
	lg := math.Log2
	for _, c := range []struct {
		name     string
		transfer Transfer
		want     [3][]float64
	}{
		{"thesis", transferWith(func(*Transfer) {}), [3][]float64{
			{lg(5. / 3), lg(5. / 2), lg(5)}, {1, 1, 1}, {lg(4. / 3), 1, 1, 2, lg(3)}}},
		{"jmlr", transferWith(func(t *Transfer) { t.Variant = variantJMLR }), [3][]float64{
			{lg(5. / 3), lg(5. / 2), lg(5)}, {lg(5. / 3), lg(5. / 2), 2}, {lg(4. / 3), 1, 1, 2, lg(3)}}},
		{"features alone", transferWith(func(t *Transfer) { t.Setting = settingFeatures }), [3][]float64{
			{lg(3), lg(3), lg(3)}, {1, 1, 1}, {lg(4. / 3), 1, 1, 2, lg(3)}}},
		{"semantic, jmlr", transferWith(func(t *Transfer) { t.Setting, t.Variant = settingSemantic, variantJMLR }), [3][]float64{
			{lg(5. / 3), lg(3), lg(3)}, {lg(5. / 3), lg(3), lg(3)}, {lg(4. / 3), 1, 1, 1, 0}}},
		{"syntactic", transferWith(func(t *Transfer) { t.Setting = settingSyntactic }), [3][]float64{
			{lg(3), lg(5. / 2), lg(5)}, {1, 1, 1}, {1, 1, 1, 2, lg(3)}}},
		{"strong imagination", transferWith(func(t *Transfer) { t.A, t.B, t.C0, t.D0 = 2, 6, 3, 5 }), [3][]float64{
			{lg(10. / 4), lg(10. / 3), lg(10. / 2)}, {1, 1, 1}, {1, lg(10. / 4), lg(10. / 4), lg(10. / 3), lg(10. / 3)}}},
	} {
		got := prices(t, c.transfer.Prior(donors, f), f)
		for k := range c.want {
			oracle.NearAll(t, fmt.Sprint(c.name, " ", k), got[k][:len(c.want[k])], c.want[k], 1e-12)
		}
	}
}
