package slurm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"tenfold/io/files"
	"tenfold/runner/shard"
)

// Drive runs work on a cluster in rounds: what is left is packed into shards and submitted; when no task of the round is
// left, the next round takes what was not stored. All its state is in the run's folder, so that another process can continue.
type Drive struct {
	*Cluster
	Profile
	Base shard.Plan // shared by every round, without shards
	Name string     // of the experiment
	// Left returns the units that can run now and have no outcome yet, without those that wait for others.
	Left func() ([]shard.Work, error)
	// Tell is called with the state of the round's tasks.
	Tell func(Queue)
	// Every is the time between two looks at the queue.
	Every time.Duration
	// Settle is how long outcomes may take to become visible here after their task has ended.
	Settle time.Duration

	tasks, slots int // limits of the cluster; 0 before they are asked for
}

// GaveUp is the error of units that were submitted as often as the profile allows.
type GaveUp []string

func (g GaveUp) Error() string { return strings.Join(g, "\n") }

// givenUp is the units that are not submitted again, and why.
type givenUp struct {
	units map[string]bool
	why   GaveUp
}

// Run submits rounds until nothing is left. A GaveUp error lists units that are still missing. When ctx ends the jobs go
// on; calling Run again attaches to them.
func (d *Drive) Run(ctx context.Context) error {
	gone := givenUp{units: map[string]bool{}}
	last, err := d.attachLatest(ctx)
	for {
		if err != nil {
			return err
		}
		if err = d.waitForRound(ctx, last); err != nil {
			return err
		}
		var next *shard.Plan
		if next, err = d.nextRound(ctx, last, &gone); err != nil {
			return err
		}
		if next == nil {
			if len(gone.why) > 0 {
				return gone.why
			}
			return nil
		}
		last, err = d.submitRound(ctx, next)
	}
}

// Submit submits what is left, unless jobs of an earlier round are queued, and returns at once.
func (d *Drive) Submit(ctx context.Context) (jobs []string, err error) {
	last, err := d.attachLatest(ctx)
	if err != nil {
		return nil, err
	}
	if q, err := d.Queue(ctx, last.jobIDs()); err != nil || q.Waiting+q.Running > 0 {
		return last.jobIDs(), err
	}
	gone := givenUp{units: map[string]bool{}}
	next, err := d.nextRound(ctx, last, &gone)
	switch {
	case err != nil:
		return nil, err
	case next == nil && len(gone.why) > 0:
		return nil, gone.why
	case next == nil:
		return nil, nil
	}
	last, err = d.submitRound(ctx, next)
	return last.jobIDs(), err
}

// Jobs returns the jobs of the latest round that may still be in the queue.
func (d *Drive) Jobs() []string {
	jobs, _ := JobsOf(d.Base.Run) // an unreadable file names no jobs
	return jobs
}

// Over records that no task of the latest round is left, because they were cancelled.
func Over(run string) error {
	r, err := latestRound(run)
	if r == nil || err != nil {
		return err
	}
	r.Over = true
	return r.writeJobs(run)
}

// attachLatest returns the latest round of the folder; nil if there is none or it is over.
func (d *Drive) attachLatest(ctx context.Context) (*round, error) {
	r, err := latestRound(d.Base.Run)
	if r == nil || err != nil || r.Over {
		return nil, err
	}
	for k, a := range groupArrays(r.plan.Shards, d.maxTasks(ctx)) { // the process may have ended between submitting and writing it down
		if k < len(r.Jobs) {
			continue
		}
		found, err := d.Named(ctx, d.jobName(r.number, k))
		if err != nil {
			return r, err
		}
		if len(found) > 0 {
			a.ID = found[0]
			r.Jobs = append(r.Jobs, a)
		}
	}
	return r, nil
}

func (d *Drive) maxTasks(ctx context.Context) int {
	if d.tasks == 0 {
		tasks, slots, err := d.Limits(ctx, d.Partition)
		if err != nil && d.Warn != nil {
			d.Warn(fmt.Errorf("the cluster does not tell its limits: %w", err))
		}
		d.tasks, d.slots = max(1, tasks), max(1, slots)
		if d.AtOnce > 0 {
			d.slots = min(d.slots, d.AtOnce)
		}
	}
	return d.tasks
}

// jobName identifies an array of a round of a folder, so that a job that was submitted but not written down is found again.
func (d *Drive) jobName(number, array int) string {
	sum := sha256.Sum256([]byte(d.Base.Run))
	return fmt.Sprintf("tenfold-%s-%s-%d-%d", d.Name, hex.EncodeToString(sum[:4]), number, array)
}

// waitForRound waits until no task of the round waits or runs.
func (d *Drive) waitForRound(ctx context.Context, r *round) error {
	if r == nil || r.Over {
		return nil
	}
	for pause := d.Every / 4; ; pause = min(2*pause, d.Every) { // poll more often at first, for short rounds
		q, err := d.Queue(ctx, r.jobIDs())
		if err != nil {
			return err
		}
		if len(q.Held) > 0 { // held tasks would wait for ever; their shards are submitted again
			if err := d.Cancel(ctx, q.Held); err != nil {
				return err
			}
			q.Waiting -= len(q.Held)
		}
		if q.Waiting+q.Running == 0 {
			break
		}
		d.Tell(q)
		if q.Waiting == 0 { // the end may be near
			pause = min(pause, d.Every/4)
		}
		if err := sleepContext(ctx, pause); err != nil {
			return err
		}
	}
	d.Tell(Queue{})
	left, err := d.Left()
	if err == nil && r.hasAnyOf(left) {
		err = sleepContext(ctx, d.Settle)
	}
	if err != nil {
		return err
	}
	r.Over = true
	return r.writeJobs(d.Base.Run)
}

