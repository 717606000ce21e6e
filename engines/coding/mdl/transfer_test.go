package mdl

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// priorOptions are the prior of kind transfer: rows of [class or feature, k, l], where what is missing is 0, 0.
type priorOptions struct {
	Setting  int
	Variant  string
	Classes  [][3]int `json:"class_counts"`
	Features [][3]int `json:"feature_counts"`
	Uniform  []int32  `json:"uniform_classes"`
}

// prior of a case, where columns are named x0, x1, … and classes class0, class1, ….
func (o priorOptions) prior(classes []int32) Prior {
	p := Prior{Transfer: DefaultTransfer(), Classes: map[string]Count{}, Features: map[string]Count{}}
	p.Setting, p.Variant = o.Setting, o.Variant
	for _, c := range o.Classes {
		p.Classes[fmt.Sprint("class", c[0])] = Count{c[1], c[2]}
	}
	for _, f := range o.Features {
		p.Features[fmt.Sprint("x", f[0])] = Count{f[1], f[2]}
	}
	if len(o.Uniform) > 0 && o.Setting == settingAll { // all but these
		p.Setting = settingSyntactic
	}
	p.Semantic = []string{"no class of this name"}
	for _, c := range classes {
		if slices.Contains(o.Uniform, c) == (p.Setting == settingSyntactic) {
			p.Semantic = append(p.Semantic, fmt.Sprint("class", c))
		}
	}
	return p
}

// checkTransfer is checkTPC, and the tables of prices.
func checkTransfer(t *testing.T, c oracle.Case) {
	checkTPC(t, c)
	var in matrixCase
	var o tpcOptions
	var want struct {
		New   map[int32]float64 `json:"class_new_bits"`
		Old   map[int32]float64 `json:"class_old_bits_Q2"`
		Index []float64         `json:"index_bits"`
	}
	c.Parts(t, &in, &o, &want)
	view, err := in.view(o.Classes)
	if err != nil {
		t.Fatal(err)
	}
	_, f, err := fit(t, o.engine(), view)
	if err != nil {
		t.Fatal(err)
	}
	code := f.done[0].coder.(*classCode)
	bits := tolerance(t, c, "bits")
	if len(want.New) == 0 || len(want.Index) != view.Columns() {
		t.Fatalf("%d classes and %d columns with prices", len(want.New), len(want.Index))
	}
	for class := range want.New {
		oracle.Near(t, fmt.Sprint("class_new_bits of ", class), code.newClassBits(class), want.New[class], bits)
		oracle.Near(t, fmt.Sprint("class_old_bits_Q2 of ", class), code.knownClassBits(class, 2), want.Old[class], bits)
	}
	for j, b := range want.Index {
		oracle.Near(t, fmt.Sprint("index_bits of ", j), code.indexBits(int32(j)), b, bits)
	}
}

// withTransfer changes the default transfer.
func withTransfer(change func(*Transfer)) Transfer {
	t := DefaultTransfer()
	change(&t)
	return t
}

