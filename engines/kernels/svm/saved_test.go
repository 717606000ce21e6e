package svm

import (
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

var kept = engines.Models{SavedAs: Restore, engines.LinearKind: engines.RestoreLinear}

func TestKept(t *testing.T) {
	for _, levels := range []int{2, 3} {
		for _, form := range []kernelForm{rbf, linear, polynomial} {
			for _, scale := range []string{unscaled, toUnit, toDeviation} {
				e := with(func(e *SVM) { e.Kernel, e.Scale, e.Coef0, e.Gamma = string(form), scale, 0.5, 0.3 })
				m, on, err := enginetest.Fitted(e, engines.Needs{Target: data.Class, Levels: levels})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := enginetest.Kept(m, kept, on); err != nil {
					t.Errorf("%s, %s, %d levels: %v", form, scale, levels, err)
				}
			}
		}
	}
}

func TestDamaged(t *testing.T) {
	const state = `{"kernel":{"form":"polynomial","gamma":0.5,"coef0":0.25,"degree":3},"scale":{"least":[0,0,0],"factor":[1,0,2]},"vectors":{"end":[1,3],"column":[0,1,2],"value":null},` +
		`"levels":3,"absent":[2],"machines":[{"for":0,"against":1,"vector":[0,1],"beta":[1,-1],"bias":0.5}],"fitted":{"best":-1}}`
	enginetest.Damaged(t, kept, SavedAs, state, data.NewFeatures([]string{"a", "b", "c"}), []enginetest.Damage{
		{`"polynomial"`, `"rbf"`, ""},
		{`"polynomial"`, `"linear"`, ""},
		{`"polynomial"`, `"cosine"`, `kernel: "cosine" is not one of`},
		{`"gamma":0.5`, `"gamma":-1`, "gamma: -1"},
		{`"coef0":0.25`, `"coef0":"NaN"`, "coef0: NaN"},
		{`"degree":3`, `"degree":21`, "degree: 21"},
		{`{"least":[0,0,0],"factor":[1,0,2]}`, `null`, ""},
		{`"least":[0,0,0]`, `"least":[0,0]`, "scales of 2 and 3 columns, expected 3"},
		{`"factor":[1,0,2]`, `"factor":[1,0,2,3]`, "scales of 3 and 4 columns, expected 3"},
		{`"column":[0,1,2]`, `"column":[0,1,3]`, "support vectors: "},
		{`"levels":3`, `"levels":1`, "1 levels, of 1 machines and 1 absent ones"},
		{`"levels":3`, `"levels":2`, "level 2 is absent, and there are 2"},
		{`"levels":3`, `"levels":4`, "4 levels, of 1 machines and 1 absent ones"},
		{`"absent":[2]`, `"absent":[-1]`, "level -1 is absent, and there are 3"},
		{`"absent":[2]`, `"absent":[3]`, "level 3 is absent, and there are 3"},
		{`"for":0`, `"for":3`, "machine 0 is for level 3 against 1, and there are 3"},
		{`"for":0`, `"for":-1`, "machine 0 is for level -1 against 1, and there are 3"},
		{`"against":1`, `"against":3`, "machine 0 is for level 0 against 3, and there are 3"},
		{`"against":1`, `"against":-1`, ""},
		{`"against":1`, `"against":-2`, "machine 0 is for level 0 against -2, and there are 3"},
		{`"vector":[0,1]`, `"vector":[0,2]`, "machine 0: number 1 of those picked is 2"},
		{`"vector":[0,1]`, `"vector":[1,0]`, "machine 0: number 1 of those picked is 0"},
		{`"beta":[1,-1]`, `"beta":[1]`, "machine 0: 1 weights of 2 support vectors"},
		{`"vector":[0,1],"beta":[1,-1]`, `"vector":[],"beta":null`, ""},
		{`"bias":0.5`, `"bias":{}`, "found {}"},
		{`"levels":3,`, ``, `"levels" is missing`},
	})
}
