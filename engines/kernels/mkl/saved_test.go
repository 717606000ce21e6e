package mkl

import (
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/response"
)

var kept = engines.Models{SavedAs: Restore}

func TestKept(t *testing.T) {
	for name, c := range map[string]struct {
		e     MKL
		needs engines.Needs
	}{
		"numbers":            {with(func(e *MKL) { e.Lambda = 0.01 }), engines.Needs{Target: data.Real}},
		"no kernel":          {with(func(e *MKL) { e.Lambda = 1e6 }), engines.Needs{Target: data.Real}},
		"classes":            {with(func(e *MKL) { e.Lambda = 0.01 }), engines.Needs{Target: data.Class, Levels: 2}},
		"classes as numbers": {with(func(e *MKL) { e.Loss, e.Lambda = response.Squared, 0.01 }), engines.Needs{Target: data.Class, Levels: 2}},
		"means, in classes of columns": {with(func(e *MKL) { e.Products, e.Lambda = byMean, 0.01 }),
			engines.Needs{Target: data.Real, FeatureClasses: true, Binary: true}},
	} {
		m, on, err := enginetest.Fitted(c.e, c.needs)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := enginetest.Kept(m, kept, on); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDamaged(t *testing.T) {
	const state = `{"links":[{"logistic":true,"class":true}],"bias":0.5,"bases":[{"columns":[0,2],"x":{"end":[1,2],"column":[0,1],"value":[1,2]},"offset":[0,1],"scale":[1,1],` +
		`"mean":[0,1],"share":1,"self":[1,4]}],"all":[1,4],"together":1,"terms":[{"width":0.5,"base":0,"alpha":[1,-1]},{"degree":2,"base":-1,"alpha":[0,1]}],"fitted":{"best":-1}}`
	enginetest.Damaged(t, kept, SavedAs, state, data.NewFeatures([]string{"a", "b", "c"}), []enginetest.Damage{
		{`[{"logistic":true,"class":true}]`, `[]`, "it has 0 links, expected one"},
		{`[{"logistic":true,"class":true}]`, `[{},{}]`, "it has 2 links, expected one"},
		{`"all":[1,4]`, `"all":[1]`, "it is of 2 training rows, with inner products of 1 on all columns"},
		{`"all":[1,4]`, `"all":null`, "kernel 1: it is on base -1, which is not among the 1"},
		{`"columns":[0,2]`, `"columns":[0,3]`, "base 0: number 1 of those picked is 3"},
		{`"columns":[0,2]`, `"columns":[0]`, "base 0: 1 columns, with offsets of 2"},
		{`"offset":[0,1]`, `"offset":[0]`, "base 0: 2 columns, with offsets of 1, scales of 2 and means of 2"},
		{`"scale":[1,1]`, `"scale":[1]`, "base 0: 2 columns, with offsets of 2, scales of 1 and means of 2"},
		{`"mean":[0,1]`, `"mean":[0]`, "base 0: 2 columns, with offsets of 2, scales of 2 and means of 1"},
		{`"column":[0,1]`, `"column":[0,2]`, "base 0: "},
		{`"end":[1,2]`, `"end":[1,1,2]`, "base 0: 3 training rows and inner products of 2, expected 2"},
		{`"self":[1,4]`, `"self":[1]`, "it is of 1 training rows, with inner products of 2 on all columns"},
		{`"base":0`, `"base":1`, "kernel 0: it is on base 1, which is not among the 1"},
		{`"base":-1`, `"base":-2`, "kernel 1: it is on base -2, which is not among the 1"},
		{`"alpha":[1,-1]`, `"alpha":[1]`, "kernel 0: 1 weights of 2 training rows"},
		{`"degree":2`, `"degree":-1`, "kernel 1: its degree is -1"},
		{`"degree":2`, `"degree":101`, "kernel 1: its degree is 101"},
		{`"degree":2`, `"degree":100`, ""},
		{`,"fitted":{"best":-1}`, ``, `"fitted" is missing`},
	})
}

// Every row of a base has its inner product with itself, whichever base is the first.
func TestDamagedSecondBase(t *testing.T) {
	const base = `{"columns":[0],"x":{"end":[1,2],"column":[0,0],"value":null},"offset":[0],"scale":[1],"mean":[0],"share":1,"self":[1,4]}`
	const state = `{"links":[{}],"bias":0,"bases":[` + base + `,{"columns":[1],"x":{"end":[0,0],"column":[],"value":null},"offset":[0],"scale":[1],"mean":[0],"share":1,"self":[3,7]}],` +
		`"all":null,"together":0,"terms":[],"fitted":{"best":-1}}`
	enginetest.Damaged(t, kept, SavedAs, state, data.NewFeatures([]string{"a", "b"}), []enginetest.Damage{
		{`"self":[3,7]`, `"self":[3]`, "base 1: 2 training rows and inner products of 1, expected 2"},
		{`"end":[0,0]`, `"end":[0]`, "base 1: 1 training rows and inner products of 2, expected 2"},
	})
}
