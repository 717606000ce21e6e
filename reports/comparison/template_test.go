package comparison

import "testing"

func TestTemplateWithDottedMetric(t *testing.T) {
	tpl, err := parseTemplate("{f:0.5} ± {f:0.5.se}")
	if err != nil {
		t.Fatal(err)
	}
	if tpl.parts[0].metric != "f:0.5" || tpl.parts[2].metric != "f:0.5" || tpl.parts[2].stat != "se" {
		t.Errorf("parsed as %+v", tpl.parts)
	}
}
