package models

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tenfold/io/model"
	"tenfold/io/sanitize"
	"tenfold/runner/apply"
	"tenfold/runner/cli/app"
	"tenfold/runner/method"
)

// FeaturesCommand returns the command features.
func FeaturesCommand(a *app.App) *cobra.Command {
	format, raw := "table", false
	cmd := &cobra.Command{
		Use: "features MODEL", Short: "List what a model selected, and why", Args: app.CheckArguments(cobra.ExactArgs(1)),
		Long: "Lists the coefficients of a model file in order of entry: the feature, its class, the output that it adds to, the coefficient on the\n" +
			"scale of the prepared data, and its gain, or what it saved and took in bits; below them, the intercepts of the outputs.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.CheckFormat(format, "table", app.AsCSV, app.AsJSON); err != nil {
				return err
			}
			if _, err := app.RawFormat(format, raw); err != nil {
				return err
			}
			m, err := model.Read(args[0])
			if err != nil {
				return app.Invalid(err)
			}
			if format == app.AsCSV {
				return printFeatureCSV(a, m, raw)
			}
			opened, restorer, err := openModel(cmd.Context(), a, args[0], m)
			if err != nil {
				return err
			}
			if format == app.AsJSON {
				return printFeatureJSON(a, m, opened, restorer.Restored)
			}
			return printFeatureTable(a, m, opened, restorer.Restored)
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "table, csv or json")
	app.AddRawFlag(cmd, &raw)
	return cmd
}

type featureColumn struct {
	name string
	text func(f model.Feature) string
	says func(f model.Feature) bool // reports whether a value means something; nil if every value does
}

// featureColumns returns the columns in which some feature has a meaningful value.
func featureColumns(m *model.File, number func(float64) string) []featureColumn {
	order := featureColumn{name: "order", text: func(f model.Feature) string {
		if f.Rank < 0 {
			return ""
		}
		return strconv.Itoa(f.Rank + 1)
	}, says: func(f model.Feature) bool { return len(m.Selected) == 1 || f.Rank != m.Selected[0].Rank }}
	gain := featureColumn{name: "gain", text: func(f model.Feature) string { return number(float64(f.Score)) }, says: func(f model.Feature) bool { return f.Score != 0 }}
	text := func(name string, value func(f model.Feature) string) featureColumn {
		return featureColumn{name: name, text: value}
	}
	bits := func(name string, value func(b *model.Bits) float64) featureColumn {
		return text(name, func(f model.Feature) string {
			if f.Bits == nil {
				return ""
			}
			return number(value(f.Bits))
		})
	}
	all := []featureColumn{
		order,
		text("feature", func(f model.Feature) string { return f.Feature }),
		text("class", func(f model.Feature) string { return f.Class }),
		text("output", func(f model.Feature) string { return f.Output }),
		text("coefficient", func(f model.Feature) string { return number(float64(f.Coefficient)) }),
		gain,
		bits("saved", func(b *model.Bits) float64 { return float64(b.Saved + b.Refined) }),
		bits("paid", func(b *model.Bits) float64 { return float64(b.Class + b.Index + b.Subset + b.Coefficient) }),
		bits("net", func(b *model.Bits) float64 {
			return float64(b.Saved + b.Refined - b.Class - b.Index - b.Subset - b.Coefficient)
		}),
	}
	return slices.DeleteFunc(all, func(c featureColumn) bool {
		return !slices.ContainsFunc(m.Selected, func(f model.Feature) bool { return c.text(f) != "" && (c.says == nil || c.says(f)) })
	})
}

// featureRows returns the names of the columns, and a row of texts for each feature.
func featureRows(m *model.File, number func(float64) string) [][]string {
	rows := make([][]string, 1+len(m.Selected))
	for _, c := range featureColumns(m, number) {
		rows[0] = append(rows[0], c.name)
		for k, f := range m.Selected {
			rows[k+1] = append(rows[k+1], c.text(f))
		}
	}
	return rows
}

