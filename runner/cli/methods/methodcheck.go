package methods

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tenfold/engines/suggest"
	"tenfold/runner/cli/app"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/laws"
	"tenfold/runner/method/process"
)

// checkedMethod is a method with the findings of its check.
type checkedMethod struct {
	Method   string         `json:"method"`
	Findings []laws.Finding `json:"findings"`
}

func methodCheckCommand(a *app.App) *cobra.Command {
	format, o := app.AsText, laws.Options{}
	cmd := &cobra.Command{
		Use: "check FILE [NAME]", Short: "Hold the methods of an experiment file to what tenfold relies on, on generated data", Args: app.CheckArguments(cobra.RangeArgs(1, 2)),
		Long: "Runs each method, or the one of that name, some dozens of times on small data made for the purpose: docs/methods.md has the laws.\n" +
			"Exit code 0: none fails; 2: some law fails.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.CheckFormat(format, app.AsText, app.AsJSON); err != nil {
				return err
			}
			file, _, err := a.LoadFile(args[0], nil)
			if err != nil {
				return app.Invalid(err)
			}
			chosen := file.Methods
			if len(args) > 1 {
				chosen = slices.DeleteFunc(slices.Clone(chosen), func(d *declaration.Declaration) bool { return d.Name != args[1] })
			}
			if len(chosen) == 0 {
				return app.Invalid(noMethodError(args, file.Methods))
			}
			if _, err := AskConsent(cmd.Context(), a, cmd.Flags(), file.Path, programsOf(file)); err != nil {
				return err
			}
			if err := Confine(a, cmd.Flags(), chosen); err != nil {
				return err
			}
			return checkMethods(a, cmd, file, chosen, o, format)
		},
	}
	cmd.Flags().StringSliceVar(&o.Skip, "skip", nil, "laws to leave out, by commas")
	cmd.Flags().DurationVar(&o.Limit, "time", 2*time.Minute, "limit of the time of a fit and its predictions")
	cmd.Flags().StringVar(&format, "format", format, "of what is printed: text, json")
	AddFlags(cmd)
	return cmd
}

// noMethodError returns an error that names the methods there are.
func noMethodError(args []string, declared []*declaration.Declaration) error {
	if len(declared) == 0 {
		return fmt.Errorf("%s declares no methods", args[0])
	}
	var names []string
	for _, d := range declared {
		names = append(names, d.Name)
	}
	return fmt.Errorf("%s declares no method %s%s", args[0], args[1], suggest.Choices(args[1], names))
}

// settingsOf returns the words that algorithms of the experiment give to a method's parameters, other than the defaults, each
// combination once.
func settingsOf(d *declaration.Declaration, algorithms []algorithm.Algorithm) (settings []map[int]any) {
	for _, a := range algorithms {
		e, is := a.Engine.(method.Engine)
		if !is || e.Declaration() != d {
			continue
		}
		words := e.Words()
		same := func(w map[int]any) bool { return maps.Equal(w, words) }
		if !same(a.Defaults.(method.Engine).Words()) && !slices.ContainsFunc(settings, same) {
			settings = append(settings, words)
		}
	}
	return settings
}

func checkMethods(a *app.App, cmd *cobra.Command, file *experiment.File, chosen []*declaration.Declaration, o laws.Options, format string) error {
	var all []checkedMethod
	fails := 0
	for _, d := range chosen {
		if format == app.AsText {
			a.Printf("%s\n", d.Name)
			o.Tell = func(f laws.Finding) { printFinding(a, f) }
		}
		o.Settings = settingsOf(d, file.Algorithms)
		found, err := laws.Check(cmd.Context(), d, o)
		if err != nil {
			return app.Invalid(err)
		}
		counts := map[laws.Verdict]int{}
		for _, f := range found {
			counts[f.Verdict]++
		}
		fails += counts[laws.Fails]
		all = append(all, checkedMethod{d.Name, found})
		if format == app.AsText {
			a.Printf("%s: %d pass, %d fail, %d noted, %d skipped\n", d.Name, counts[laws.Passes], counts[laws.Fails], counts[laws.Noted], counts[laws.Skipped])
		}
	}
	if format == app.AsJSON {
		out := json.NewEncoder(a.Raw)
		out.SetIndent("", "  ")
		if err := out.Encode(all); err != nil {
			return err
		}
	}
	if fails > 0 {
		return app.Invalid(errors.New(app.Pluralize(fails, "law") + " not kept"))
	}
	return nil
}

// printFinding prints one line, with at most the last of a program's output, and below it what was expected if the verdict is fails
// or noted.
func printFinding(a *app.App, f laws.Finding) {
	found, _, _ := strings.Cut(f.Found, process.LastWords)
	a.Printf("  %-8s %-12s %s\n", f.Verdict, f.Law, found)
	if f.Verdict == laws.Fails || f.Verdict == laws.Noted {
		a.Printf("  %-8s %-12s expected: %s\n", "", "", f.Expected)
	}
}
