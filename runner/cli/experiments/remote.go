package experiments

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tenfold/engines/suggest"
	"tenfold/io/results"
	"tenfold/io/status"
	"tenfold/runner"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/methods"
	"tenfold/runner/execute"
	"tenfold/runner/method/declaration"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
	"tenfold/runner/settings"
	"tenfold/runner/shard"
	"tenfold/runner/slurm"
)

// errDetached ends a run whose jobs go on without it.
var errDetached = errors.New("detached")

const (
	// pollInterval is the time between looks at the queue; fileLag is how long a shared file system may take to show
	// what a node wrote.
	pollInterval = 5 * time.Second
	fileLag      = 3 * time.Second
)

// chooseProfile returns the cluster profile that was named, or the only one there is.
func chooseProfile(tool settings.Settings) (slurm.Profile, error) {
	names := slices.Sorted(maps.Keys(tool.Profiles))
	name := tool.Profile
	switch {
	case name == "" && len(names) > 1:
		return slurm.Profile{}, app.Invalid(fmt.Errorf("%s: there are several: choose one with --profile (have %s)", tool.ProfilesFile, strings.Join(names, ", ")))
	case name == "" && len(names) == 1:
		name = names[0]
	case name != "" && !slices.Contains(names, name):
		return slurm.Profile{}, app.Invalid(fmt.Errorf("no profile %s in %s%s", tool.Profile, tool.ProfilesFile, suggest.Choices(name, names)))
	}
	p := slurm.Defaults
	if part, ok := tool.Profiles[name]; ok {
		if err := part.Decode(&p, "profile "+name); err != nil {
			return p, app.Invalid(err)
		}
	}
	var err error
	if p.Command == "" {
		p.Command, err = os.Executable()
	}
	return p, err
}

// basePlan returns what all shards of a session share, with absolute paths that hold on other hosts.
func (j Job) basePlan(frozen *plan.Frozen) (p shard.Plan, err error) {
	whole := func(path string) string {
		out, abs := filepath.Abs(path)
		err = errors.Join(err, abs)
		return out
	}
	p = shard.Plan{
		Run: whole(j.Dir), Cache: whole(j.Settings.Cache), Retry: j.retry, Path: whole(frozen.Path), Spec: frozen.Experiment, Sets: frozen.Provenance().Data,
		Own: j.File.Bound.Run,
	}
	for _, dir := range j.Settings.Data {
		p.Data = append(p.Data, whole(dir))
	}
	return p, err
}

// packingWork converts units to the items that shard.Pack distributes.
func packingWork(units []*plan.Unit) []shard.Work {
	number := map[*execute.Split]int{}
	out := make([]shard.Work, len(units))
	for i, u := range units {
		if _, seen := number[u.Split]; !seen {
			number[u.Split] = len(number)
		}
		out[i] = shard.Work{
			Key: u.Label.Unit, Time: u.Predicted, Limit: u.Limits.Time, Memory: execute.Itself + u.Need(), Data: number[u.Split],
		}
	}
	return out
}

// clusterRun runs what a session lacks on a cluster and shows the progress of the nodes.
type clusterRun struct {
	*slurm.Drive
	work  *runner.Work
	meter *progress.Meter
	get   func(unit string) (*results.Outcome, bool, error)
}

func (j Job) newClusterRun(frozen *plan.Frozen) (*clusterRun, error) {
	p, err := chooseProfile(j.Settings)
	if err != nil {
		return nil, err
	}
	cluster, err := slurm.New(j.Warn)
	if err != nil {
		return nil, app.Invalid(err)
	}
	if j.Host != nil { // who submits has allowed them
		p.Setup = append(slices.Clone(p.Setup), methods.AllowInJob(j.File))
		if slices.ContainsFunc(j.File.Methods, func(d *declaration.Declaration) bool { return d.Confined }) {
			p.Setup = append(p.Setup, "export "+methods.SandboxVariable+"=1")
		}
	}
	base, err := j.basePlan(frozen)
	if err != nil {
		return nil, err
	}
	w := &clusterRun{work: j.Work(), get: j.Outcome}
	w.Drive = &slurm.Drive{
		Cluster: cluster, Profile: p, Base: base, Name: j.File.Name, Every: pollInterval, Settle: fileLag, Tell: w.updateMeter,
		Left: func() ([]shard.Work, error) {
			ready, err := w.work.Ready()
			return packingWork(ready), err
		},
	}
	return w, nil
}

