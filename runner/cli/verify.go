package cli

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
	"tenfold/runner/plan"
	"tenfold/runner/recheck"
)

func (a *App) verifyCommand() *cobra.Command {
	sample, jobs, seed := "5%", []int{1, 2}, int64(0)
	cmd := &cobra.Command{
		Use: "verify RUN", Short: "Run a sample of cells again with several numbers of workers; all must agree", Args: arguments(cobra.ExactArgs(1)),
		Long: "Chosen cells of a run's folder are fitted anew, nothing stored being used, once for every number of workers.\n" +
			"Exit code 0: everything agrees; 3: some fit comes out differently; 4: the data or an engine changed since.",
		RunE: func(cmd *cobra.Command, args []string) error {
			share, err := readShare(sample)
			if err != nil {
				return invalid(err)
			}
			if slices.ContainsFunc(jobs, func(n int) bool { return n < 1 }) {
				return invalid(errors.New("--jobs: expected numbers of at least 1"))
			}
			return a.verify(cmd, args[0], share, jobs, seed)
		},
	}
	cmd.Flags().StringVar(&sample, "sample", sample, "how many of the cells: a share such as 5%, or a number")
	cmd.Flags().IntSliceVar(&jobs, "jobs", jobs, "numbers of workers to try, by commas")
	cmd.Flags().Int64Var(&seed, "seed", seed, "another one draws other cells")
	return cmd
}

// share of some things: a fraction, or a number of them.
type share struct {
	part  float64
	count int
}

func (s share) of(n int) int {
	if s.count > 0 {
		return min(s.count, n)
	}
	return min(n, int(math.Ceil(s.part*float64(n))))
}

// readShare reads 5%, 0.05 or 12.
func readShare(text string) (share, error) {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return share{count: n}, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x > 0 && x <= 1) {
		return share{}, fmt.Errorf("--sample %s: expected a share such as 5%%, or a number of cells", text)
	}
	return share{part: x}, nil
}

func (a *App) verify(cmd *cobra.Command, dir string, sample share, jobs []int, seed int64) error {
	frozen, err := a.readPlan(dir)
	if err != nil {
		return err
	}
	tables, err := results.Read(dir)
	if err != nil {
		return invalid(err)
	}
	r := &recorded{where: dir, spec: frozen.Experiment, path: frozen.Path, data: frozen.Provenance().Data, rows: recheck.Of(tables.Rows)}
	chosen := r.rows.Sample(frozen.Cells, sample.of, seed)
	if len(chosen) == 0 {
		return errors.Join(failure{ExitIncomplete, fmt.Errorf("%s: no cell ended well on all folds, so there is nothing to verify", dir)}, tables.Close())
	}
	for i := range tables.Rows {
		if row := &tables.Rows[i]; chosen[row.Cell] {
			whole, err := tables.Whole(row)
			if err != nil {
				return errors.Join(invalid(err), tables.Close())
			}
			r.rows[row.Unit] = whole
		}
	}
	if err := tables.Close(); err != nil {
		return err
	}
	var all recheck.Comparison
	first := map[string]*results.Row{} // what came out with the first number of workers
	for i, n := range jobs {
		c, rows, err := a.verifyWith(cmd, r, chosen, n)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if i == 0 {
				first[row.Unit] = row
			} else if words, _ := results.Difference(first[row.Unit], row); words != "" { // to the last bit, here
				c.Differs(&row.Label, fmt.Sprintf("with %s instead of %d, %s", count(n, "worker"), jobs[0], words))
			}
		}
		fmt.Fprintf(a.Out, "%s: %d of %s, %s: %s\n", count(n, "worker"), len(chosen), count(len(frozen.Cells), "cell"), count(c.Fits, "fit"), c)
		all.Join(c)
	}
	return a.verdict(dir, all)
}

// verifyWith fits the chosen cells in a folder of their own, which does not stay.
func (a *App) verifyWith(cmd *cobra.Command, r *recorded, chosen map[string]bool, jobs int) (c recheck.Comparison, rows []*results.Row, err error) {
	dir, err := os.MkdirTemp("", "tenfold-verify-")
	if err != nil {
		return c, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	flags := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError) // those of settings; --jobs is another one here
	flags.AddFlag(cmd.Flags().Lookup("data"))
	flags.AddFlag(cmd.Flags().Lookup("cache"))
	j, err := a.open(cmd.Context(), flags, r, dir, func(cell *plan.Cell) bool { return chosen[cell.Key] })
	if err != nil {
		return c, nil, err
	}
	j.jobs = jobs
	if c, rows, err = a.repeat(cmd.Context(), j, r); err != nil {
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
