package runs

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tenfold/io/results"
	"tenfold/io/results/difference"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/methods"
	"tenfold/runner/method/process"
	"tenfold/runner/plan"
	"tenfold/runner/recheck"
)

// VerifyCommand returns the command verify.
func VerifyCommand(a *app.App) *cobra.Command {
	sample, jobs, seed := "5%", []int{1, 2}, int64(0)
	cmd := &cobra.Command{
		Use: "verify RUN", Short: "Run a sample of cells again with several numbers of workers; all must agree", Args: app.CheckArguments(cobra.ExactArgs(1)),
		Long: "Chosen cells of a run's folder are fitted anew, nothing stored being used, once for every number of workers.\n" +
			"Exit code 0: everything agrees, but for fits of methods that are declared as not deterministic, and of searches that ended at their time, whose differences are listed; 3: some fit comes out differently; 4: the data or an engine changed since.",
		RunE: func(cmd *cobra.Command, args []string) error {
			share, err := parseSampleSize(sample)
			if err != nil {
				return app.Invalid(err)
			}
			if slices.ContainsFunc(jobs, func(n int) bool { return n < 1 }) {
				return app.Invalid(errors.New("--jobs: expected numbers of at least 1"))
			}
			return verifyRun(a, cmd, args[0], share, jobs, seed)
		},
	}
	cmd.Flags().StringVar(&sample, "sample", sample, "how many of the cells: a share such as 5%, or a number")
	cmd.Flags().IntSliceVar(&jobs, "jobs", jobs, "numbers of workers to try, by commas")
	cmd.Flags().Int64Var(&seed, "seed", seed, "another one draws other cells")
	methods.AddFlags(cmd)
	return cmd
}

// sampleSize is a fraction of the cells or a number of them.
type sampleSize struct {
	part  float64
	count int
}

// cellsOf returns how many of n cells are sampled, rounded up.
func (s sampleSize) cellsOf(n int) int {
	if s.count > 0 {
		return min(s.count, n)
	}
	return min(n, int(math.Ceil(s.part*float64(n))))
}

// parseSampleSize reads 5%, 0.05 or 12.
func parseSampleSize(text string) (sampleSize, error) {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return sampleSize{count: n}, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x > 0 && x <= 1) {
		return sampleSize{}, fmt.Errorf("--sample %s: expected a share such as 5%%, or a number of cells", text)
	}
	return sampleSize{part: x}, nil
}

func verifyRun(a *app.App, cmd *cobra.Command, dir string, sample sampleSize, jobs []int, seed int64) error {
	frozen, err := a.ReadPlan(dir)
	if err != nil {
		return err
	}
	tables, err := results.Read(dir)
	if err != nil {
		return app.Invalid(err)
	}
	r := &recorded{where: dir, spec: frozen.Experiment, path: frozen.Path, data: frozen.Provenance().Data, rows: recheck.Of(tables.Rows)}
	chosen := r.rows.Sample(frozen.Cells, sample.cellsOf, seed)
	if len(chosen) == 0 {
		return errors.Join(app.WithExit(app.ExitIncomplete, fmt.Errorf("%s: no cell ended well on all folds, so there is nothing to verify", dir)), tables.Close())
	}
	for i := range tables.Rows {
		if row := &tables.Rows[i]; chosen[row.Cell] {
			whole, err := tables.ReadAllParts(row)
			if err != nil {
				return errors.Join(app.Invalid(err), tables.Close())
			}
			r.rows[row.Unit] = whole
		}
	}
	if err := tables.Close(); err != nil {
		return err
	}
	var all recheck.Comparison
	first := map[string]*results.Row{} // rows computed with the first number of workers
	for i, n := range jobs {
		c, rows, err := verifyWithJobs(a, cmd, r, chosen, n)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if i == 0 {
				first[row.Unit] = row
			} else if words, _ := difference.Between(first[row.Unit], row); words != "" && !row.NotRepeatable() { // to the last bit, here
				c.Differs(&row.Label, fmt.Sprintf("with %s instead of %d, %s", app.Pluralize(n, "worker"), jobs[0], words))
			}
		}
		a.Printf("%s: %d of %s, %s: %s\n", app.Pluralize(n, "worker"), len(chosen), app.Pluralize(len(frozen.Cells), "cell"), app.Pluralize(c.Fits, "fit"), c)
		all.Join(c)
	}
	return printComparison(a, dir, all)
}

// verifyWithJobs fits the chosen cells in a temporary folder and compares them with what was recorded.
func verifyWithJobs(a *app.App, cmd *cobra.Command, r *recorded, chosen map[string]bool, jobs int) (c recheck.Comparison, rows []*results.Row, err error) {
	dir, err := process.Temporary("verify")
	if err != nil {
		return c, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	flags := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError) // flags of settings, without --jobs, which means something else here
	flags.AddFlag(cmd.Flags().Lookup("data"))
	flags.AddFlag(cmd.Flags().Lookup("cache"))
	flags.AddFlag(cmd.Flags().Lookup(methods.AllowFlag))
	flags.AddFlag(cmd.Flags().Lookup(methods.SandboxFlag))
	j, err := planAgain(cmd.Context(), a, flags, r, dir, func(cell *plan.Cell) bool { return chosen[cell.Key] })
	if err != nil {
		return c, nil, err
	}
	j.Jobs = jobs
	if c, rows, err = fitAgain(cmd.Context(), j, r); err != nil {
		return c, nil, err
	}
	planned := map[string]bool{}
	for _, cell := range j.Cells {
		planned[cell.Key] = true
	}
	for k := range chosen {
		if !planned[k] {
			c.Gone++
		}
	}
	return c, rows, nil
}
