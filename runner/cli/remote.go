package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tenfold/engines/kind"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/io/status"
	"tenfold/runner"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
	"tenfold/runner/session"
	"tenfold/runner/settings"
	"tenfold/runner/shard"
	"tenfold/runner/slurm"
)

// errDetached is the end of a run whose jobs go on without it.
var errDetached = errors.New("detached")

// lookEvery is how often the queue is looked at, settle how long a shared file system may take to show what a node wrote.
const (
	lookEvery = 5 * time.Second
	settle    = 3 * time.Second
)

// profile of the cluster: the one that was named, or else the only one there is.
func profile(tool settings.Settings) (slurm.Profile, error) {
	var names []string
	for name := range tool.Profiles {
		names = append(names, name)
	}
	slices.Sort(names)
	name := strings.ToLower(tool.Profile) // as the settings' keys are
	switch {
	case name == "" && len(names) > 1:
		return slurm.Profile{}, invalid(fmt.Errorf("several profiles are in %s: choose one with --profile (have %s)", settings.File, strings.Join(names, ", ")))
	case name == "" && len(names) == 1:
		name = names[0]
	case name != "" && !slices.Contains(names, name):
		return slurm.Profile{}, invalid(fmt.Errorf("no profile %s in %s%s", tool.Profile, settings.File, kind.Choices(name, names)))
	}
	p, err := slurm.ReadProfile(tool.Profiles[name])
	if err != nil {
		return p, invalid(source.Named(fmt.Sprintf("%s: profile %s", settings.File, name), err))
	}
	if p.Command == "" {
		p.Command, err = os.Executable()
	}
	return p, err
}

// base is what the shards of a session have in common, with folders that hold on other hosts, too.
func (j job) base(frozen *plan.Frozen) (p shard.Plan, err error) {
	whole := func(path string) string {
		out, abs := filepath.Abs(path)
		err = errors.Join(err, abs)
		return out
	}
	p = shard.Plan{
		Run: whole(j.Dir), Cache: whole(j.tool.Cache), Retry: j.retry, Path: whole(frozen.Path), Spec: frozen.Experiment, Sets: frozen.Provenance().Data,
	}
	for _, dir := range j.tool.Data {
		p.Data = append(p.Data, whole(dir))
	}
	return p, err
}

// works are units as packing sees them.
func works(units []*plan.Unit) []shard.Work {
	number := map[*runner.Split]int{}
	out := make([]shard.Work, len(units))
	for i, u := range units {
		if _, seen := number[u.Split]; !seen {
			number[u.Split] = len(number)
		}
		out[i] = shard.Work{
			Key: u.Label.Unit, Time: u.Predicted, Limit: u.Limits.Time, Memory: runner.Itself + u.Need(), Data: number[u.Split],
		}
	}
	return out
}

// away runs what a session lacks on the cluster, and shows how far the nodes are.
type away struct {
	*slurm.Drive
	work  *session.Work
	meter *progress.Meter
	get   func(unit string) (*results.Outcome, bool, error)
}

func (a *App) away(j job, frozen *plan.Frozen) (*away, error) {
	p, err := profile(j.tool)
	if err != nil {
		return nil, err
	}
	cluster, err := slurm.New(a.warn)
	if err != nil {
		return nil, invalid(err)
	}
	base, err := j.base(frozen)
	if err != nil {
		return nil, err
	}
	w := &away{work: j.Work(), get: j.Outcome}
	w.Drive = &slurm.Drive{
		Cluster: cluster, Profile: p, Base: base, Name: j.File.Name, Every: lookEvery, Settle: settle, Tell: w.tell,
		Left: func() ([]shard.Work, error) {
			ready, err := w.work.Ready()
			return works(ready), err
		},
	}
	return w, nil
}

