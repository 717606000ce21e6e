package slots

import "testing"

func TestTemplateWithDottedMetric(t *testing.T) {
	tpl, err := Parse("{f:0.5} ± {f:0.5.se}")
	if err != nil {
		t.Fatal(err)
	}
	if tpl.Parts[0].Metric != "f:0.5" || tpl.Parts[2].Metric != "f:0.5" || tpl.Parts[2].Stat != "se" {
		t.Errorf("parsed as %+v", tpl.Parts)
	}
}
