package reports

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/reports/comparison"
	"tenfold/reports/figure"
)

// TestDimensions: a name that nothing can have is refused at its place; one that a grid could vary is not.
func TestDimensions(t *testing.T) {
	t.Parallel()
	where := func(name string) map[string]string { return map[string]string{name: "x"} }
	for _, c := range []struct {
		config Config
		want   string // "" for none
	}{
		{Config{Tables: []comparison.Config{{Rows: "algorithm, epsilon", Columns: "metric", By: "dataset", Over: "data_rows", Filter: where("engine")}}}, ""},
		{Config{Tables: []comparison.Config{{Rows: "task", Columns: "point", Filter: where("patience")}}}, ""},
		{Config{Tables: []comparison.Config{{}, {Rows: "algorithm, epsilom"}}}, `tables[1].rows: unknown dimension "epsilom"; did you mean "epsilon"?`},
		{Config{Tables: []comparison.Config{{Columns: "zzz"}}}, `tables[0].columns: unknown dimension "zzz" (have dataset, algorithm, engine, metric, epsilon, data_rows, task, point)`},
		{Config{Tables: []comparison.Config{{By: "patienc"}}}, `tables[0].by: unknown dimension "patienc"; did you mean "patience"?`},
		{Config{Tables: []comparison.Config{{Over: "data_row"}}}, `tables[0].over: unknown dimension "data_row"; did you mean "data_rows"?`},
		{Config{Tables: []comparison.Config{{Filter: where("metric")}}}, `tables[0].filter.metric: unknown dimension "metric"`},
		{Config{Figures: []figure.Config{{Where: where("algoritm")}}}, `figures[0].where.algoritm: unknown dimension "algoritm"; did you mean "algorithm"?`},
	} {
		err := c.config.ValidateDimensions([]string{"epsilon", "data_rows", "task", "point"}, []string{"patience"})
		if got := fmt.Sprint(err); (err == nil) != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v:\ngot  %s\nwant %s", c.config, got, c.want)
		}
	}
	v := comparison.Published{Where: where("data_row")}
	if err := v.ValidateDimensions([]string{"data_rows"}, nil); err == nil || !strings.Contains(err.Error(), `did you mean "data_rows"?`) {
		t.Error(err)
	}
}

// The dimension kind is there where the report says of what kinds data sets are, each of one at most.
func TestKinds(t *testing.T) {
	t.Parallel()
	by := Config{Tables: []comparison.Config{{By: "kind", Rows: "algorithm", Columns: "dataset"}}}
	if err := by.ValidateDimensions(nil, nil); err == nil || !strings.Contains(err.Error(), `unknown dimension "kind"`) {
		t.Errorf("without kinds: %v", err)
	}
	by.Kinds = map[string][]string{"wide": {"colon", "leukemia"}, "text": {"PCMAC"}}
	if err := by.ValidateDimensions(nil, nil); err != nil {
		t.Error(err)
	}
	sets := [][2]string{{"colon", "colon"}, {"leukemia", "leukemia"}, {"PCMAC", "PCMAC"}}
	none := func(string) bool { return false }
	if err := by.ValidateNames(sets, nil, nil, none); err != nil {
		t.Error(err)
	}
	for want, kinds := range map[string]map[string][]string{
		`kinds.wide: no data set is called "colom"; did you mean "colon"?`: {"wide": {"colom"}},
		`kinds.wide: colon is of the kind "text" already`:                  {"text": {"colon"}, "wide": {"colon"}},
		`kinds: "a,b", expected words on one line, without commas`:         {"a,b": {"colon"}},
	} {
		if err := (Config{Kinds: kinds}).ValidateNames(sets, nil, nil, none); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", kinds, err, want)
		}
	}
}
