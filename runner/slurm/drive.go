package slurm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tenfold/io/files"
	"tenfold/runner/shard"
)

// Drive carries a run through a cluster in rounds: what is left is packed into shards and submitted; when no task is left, the
// next round takes what they did not store. All that it knows lies in the run's folder, so that another process goes on
// where this one ended.
type Drive struct {
	*Cluster
	Profile
	Base shard.Plan // of every round, but for its shards
	Name string     // of the experiment
	// Left is the units that could run now and have no outcome yet: without those that wait for others.
	Left func() ([]shard.Work, error)
	// Tell hears how the tasks of the round stand.
	Tell func(Queue)
	// Every is the time between two looks at the queue.
	Every time.Duration
	// Settle is how long outcomes may take to be seen from here after their task has ended.
	Settle time.Duration

	tasks, slots int // limits of the cluster; 0 before they are asked for
}

// round is a plan of shards with its jobs.
type round struct {
	number int
	plan   *shard.Plan
	Jobs   []job `json:"jobs"`
	Over   bool  `json:"over"` // no task of it is left
}

// job is an array that runs some shards of the round, in order.
type job struct {
	ID    string `json:"id"`
	First int    `json:"first"`
	Tasks int    `json:"tasks"`
}

// GaveUp is the error of units that were submitted as often as the profile allows.
type GaveUp []string

func (g GaveUp) Error() string { return strings.Join(g, "\n") }

// Run submits until nothing is left. An error of type GaveUp: some units are still missing. Where ctx ends the jobs go on;
// Run again attaches to them.
func (d *Drive) Run(ctx context.Context) error {
	var gone GaveUp
	last, err := d.attach(ctx)
	for {
		if err != nil {
			return err
		}
		if err = d.wait(ctx, last); err != nil {
			return err
		}
		var next *shard.Plan
		if next, err = d.next(ctx, last, &gone); err != nil {
			return err
		}
		if next == nil {
			if len(gone) > 0 {
				return gone
			}
			return nil
		}
		last, err = d.submit(ctx, next)
	}
}

// Submit what is left, unless jobs of an earlier round are there, and return at once.
func (d *Drive) Submit(ctx context.Context) (jobs []string, err error) {
	last, err := d.attach(ctx)
	if err != nil {
		return nil, err
	}
	if q, err := d.Queue(ctx, last.ids()); err != nil || q.Waiting+q.Running > 0 {
		return last.ids(), err
	}
	var gone GaveUp
	next, err := d.next(ctx, last, &gone)
	switch {
	case err != nil:
		return nil, err
	case next == nil && len(gone) > 0:
		return nil, gone
	case next == nil:
		return nil, nil
	}
	last, err = d.submit(ctx, next)
	return last.ids(), err
}

// Jobs of the latest round that may still be in the queue.
func (d *Drive) Jobs() []string {
	jobs, _ := JobsOf(d.Base.Run) // what cannot be read names none
	return jobs
}

// JobsOf the latest round in a run's folder, unless it is over.
func JobsOf(run string) ([]string, error) {
	r, err := latest(run)
	if r == nil || r.Over || err != nil {
		return nil, err
	}
	return r.ids(), nil
}

// Over writes down that no task of the latest round is left: they were cancelled.
func Over(run string) error {
	r, err := latest(run)
	if r == nil || err != nil {
		return err
	}
	r.Over = true
	return r.write(run)
}