// tell the meter which units have ended, and what else is known.
func (w *away) tell(q slurm.Queue) {
	if _, err := w.work.Ready(); err != nil || w.meter == nil {
		return
	}
	for _, u := range w.work.Ended() {
		o, ok, err := w.get(u.Label.Unit)
		if err != nil || !ok {
			continue
		}
		w.meter.End(&u.Unit, o)
	}
	known := fmt.Sprintf("in the queue: %d tasks wait, %d run", q.Waiting, q.Running)
	if q.Running == 0 && q.Why != "" {
		known += "; why they wait: " + q.Why
	}
	w.meter.Elsewhere(known)
}

// remote is fit on the cluster.
func (a *App) remote(ctx context.Context, j job, frozen *plan.Frozen, file *status.Writer) error {
	w, err := a.away(j, frozen)
	if err != nil {
		return err
	}
	if file != nil {
		file.Executor = settings.Slurm
		if err := file.Put(status.Status{Total: len(j.units())}); err != nil {
			a.warn(err)
		}
	}
	if j.detach {
		jobs, err := w.Submit(ctx)
		if err != nil {
			return err
		}
		a.Voice().Say(slog.LevelInfo, "detached", detached(j, jobs), slog.Any("jobs", jobs))
		return errDetached
	}
	w.meter = progress.New(a.Voice(), file, j.units())
	err = w.Run(ctx)
	w.tell(slurm.Queue{})
	w.meter.Close()
	j.Refresh()
	if ctx.Err() != nil {
		return errors.Join(err, a.leave(w, j))
	}
	if gone := (slurm.GaveUp)(nil); errors.As(err, &gone) {
		for _, text := range gone {
			a.warn(errors.New(text))
		}
		return nil // the fits are missing, as the run will say
	}
	return err
}

func detached(j job, jobs []string) string {
	if len(jobs) == 0 {
		return j.File.Name + ": nothing to submit"
	}
	return fmt.Sprintf("%s: the jobs go on by themselves: %s. tenfold watch %s follows them, the same command without --detach waits for them and writes the results, tenfold cancel %s ends them",
		j.File.Name, strings.Join(jobs, ", "), j.Dir, j.Dir)
}

// leave a run that was interrupted: its jobs go on, unless whoever is there wants them to end.
func (a *App) leave(w *away, j job) error {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	jobs := w.Jobs()
	if len(jobs) == 0 {
		return nil
	}
	if isTerminal(os.Stdin) {
		fmt.Fprintf(a.Errs, "jobs %s are in the queue. Cancel them? [y/N] ", strings.Join(jobs, ", "))
		if agreed(ctx, os.Stdin) {
			return errors.Join(w.Cancel(ctx, jobs), slurm.Over(j.Dir))
		}
	}
	a.Voice().Say(slog.LevelInfo, "detached", detached(j, jobs), slog.Any("jobs", jobs))
	return nil
}

// queued tells whether jobs of the run may be in the queue of a cluster.
func (j job) queued() bool {
	if j.tool.Executor != settings.Slurm {
		return false
	}
	jobs, err := slurm.JobsOf(j.Dir)
	return err == nil && len(jobs) > 0
}

func (a *App) cancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel RUN...", Short: "End the jobs of runs on a cluster; what is stored stays", Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := areFolders(args); err != nil {
				return err
			}
			cluster, err := slurm.New(a.warn)
			if err != nil {
				return invalid(err)
			}
			var errs []error
			for _, dir := range args {
				jobs, err := slurm.JobsOf(dir)
				if err != nil {
					err = invalid(err)
				} else {
					err = cluster.Cancel(cmd.Context(), jobs)
				}
				if err == nil && len(jobs) > 0 {
					err = slurm.Over(dir)
				}
				if errs = append(errs, err); err == nil {
					fmt.Fprintf(a.Out, "%s: %s\n", dir, cancelled(jobs))
				}
			}
			return errors.Join(errs...)
		},
	}
}

func cancelled(jobs []string) string {
	if len(jobs) == 0 {
		return "no jobs"
	}
	return "cancelled " + strings.Join(jobs, ", ")
}