// updateMeter tells the progress meter which units have ended, and the state of the queue.
func (r *clusterRun) updateMeter(q slurm.Queue) {
	if _, err := r.work.Ready(); err != nil || r.meter == nil {
		return
	}
	for _, u := range r.work.Ended() {
		o, ok, err := r.get(u.Label.Unit)
		if err != nil || !ok {
			continue
		}
		r.meter.End(&u.Unit, o)
	}
	known := fmt.Sprintf("in the queue: %d tasks wait, %d run", q.Waiting, q.Running)
	if q.Running == 0 && q.Why != "" {
		known += "; why they wait: " + q.Why
	}
	r.meter.Elsewhere(known)
}

// runOnCluster runs what is missing on a cluster.
func (j Job) runOnCluster(ctx context.Context, frozen *plan.Frozen, file *status.Writer) error {
	w, err := j.newClusterRun(frozen)
	if err != nil {
		return err
	}
	if file != nil {
		file.Executor = settings.Slurm
		if err := file.Put(status.Status{Total: len(j.PendingUnits())}); err != nil {
			j.Warn(err)
		}
	}
	if j.detach {
		jobs, err := w.Submit(ctx)
		if err != nil {
			return err
		}
		j.Console().Say(slog.LevelInfo, "detached", detachedText(j, jobs), slog.Any("jobs", jobs))
		return errDetached
	}
	w.meter = progress.New(j.Console(), file, j.PendingUnits())
	err = w.Run(ctx)
	w.updateMeter(slurm.Queue{})
	w.meter.Close()
	j.Refresh()
	if ctx.Err() != nil {
		return errors.Join(err, j.detachOrCancel(w))
	}
	if gone := (slurm.GaveUp)(nil); errors.As(err, &gone) {
		for _, text := range gone {
			j.Warn(errors.New(text))
		}
		return nil // the run reports these fits as missing
	}
	return err
}

func detachedText(j Job, jobs []string) string {
	if len(jobs) == 0 {
		return j.File.Name + ": nothing to submit"
	}
	return fmt.Sprintf("%s: the jobs go on by themselves: %s. tenfold watch %s follows them, the same command without --detach waits for them and writes the results, tenfold cancel %s ends them",
		j.File.Name, strings.Join(jobs, ", "), j.Dir, j.Dir)
}

// detachOrCancel ends an interrupted run. Its jobs go on, unless the user at the terminal wants them cancelled.
func (j Job) detachOrCancel(w *clusterRun) error {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	jobs := w.Jobs()
	if len(jobs) == 0 {
		return nil
	}
	if app.IsTerminal(os.Stdin) {
		j.Notef("jobs %s are in the queue. Cancel them? [y/N] ", strings.Join(jobs, ", "))
		if app.AskYes(ctx, os.Stdin) {
			return errors.Join(w.Cancel(ctx, jobs), slurm.Over(j.Dir))
		}
	}
	j.Console().Say(slog.LevelInfo, "detached", detachedText(j, jobs), slog.Any("jobs", jobs))
	return nil
}

// hasQueuedJobs reports whether the run may have jobs in the queue of a cluster.
func (j Job) hasQueuedJobs() bool {
	if j.Settings.Executor != settings.Slurm {
		return false
	}
	jobs, err := slurm.JobsOf(j.Dir)
	return err == nil && len(jobs) > 0
}