func sleepContext(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return context.Cause(ctx)
}

// nextRound plans the next round: the shards of the last one that left units undone, with these units, and whatever else
// can run by now and was not given up. It returns nil if that is nothing.
func (d *Drive) nextRound(ctx context.Context, last *round, gone *givenUp) (*shard.Plan, error) {
	left, err := d.Left()
	if err != nil || len(left) == 0 {
		return nil, err
	}
	work := map[string]shard.Work{}
	for _, w := range left {
		if !gone.units[w.Key] {
			work[w.Key] = w
		}
	}
	again, err := d.retryShards(ctx, last, work, gone)
	if err != nil {
		return nil, err
	}
	left = slices.DeleteFunc(left, func(w shard.Work) bool { _, fresh := work[w.Key]; return !fresh })
	d.maxTasks(ctx)
	fresh := shard.Pack(left, d.slots)
	for i := range fresh {
		fresh[i].Ask = d.Ask(fresh[i])
	}
	p := d.Base
	p.Shards = append(again, fresh...)
	if len(p.Shards) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(p.Shards, func(a, b shard.Shard) int { return b.Ask.Compare(a.Ask) })
	return &p, nil
}

// retryShards returns the shards of a round that left units undone, and asks for more time or memory if that was the reason.
// It removes their units from work. Of a task that reached a limit it is not known at which unit, so its units stay together.
func (d *Drive) retryShards(ctx context.Context, last *round, work map[string]shard.Work, gone *givenUp) (shards []shard.Shard, err error) {
	if last == nil {
		return nil, nil
	}
	ends := map[int]End{} // by shard
	for _, j := range last.Jobs {
		tasks, err := d.Ends(ctx, j.ID)
		if err != nil {
			return nil, err
		}
		for i, end := range tasks {
			ends[j.First+i] = end
		}
	}
	for i, s := range last.plan.Shards {
		lacking := slices.DeleteFunc(slices.Clone(s.Units), func(key string) bool { _, is := work[key]; return !is })
		if len(lacking) == 0 {
			continue
		}
		for _, key := range lacking {
			delete(work, key)
		}
		s.Units = lacking
		if s.Attempt++; s.Attempt > d.Resubmit {
			for _, key := range lacking {
				gone.units[key] = true
			}
			gone.why = append(gone.why, fmt.Sprintf("shard %d %s with %d of its units to run, and was submitted %d times, the last time with %s; it printed last: %s",
				i, ends[i], len(lacking), s.Attempt, s.Ask, d.lastOutput(last, i)))
			continue
		}
		switch ends[i] {
		case TimedOut:
			s.Ask.Time *= 2
		case OutOfMemory:
			s.Ask.Memory *= 2
		}
		shards = append(shards, s)
	}
	return shards, nil
}

// lastOutput returns the last line that the task of shard i printed.
func (d *Drive) lastOutput(r *round, i int) string {
	for _, j := range r.Jobs {
		if j.First <= i && i < j.First+j.Tasks {
			return lastLine(files.Root(d.Base.Run), logFile(r.number, j.ID, strconv.Itoa(i-j.First)))
		}
	}
	return "nothing"
}

// lastLine returns the last line of a file that is not empty.
func lastLine(in files.Root, name string) string {
	f, err := in.Open(name)
	if err != nil {
		return "nothing"
	}
	defer f.Close()
	const most = 1 << 16 // bytes read from its end
	if info, err := f.Stat(); err == nil && info.Size() > most {
		_, _ = f.Seek(-most, io.SeekEnd) // if this fails, the beginning is read
	}
	content, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return "nothing"
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return "nothing"
}

// submitRound submits a plan as a new round.
func (d *Drive) submitRound(ctx context.Context, p *shard.Plan) (*round, error) {
	path, number, err := p.Write()
	if err != nil {
		return nil, err
	}
	r := &round{number: number, plan: p}
	for k, j := range groupArrays(p.Shards, d.maxTasks(ctx)) {
		ask := p.Shards[j.First].Ask
		j.ID, err = d.Cluster.Submit(ctx, Array{
			Name: d.jobName(number, k), Script: d.batchScript(path, j.First), Tasks: j.Tasks, AtOnce: d.AtOnce,
			Time: ask.Time, Memory: ask.Memory, CPUs: d.CPUs, Output: files.Root(d.Base.Run).Path(logFile(number, "%A", "%a")), Flags: d.sbatchFlags(),
		})
		if err != nil {
			return r, err
		}
		r.Jobs = append(r.Jobs, j)
		if err := r.writeJobs(d.Base.Run); err != nil {
			return r, err
		}
	}
	return r, nil
}