// attach to the latest round of the folder; nil when there is none, or it is over: what is left then is asked for anew.
func (d *Drive) attach(ctx context.Context) (*round, error) {
	r, err := latest(d.Base.Run)
	if r == nil || err != nil || r.Over {
		return nil, err
	}
	for k, a := range arrays(r.plan.Shards, d.most(ctx)) { // the process may have ended between submitting and writing it down
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

func (d *Drive) most(ctx context.Context) int {
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

// latest round in a run's folder.
func latest(run string) (*round, error) {
	rounds, err := shard.Rounds(run)
	if len(rounds) == 0 || err != nil {
		return nil, err
	}
	r := &round{number: rounds[len(rounds)-1]}
	if r.plan, err = shard.Read(run, r.number); err != nil {
		return nil, err
	}
	content, err := files.Root(run).ReadFile(r.file(), mostJobs)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(content, r)
	}
	for _, id := range r.ids() {
		if err == nil {
			err = isJob(id)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", files.Root(run).Path(r.file()), err)
	}
	return r, nil
}

// mostJobs is the size of a file of jobs that is read, in bytes.
const mostJobs = 1 << 26

// file of a round's jobs, in the run's folder.
func (r *round) file() string { return beside(r.number, ".jobs") }

// beside is a file of a round, in the run's folder, by what its name has after the number.
func beside(number int, rest string) string {
	plan := shard.Path("", number)
	return filepath.ToSlash(strings.TrimSuffix(plan, filepath.Ext(plan))) + rest
}

func (r *round) write(run string) error {
	return files.Root(run).Replace(r.file(), func(w io.Writer) error { return json.NewEncoder(w).Encode(r) })
}

func (r *round) ids() []string {
	if r == nil {
		return nil
	}
	var ids []string
	for _, j := range r.Jobs {
		ids = append(ids, j.ID)
	}
	return ids
}

// jobName is the same for the same array of the same round of the same folder, and no other.
func (d *Drive) jobName(number, array int) string {
	sum := sha256.Sum256([]byte(d.Base.Run))
	return fmt.Sprintf("tenfold-%s-%s-%d-%d", d.Name, hex.EncodeToString(sum[:4]), number, array)
}

// wait until no task of the round waits or runs.
func (d *Drive) wait(ctx context.Context, r *round) error {
	if r == nil || r.Over {
		return nil
	}
	for pause := d.Every / 4; ; pause = min(2*pause, d.Every) { // short rounds are seen to end soon
		q, err := d.Queue(ctx, r.ids())
		if err != nil {
			return err
		}
		if len(q.Held) > 0 { // they would wait for ever; their shards are submitted again
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
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
	d.Tell(Queue{})
	left, err := d.Left()
	if err == nil && r.lacks(left) {
		err = sleep(ctx, d.Settle)
	}
	if err != nil {
		return err
	}
	r.Over = true
	return r.write(d.Base.Run)
}

// lacks tells whether a unit of the round is among those left.
func (r *round) lacks(left []shard.Work) bool {
	is := map[string]bool{}
	for _, w := range left {
		is[w.Key] = true
	}
	return slices.ContainsFunc(r.plan.Shards, func(s shard.Shard) bool {
		return slices.ContainsFunc(s.Units, func(key string) bool { return is[key] })
	})
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return context.Cause(ctx)
}

// next round's plan: the shards of the last one that left something undone, with what they lacked, and whatever else can run
// by now. nil when that is nothing.
func (d *Drive) next(ctx context.Context, last *round, gone *GaveUp) (*shard.Plan, error) {
	left, err := d.Left()
	if err != nil || len(left) == 0 {
		return nil, err
	}
	work := map[string]shard.Work{}
	for _, w := range left {
		work[w.Key] = w
	}
	again, err := d.again(ctx, last, work, gone)
	if err != nil {
		return nil, err
	}
	left = slices.DeleteFunc(left, func(w shard.Work) bool { _, fresh := work[w.Key]; return !fresh })
	d.most(ctx)
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

// again are the shards of a round that left units undone, asking for more where that was why. It takes their units out of
// work. A task that ran into its limit was at one of its units, which one is not known: they stay together.
func (d *Drive) again(ctx context.Context, last *round, work map[string]shard.Work, gone *GaveUp) (shards []shard.Shard, err error) {
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
			*gone = append(*gone, fmt.Sprintf("shard %d %s with %d of its units to run, and was submitted %d times, the last time with %s; it printed last: %s",
				i, ends[i], len(lacking), s.Attempt, s.Ask, d.said(last, i)))
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

// logOf is the file of what the task of a shard prints, in the run's folder; sbatch's pattern for those of all tasks where task is %a.
func logOf(number int, job, task string) string { return beside(number, "-"+job+"_"+task+".log") }

// said is the last that the task of shard i printed.
func (d *Drive) said(r *round, i int) string {
	for _, j := range r.Jobs {
		if j.First <= i && i < j.First+j.Tasks {
			return lastLine(files.Root(d.Base.Run), logOf(r.number, j.ID, strconv.Itoa(i-j.First)))
		}
	}
	return "nothing"
}

// lastLine of a file that is not empty.
func lastLine(in files.Root, name string) string {
	f, err := in.Open(name)
	if err != nil {
		return "nothing"
	}
	defer f.Close()
	const most = 1 << 16 // bytes of its end that are looked at
	if info, err := f.Stat(); err == nil && info.Size() > most {
		_, _ = f.Seek(-most, io.SeekEnd) // where it fails, its beginning is looked at
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

// arrays of shards that ask for the same, none with more than so many tasks.
func arrays(shards []shard.Shard, most int) []job {
	var jobs []job
	for i, s := range shards {
		if n := len(jobs); n > 0 && shards[jobs[n-1].First].Ask == s.Ask && jobs[n-1].Tasks < most {
			jobs[n-1].Tasks++
			continue
		}
		jobs = append(jobs, job{First: i, Tasks: 1})
	}
	return jobs
}

// submit a plan as a new round.
func (d *Drive) submit(ctx context.Context, p *shard.Plan) (*round, error) {
	path, number, err := p.Write()
	if err != nil {
		return nil, err
	}
	r := &round{number: number, plan: p}
	for k, j := range arrays(p.Shards, d.most(ctx)) {
		ask := p.Shards[j.First].Ask
		j.ID, err = d.Cluster.Submit(ctx, Array{
			Name: d.jobName(number, k), Script: d.script(path, j.First), Tasks: j.Tasks, AtOnce: d.AtOnce,
			Time: ask.Time, Memory: ask.Memory, CPUs: d.CPUs, Output: files.Root(d.Base.Run).Path(logOf(number, "%A", "%a")), Flags: d.flags(),
		})
		if err != nil {
			return r, err
		}
		r.Jobs = append(r.Jobs, j)
		if err := r.write(d.Base.Run); err != nil {
			return r, err
		}
	}
	return r, nil
}
