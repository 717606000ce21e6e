package runs

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/status"
	"tenfold/runner"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/experiments"
	"tenfold/runner/cli/methods"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/method/declaration"
	"tenfold/runner/progress"
	"tenfold/runner/shard"
)

// ShardCommand returns the command shard.
func ShardCommand(a *app.App) *cobra.Command {
	var m progress.Mode
	cmd := &cobra.Command{
		Use: "shard PLAN I", Short: "Run shard I of a plan that was divided for a cluster", Args: app.CheckArguments(cobra.ExactArgs(2)),
		Long: "Fits the units of shard I, numbered from 0, of a plan of shards (RUN/shards/N.json, as tenfold plan --shards and\n" +
			"run --executor slurm write it) and stores their outcomes in the run's folder. Those that are stored already are passed\n" +
			"over, so a shard may be started again at any time. Any scheduler can run it: see docs/cluster.md.\n" +
			"Exit code 0: every unit of the shard has its outcome, whichever that is; 1: not all could be run.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.SetProgress(m); err != nil {
				return err
			}
			number, err := strconv.Atoi(args[1])
			if err != nil {
				return app.Invalid(fmt.Errorf("shard %q: expected a number", args[1]))
			}
			return runPlannedShard(a, cmd, args[0], number)
		},
	}
	methods.AddJobsFlag(cmd)
	app.AddProgressFlags(cmd, &m)
	return cmd
}

// runPlannedShard runs the shard of that number of the plan at path.
func runPlannedShard(a *app.App, cmd *cobra.Command, path string, number int) error {
	p, err := shard.ReadFile(path)
	if err != nil {
		return app.Invalid(err)
	}
	s, err := p.Shard(number)
	if err != nil {
		return app.Invalid(fmt.Errorf("%s: %w", path, err))
	}
	tool, err := a.ToolSettings(cmd.Flags())
	if err != nil {
		return err
	}
	places := runner.Places{Run: p.Run, Cache: p.Cache, Data: p.Data, Memory: app.ReadingMemory(tool), MemoryLimit: app.MemoryOptions(tool).Memory}
	for _, f := range []struct {
		name string
		set  func()
	}{{"cache", func() { places.Cache = tool.Cache }}, {"data", func() { places.Data = tool.Data }}} {
		if flag := cmd.Flag(f.name); flag != nil && flag.Changed { // the plan overrides variables of the node
			f.set()
		}
	}
	file, _, err := a.ParseStored(path, p.Path, p.Spec, algorithm.Methods{Kind: method.Describe})
	if err != nil {
		return err
	}
	var host *method.Host
	if file, host, err = methods.Bind(cmd.Context(), a, cmd.Flags(), file, p.Run, func(m algorithm.Methods) (*experiment.File, error) {
		m.Run = p.Own
		bound, _, err := a.ParseStored(path, p.Path, p.Spec, m)
		return bound, err
	}); err != nil {
		return err
	}
	open, err := runner.Open(cmd.Context(), file, places, runner.Choice{Retry: p.Retry}, a.Warn)
	if err != nil {
		return app.Invalid(fmt.Errorf("%s: %w", path, err))
	}
	r := recorded{where: path, data: p.Sets}
	if err := r.checkSameData(open); err != nil {
		return err
	}
	planned := open.Planned(s.Units)
	if planned < len(s.Units) {
		other := "it is another version than the one that divided it"
		if len(file.Methods) > 0 {
			other += ", or a method is not the same here: " + strings.Join(methodLines(file.Methods), "; ")
		}
		return app.WithExit(app.ExitIncomplete, fmt.Errorf("%s: %d of the %d units of shard %d are not in this tenfold's plan: %s", path, len(s.Units)-planned, len(s.Units), number, other))
	}
	open.Only(s.Units)
	tool.Cache = places.Cache
	j := experiments.Job{App: a, Session: open, Host: host, Jobs: tool.Jobs, Settings: tool}
	seen, err := status.Open(p.Run)
	if err != nil {
		a.Warn(err)
	}
	if seen != nil {
		seen.Helps, seen.Executor = true, "shard" // the process that submitted the shards counts the units
	}
	err = j.FitPending(cmd.Context(), seen, execute.FindOrigin(cmd.Context(), filepath.Dir(file.Path)))
	state, code, why := status.StateEnded, app.ExitOK, ""
	switch {
	case cmd.Context().Err() != nil:
		state, code = status.StateInterrupted, app.ExitInterrupted
	case err != nil:
		code, why = app.ExitCode(err), app.UserMessage(err)
	}
	if seen != nil {
		err = errors.Join(err, seen.End(state, code, why))
	}
	return err
}

// methodLines returns the commands, versions and digests of code of methods on this host.
func methodLines(methods []*declaration.Declaration) (lines []string) {
	for _, d := range methods {
		lines = append(lines, d.Name+": "+d.About)
	}
	return lines
}