// Without donors the code is tpc, bit for bit, in all settings, searches and likelihoods.
func TestNoDonorsIsTPC(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 1))
	features := 0
	for k := range 40 {
		x, y, classes := randomCase(rng)
		e := with(func(e *MDL) {
			e.Code, e.Search = codeTPC, searchNames()[k%3]
			if e.CoefBits = 0; k%2 == 0 {
				e.Likelihood = logisticLoss
				for _, v := range y {
					binarise(v)
				}
			}
		})
		if k%4 == 0 {
			classes[0] = -1
		}
		view := viewOf(x, y, classes)
		transfer := withTransfer(func(t *Transfer) { t.Setting, t.Semantic = 1+k%4, []string{"a"} })
		want, _, err := fit(t, e, view)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := fit(t, e.WithPrior(transfer.Prior(nil, view.Features())), view)
		if err != nil {
			t.Fatal(err)
		}
		features += len(want.Coefs())
		if !reflect.DeepEqual(got.Coefs(), want.Coefs()) ||
			!reflect.DeepEqual(got.(engines.Reporter).Fitted(), want.(engines.Reporter).Fitted()) {
			t.Errorf("%s, setting %d: %v, tpc %v", e.Search, transfer.Setting, got.Coefs(), want.Coefs())
		}
	}
	if features < 40 {
		t.Errorf("only %d features in all models: the test shows nothing", features)
	}
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
		{withTransfer(func(*Transfer) {}),
			map[string]Count{"tp": {2, 1}, "word": {2, 1}, "obj": {1, 2}, "_none": {1, 2}},
			map[string]Count{"tp_1": {2, 1}, "word_the": {1, 2}, "word_a": {2, 1}, "loose": {1, 2}}},
		{withTransfer(func(t *Transfer) { t.Absent = absentSkip }),
			map[string]Count{"tp": {2, 1}, "word": {2, 1}, "obj": {1, 2}, "_none": {1, 2}},
			map[string]Count{"tp_1": {2, 1}, "tp_2": {0, 2}, "word_the": {1, 1}, "word_a": {2, 1}, "loose": {1, 1}}},
		{withTransfer(func(t *Transfer) { t.Setting = settingFeatures }), map[string]Count{},
			map[string]Count{"tp_1": {2, 1}, "word_the": {1, 2}, "word_a": {2, 1}, "loose": {1, 2}}},
		{withTransfer(func(t *Transfer) { t.Setting, t.Absent = settingSemantic, absentSkip }),
			map[string]Count{"tp": {2, 1}}, map[string]Count{"tp_1": {2, 1}, "tp_2": {0, 2}}},
		{withTransfer(func(t *Transfer) { t.Setting = settingSyntactic }),
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
	c, err := readClasses(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	code := p.newCoder(codeTerms{classes: c}).(*classCode)
	var out [3][]float64
	for class := range c.names {
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
		{"thesis", withTransfer(func(*Transfer) {}), [3][]float64{
			{lg(5. / 3), lg(5. / 2), lg(5)}, {1, 1, 1}, {lg(4. / 3), 1, 1, 2, lg(3)}}},
		{"jmlr", withTransfer(func(t *Transfer) { t.Variant = variantJMLR }), [3][]float64{
			{lg(5. / 3), lg(5. / 2), lg(5)}, {lg(5. / 3), lg(5. / 2), 2}, {lg(4. / 3), 1, 1, 2, lg(3)}}},
		{"features alone", withTransfer(func(t *Transfer) { t.Setting = settingFeatures }), [3][]float64{
			{lg(3), lg(3), lg(3)}, {1, 1, 1}, {lg(4. / 3), 1, 1, 2, lg(3)}}},
		{"semantic, jmlr", withTransfer(func(t *Transfer) { t.Setting, t.Variant = settingSemantic, variantJMLR }), [3][]float64{
			{lg(5. / 3), lg(3), lg(3)}, {lg(5. / 3), lg(3), lg(3)}, {lg(4. / 3), 1, 1, 1, 0}}},
		{"syntactic", withTransfer(func(t *Transfer) { t.Setting = settingSyntactic }), [3][]float64{
			{lg(3), lg(5. / 2), lg(5)}, {1, 1, 1}, {1, 1, 1, 2, lg(3)}}},
		{"strong imagination", withTransfer(func(t *Transfer) { t.A, t.B, t.C0, t.D0 = 2, 6, 3, 5 }), [3][]float64{
			{lg(10. / 4), lg(10. / 3), lg(10. / 2)}, {1, 1, 1}, {1, lg(10. / 4), lg(10. / 4), lg(10. / 3), lg(10. / 3)}}},
	} {
		got := prices(t, c.transfer.Prior(donors, f), f)
		for k := range c.want {
			oracle.NearAll(t, fmt.Sprint(c.name, " ", k), got[k][:len(c.want[k])], c.want[k], 1e-12)
		}
	}
}

// With donors the ledger still adds up, and donors that have a feature make a model take it that tpc passes over.
func TestTransferLedger(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	changed := 0
	for k := range 30 {
		x, y, classes := randomCase(rng)
		view := viewOf(x, y, classes)
		var donors []Donor
		for range 1 + rng.IntN(6) {
			donors = append(donors, NewDonor(view.Features(), rng.Perm(len(x))[:1+rng.IntN(3)]))
		}
		e := with(func(e *MDL) { e.Code, e.Search = codeTPC, searchNames()[k%3] })
		transfer := withTransfer(func(t *Transfer) { t.Variant = []string{variantThesis, variantJMLR}[k%2] })
		plain, _, err := fit(t, e, view)
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := fit(t, e.WithPrior(transfer.Prior(donors, view.Features())), view)
		if err != nil {
			t.Fatal(err)
		}
		d := m.(engines.Reporter).Fitted().Description
		length := d.Null
		for _, c := range m.Coefs() {
			length += c.Bits.Paid() - c.Bits.Saved - c.Bits.Refined
		}
		oracle.Near(t, "description length", length, d.Length(), 1e-7)
		if len(m.Coefs()) != len(plain.Coefs()) {
			changed++
		}
	}
	if changed == 0 {
		t.Error("no donor ever changed a model")
	}
}

func TestTransferSuite(t *testing.T) {
	donors := []Donor{{Selected: []Feature{{"x0", "a"}, {"x5", "c"}}}, {Selected: []Feature{{"x2", "c"}}}}
	features := named("x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11")
	e := with(func(e *MDL) { e.Code = codeTPC })
	enginetest.Suite(t, numbers{e.WithPrior(DefaultTransfer().Prior(donors, features))})
}

func TestTransferRefusals(t *testing.T) {
	prior := DefaultTransfer().Prior(nil, named("a_1"))
	for _, c := range []struct {
		change func(*Transfer)
		want   string
	}{
		{func(t *Transfer) { t.Setting = 5 }, "setting: 5"},
		{func(t *Transfer) { t.Variant = "book" }, `variant: "book"`},
		{func(t *Transfer) { t.Setting, t.Semantic = settingSemantic, nil }, "semantic: setting 3"},
		{func(t *Transfer) { t.Semantic = []string{""} }, "semantic: a class without"},
		{func(t *Transfer) { t.Absent = "guess" }, `absent: "guess"`},
		{func(t *Transfer) { t.A = 0 }, "a: 0"},
		{func(t *Transfer) { t.B = -1 }, "b: -1"},
		{func(t *Transfer) { t.C0 = math.NaN() }, "c0: NaN"},
		{func(t *Transfer) { t.D0 = math.Inf(1) }, "d0: +Inf"},
	} {
		bad := prior
		c.change(&bad.Transfer)
		err := with(func(e *MDL) { e.Code = codeTPC }).WithPrior(bad).Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if err := with(func(*MDL) {}).WithPrior(prior).Validate(); err == nil || !strings.Contains(err.Error(), "code: ric2") {
		t.Errorf("ric2 took a prior: %v", err)
	}
	e := with(func(e *MDL) { e.Code = CodeTransfer })
	if err := e.Validate(); err != nil || !e.Needs().FeatureClasses {
		t.Errorf("code transfer-tpc: %v, needs %+v", err, e.Needs())
	}
	view := viewOf([][]float64{{0, 1, 0, 1}}, [][]float64{{0, 1, 1, 0}}, []int32{0})
	if _, _, err := fit(t, e, view); err == nil || !strings.Contains(err.Error(), "models of other tasks") || !strings.Contains(err.Error(), "family") {
		t.Errorf("a fit without a prior: %v", err)
	}
}