// numberFormatter formats numbers as strconv.FormatFloat does, and NaN as "".
func numberFormatter(format byte, precision int) func(float64) string {
	return func(x float64) string {
		if x != x {
			return ""
		}
		return strconv.FormatFloat(x, format, precision, 64)
	}
}

func printFeatureCSV(a *app.App, m *model.File, raw bool) error {
	out := sanitize.NewCSV(a.Raw, raw)
	for _, row := range featureRows(m, numberFormatter('g', -1)) {
		if err := out.Write(row); err != nil {
			return err
		}
	}
	return out.Flush()
}

func printFeatureTable(a *app.App, m *model.File, opened *apply.Model, restored []*method.Restored) error {
	a.Printf("%s\n%s\n", modelHeading(m), heldOutText(m))
	for _, r := range restored {
		a.Printf("method   %s: %s, in %s\n", r.Name, r.Was.Line(), r.Folder)
	}
	if len(m.Selected) == 0 {
		a.Printf("no feature: the model gives no column a coefficient\n")
		printDecision(a, opened)
		return nil
	}
	a.Printf("\n")
	t := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
	for _, row := range featureRows(m, numberFormatter('g', 6)) {
		app.WriteCells(t, row...)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	printDecision(a, opened)
	if units := featureUnits(m); units != "" {
		a.Printf("\n%s\n", units)
	}
	return nil
}

// printDecision prints the intercepts, and the rule by which a level is predicted where there is one.
func printDecision(a *app.App, opened *apply.Model) {
	for k, one := range opened.Intercepts() {
		if k == 0 {
			a.Printf("\n")
		}
		output := ""
		if one.Output != "" {
			output = " of " + one.Output
		}
		a.Printf("intercept%s: %s\n", output, numberFormatter('g', 6)(one.Value))
	}
	if cut := opened.Cut(); cut != "" {
		a.Printf("predicts %s\n", cut)
	}
}

// featureUnits explains units of the list that the column names do not tell.
func featureUnits(m *model.File) string {
	var units []string
	if slices.ContainsFunc(m.Preparation.Scale, func(s float64) bool { return s != 0 && s != 1 }) {
		units = append(units, "coefficients are of columns divided by their standard deviation")
	}
	if slices.ContainsFunc(m.Selected, func(f model.Feature) bool { return f.Bits != nil }) {
		units = append(units, "saved, paid and net are bits")
	}
	return strings.Join(units, "; ")
}

// printFeatureJSON prints the model file without what only predictions need.
func printFeatureJSON(a *app.App, m *model.File, opened *apply.Model, restored []*method.Restored) error {
	programs := make([]modelMethod, len(restored))
	for i, r := range restored {
		programs[i] = modelMethod{r.Name, r.Folder, r.Was.Command, r.Was.Version, r.Was.CodeDigest()}
	}
	e := json.NewEncoder(a.Raw)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Experiment string            `json:"experiment"`
		Dataset    string            `json:"dataset"`
		Task       string            `json:"task,omitempty"`
		Algorithm  string            `json:"algorithm"`
		Cell       string            `json:"cell"`
		Rows       int64             `json:"rows"`
		Held       *model.Held       `json:"held_out,omitempty"`
		Features   model.Selected    `json:"features"`
		Intercepts []apply.Intercept `json:"intercepts,omitempty"`
		Threshold  string            `json:"threshold,omitempty"`
		Methods    []modelMethod     `json:"methods,omitempty"`
	}{m.Experiment, m.Dataset, m.Task.Name, m.Algorithm, m.Cell, m.Fit.Rows, m.Held, m.Selected, opened.Intercepts(), opened.Cut(), programs})
}

// modelMethod is a method that a model predicts with.
type modelMethod struct {
	Name    string   `json:"name"`
	Folder  string   `json:"folder"`
	Command []string `json:"command"`
	Version string   `json:"version,omitempty"`
	Code    string   `json:"code,omitempty"` // digest
}
