package slurm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Array is a job array to submit: so many tasks of one script.
type Array struct {
	Name   string
	Script string // shell; SLURM_ARRAY_TASK_ID numbers its tasks from 0
	Tasks  int
	AtOnce int           // tasks that may run at the same time; 0 for any number
	Time   time.Duration // limit of each task; 0 for the partition's own
	Memory int64         // bytes that each may use
	CPUs   int           // of each
	Output string        // file of what a task prints; %a is its number
	Folder string        // that it runs in
	Flags  []string      // further ones of sbatch
}

// Limits of the cluster: how many tasks an array may have, and how many processors there are.
func (c *Cluster) Limits(ctx context.Context, partition string) (tasks, slots int, err error) {
	out, err := c.ask(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, 0, err
	}
	tasks = 1001 // Slurm's default
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(name) == "MaxArraySize" {
			if tasks, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return 0, 0, fmt.Errorf("scontrol show config: MaxArraySize is %q", strings.TrimSpace(value))
			}
		}
	}
	// MaxArraySize is one above the highest number of a task, and numbers begin at 0: so many tasks.
	args := []string{"-h", "-o", "%C"} // processors: allocated/idle/other/total
	if partition != "" {
		args = append(args, "-p", partition)
	}
	out, err = c.ask(ctx, "sinfo", args...)
	if err != nil {
		return tasks, 0, err
	}
	for line := range strings.Lines(out) {
		parts := strings.Split(strings.TrimSpace(line), "/")
		if len(parts) != 4 {
			continue
		}
		allocated, _ := strconv.Atoi(parts[0])
		idle, _ := strconv.Atoi(parts[1])
		slots = max(slots, allocated+idle)
	}
	return max(1, tasks), max(1, slots), nil
}

// Submit an array and return the number of its job. Where this user's jobs are all that are allowed, it waits for room.
func (c *Cluster) Submit(ctx context.Context, a Array) (job string, err error) {
	spec := fmt.Sprintf("--array=0-%d", a.Tasks-1)
	if a.AtOnce > 0 {
		spec += fmt.Sprintf("%%%d", a.AtOnce)
	}
	args := []string{"--parsable", "--job-name=" + a.Name, spec, "--output=" + a.Output, "--requeue", "--open-mode=append",
		"--ntasks=1", "--cpus-per-task=" + strconv.Itoa(max(1, a.CPUs))}
	if a.Folder != "" {
		args = append(args, "--chdir="+a.Folder)
	}
	if a.Time > 0 {
		args = append(args, "--time="+strconv.Itoa(int(math.Ceil(a.Time.Minutes()))))
	}
	if a.Memory > 0 {
		args = append(args, fmt.Sprintf("--mem=%dM", (a.Memory+1<<20-1)>>20))
	}
	args = append(args, a.Flags...)
	tried := false
	try := func() error {
		if tried { // the answer may have been lost, and the job be there
			if found, err := c.Named(ctx, a.Name); err == nil && len(found) > 0 {
				job = found[len(found)-1]
				return nil
			}
		}
		tried = true
		out, err := c.Run(ctx, a.Script, "sbatch", args...)
		if err != nil {
			return err
		}
		job, _, _ = strings.Cut(strings.TrimSpace(out), ";") // a cluster's name may follow
		if _, err := strconv.Atoi(job); err != nil {
			return fmt.Errorf("sbatch printed %q, expected the number of a job", strings.TrimSpace(out))
		}
		return nil
	}
	err = c.persist(ctx, full, 0, func() error { return c.persist(ctx, passing, c.GiveUp, try) })
	return job, err
}

// Queue is how the tasks of some jobs stand.
type Queue struct {
	Waiting, Running int
	Why              string   // the reason that most of those waiting wait, in Slurm's words; "" where it has none
	Held             []string // of those waiting, the ones that Slurm failed to start and will not try again by itself
}

// held are the reasons of such tasks.
var held = []string{"launch failed requeued held", "JobHoldMaxRequeue"}

// Queue of jobs; those that ended are not in it.
func (c *Cluster) Queue(ctx context.Context, jobs []string) (q Queue, err error) {
	if len(jobs) == 0 {
		return q, nil
	}
	out, err := c.ask(ctx, "squeue", "-h", "-r", "-o", "%T|%i|%r", "-j", strings.Join(jobs, ","))
	if says(err, []string{"invalid job id"}) { // forgotten: it ended a while ago
		if len(jobs) == 1 {
			return q, nil
		}
		for _, j := range jobs { // some of them are known
			one, err := c.Queue(ctx, []string{j})
			if err != nil {
				return q, err
			}
			q.Waiting, q.Running, q.Held, q.Why = q.Waiting+one.Waiting, q.Running+one.Running, append(q.Held, one.Held...), cmp.Or(q.Why, one.Why)
		}
		return q, nil
	}
	if err != nil {
		return q, err
	}
	reasons := map[string]int{}
	for line := range strings.Lines(out) {
		fields := strings.SplitN(strings.TrimSpace(line), "|", 3)
		if len(fields) != 3 {
			return q, fmt.Errorf("squeue printed %q, expected a state, a task and a reason", strings.TrimSpace(line))
		}
		switch fields[0] {
		case "RUNNING", "COMPLETING", "STAGE_OUT", "SIGNALING":
			q.Running++
		case "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL", "BOOT_FAIL", "DEADLINE", "PREEMPTED":
		default: // pending, suspended, requeued and the like
			q.Waiting++
			if slices.Contains(held, fields[2]) {
				q.Held = append(q.Held, fields[1])
			}
			if reasons[fields[2]]++; fields[2] != "None" && reasons[fields[2]] > reasons[q.Why] {
				q.Why = fields[2]
			}
		}
	}
	return q, nil
}

// Named are the active jobs with a name, the oldest first.
func (c *Cluster) Named(ctx context.Context, name string) ([]string, error) {
	out, err := c.ask(ctx, "squeue", "-h", "-o", "%F", "--name="+name)
	if err != nil {
		return nil, err
	}
	jobs := strings.Fields(out)
	slices.SortFunc(jobs, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return x - y
	})
	return slices.Compact(jobs), nil
}

// isJob refuses what is not the number of a job, or of a task in an array of jobs: numbers come from files, and other words are
// options to Slurm's commands.
func isJob(s string) error {
	job, task, array := strings.Cut(s, "_")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	if !digits(job) || array && !digits(task) {
		return fmt.Errorf("%.40q is not the number of a job", s)
	}
	return nil
}

// Cancel jobs. Those that ended already are passed over.
func (c *Cluster) Cancel(ctx context.Context, jobs []string) error {
	var errs []error
	for _, j := range jobs {
		if err := isJob(j); err != nil {
			errs = append(errs, err)
			continue
		}
		if _, err := c.ask(ctx, "scancel", j); err != nil && !says(err, []string{"invalid job id", "already completing or completed"}) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
