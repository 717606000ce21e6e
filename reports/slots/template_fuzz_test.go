package slots

import "testing"

// FuzzTemplate reads the text of cells: it is refused with a reason, or all of it is in the parts.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"{test_mse} ± {test_mse.se} ({nonzero})", "{f:0.5.micro.se}", "{}", "{a.b}", "{a", "a}", "{value.micro}", "{accuracy.1}", "{a.micro.median}", "{{a}}", "{.se}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse(text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		literal := 0
		for _, p := range got.Parts {
			if (p.text == "") == (p.Metric == "") || p.Metric != "" && p.Stat == "" {
				t.Errorf("%q: part %+v", text, p)
			}
			literal += len(p.text)
		}
		if literal > len(text) {
			t.Errorf("%q: %+v", text, got.Parts)
		}
	})
}
