package mdl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
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

// Settings of the thesis.
const everything, syntactic = 1, 4

// prior of a case, where columns are named x0, x1, … and classes class0, class1, ….
func (o priorOptions) prior(classes []int32) codes.Prior {
	p := codes.Prior{Transfer: codes.DefaultTransfer(), Classes: map[string]codes.Count{}, Features: map[string]codes.Count{}}
	p.Setting, p.Variant = o.Setting, o.Variant
	for _, c := range o.Classes {
		p.Classes[fmt.Sprint("class", c[0])] = codes.Count{With: c[1], Without: c[2]}
	}
	for _, f := range o.Features {
		p.Features[fmt.Sprint("x", f[0])] = codes.Count{With: f[1], Without: f[2]}
	}
	if len(o.Uniform) > 0 && o.Setting == everything { // all but these
		p.Setting = syntactic
	}
	p.Semantic = []string{"no class of this name"}
	for _, c := range classes {
		if slices.Contains(o.Uniform, c) == (p.Setting == syntactic) {
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
	coder := func(included ...int32) codes.Coder {
		c := f.code.Make(f.done[0].newTerms(f.done[0].data))
		for _, j := range included {
			c.Include(codes.Entry{Column: j, Tasks: 1})
		}
		return c
	}
	bits := tolerance(t, c, "bits")
	if len(want.New) == 0 || len(want.Index) != view.Columns() {
		t.Fatalf("%d classes and %d columns with prices", len(want.New), len(want.Index))
	}
	for class := range want.New {
		j := int32(slices.Index(o.Classes, class))
		other := int32(slices.IndexFunc(o.Classes, func(c int32) bool { return c != class }))
		oracle.Near(t, fmt.Sprint("class_new_bits of ", class), coder().Price(codes.Entry{Column: j, Tasks: 1}).Class, want.New[class], bits)
		oracle.Near(t, fmt.Sprint("class_old_bits_Q2 of ", class), coder(j, other).Price(codes.Entry{Column: j, Tasks: 1}).Class, want.Old[class], bits)
	}
	for j, b := range want.Index {
		oracle.Near(t, fmt.Sprint("index_bits of ", j), coder().Price(codes.Entry{Column: int32(j), Tasks: 1}).Index, b, bits)
	}
}

// withTransfer changes the default transfer.
func withTransfer(change func(*codes.Transfer)) codes.Transfer {
	t := codes.DefaultTransfer()
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
			e.Code, e.Search = codes.TPC, searchNames()[k%3]
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
		transfer := withTransfer(func(t *codes.Transfer) { t.Setting, t.Semantic = 1+k%4, []string{"a"} })
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

// With donors the ledger still adds up, and donors that have a feature make a model take it that tpc passes over.
func TestTransferLedger(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	changed := 0
	for k := range 30 {
		x, y, classes := randomCase(rng)
		view := viewOf(x, y, classes)
		var donors []codes.Donor
		for range 1 + rng.IntN(6) {
			donors = append(donors, codes.NewDonor(view.Features(), rng.Perm(len(x))[:1+rng.IntN(3)]))
		}
		e := with(func(e *MDL) { e.Code, e.Search = codes.TPC, searchNames()[k%3] })
		transfer := withTransfer(func(t *codes.Transfer) { t.Variant = []string{"thesis", "jmlr"}[k%2] })
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
	donors := []codes.Donor{{Selected: []codes.Feature{{Name: "x0", Class: "a"}, {Name: "x5", Class: "c"}}}, {Selected: []codes.Feature{{Name: "x2", Class: "c"}}}}
	features := data.NewFeatures([]string{"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11"})
	e := with(func(e *MDL) { e.Code = codes.TPC })
	enginetest.Suite(t, numbers{e.WithPrior(codes.DefaultTransfer().Prior(donors, features))})
}

func TestTransferRefusals(t *testing.T) {
	prior := codes.DefaultTransfer().Prior(nil, data.NewFeatures([]string{"a_1"}))
	for _, c := range []struct {
		change func(*codes.Transfer)
		want   string
	}{
		{func(t *codes.Transfer) { t.Setting = 5 }, "setting: 5"},
		{func(t *codes.Transfer) { t.Variant = "book" }, `variant: "book"`},
		{func(t *codes.Transfer) { t.Setting, t.Semantic = 3, nil }, "semantic: setting 3"},
		{func(t *codes.Transfer) { t.Semantic = []string{""} }, "semantic: a class without"},
		{func(t *codes.Transfer) { t.Absent = "guess" }, `absent: "guess"`},
		{func(t *codes.Transfer) { t.A = 0 }, "a: 0"},
		{func(t *codes.Transfer) { t.B = -1 }, "b: -1"},
		{func(t *codes.Transfer) { t.C0 = math.NaN() }, "c0: NaN"},
		{func(t *codes.Transfer) { t.D0 = math.Inf(1) }, "d0: +Inf"},
	} {
		bad := prior
		c.change(&bad.Transfer)
		err := with(func(e *MDL) { e.Code = codes.TPC }).WithPrior(bad).Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if err := with(func(*MDL) {}).WithPrior(prior).Validate(); err == nil || !strings.Contains(err.Error(), "code: ric2") {
		t.Errorf("ric2 took a prior: %v", err)
	}
	e := with(func(e *MDL) { e.Code = codes.TransferTPC })
	if err := e.Validate(); err != nil || !e.Needs().FeatureClasses {
		t.Errorf("code transfer-tpc: %v, needs %+v", err, e.Needs())
	}
	view := viewOf([][]float64{{0, 1, 0, 1}}, [][]float64{{0, 1, 1, 0}}, []int32{0})
	if _, _, err := fit(t, e, view); err == nil || !strings.Contains(err.Error(), "models of other tasks") || !strings.Contains(err.Error(), "family") {
		t.Errorf("a fit without a prior: %v", err)
	}
}
