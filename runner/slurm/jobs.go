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

// Array is a job array to submit: tasks of one script.
type Array struct {
	Name   string
	Script string // shell; SLURM_ARRAY_TASK_ID numbers its tasks from 0
	Tasks  int
	AtOnce int           // tasks that may run at the same time; 0 for any number
	Time   time.Duration // limit of each task; 0 for the partition's default
	Memory int64         // bytes for each task
	CPUs   int           // for each task
	Output string        // file of a task's output; %a is its number
	Flags  []string      // further flags of sbatch
}

// Limits returns how many tasks an array may have, and how many processors there are.
func (c *Cluster) Limits(ctx context.Context, partition string) (tasks, slots int, err error) {
	out, err := c.runQuery(ctx, "scontrol", "show", "config")
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
	// MaxArraySize is one above the highest task number, which counts from 0.
	args := []string{"-h", "-o", "%C"} // processors: allocated/idle/other/total
	if partition != "" {
		args = append(args, "-p", partition)
	}
	out, err = c.runQuery(ctx, "sinfo", args...)
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

// Submit submits an array and returns the number of its job. If the user has as many jobs as allowed, it waits.
func (c *Cluster) Submit(ctx context.Context, a Array) (job string, err error) {
	spec := fmt.Sprintf("--array=0-%d", a.Tasks-1)
	if a.AtOnce > 0 {
		spec += fmt.Sprintf("%%%d", a.AtOnce)
	}
	args := []string{"--parsable", "--job-name=" + a.Name, spec, "--output=" + a.Output, "--requeue", "--open-mode=append",
		"--ntasks=1", "--cpus-per-task=" + strconv.Itoa(max(1, a.CPUs))}
	if a.Time > 0 {
		args = append(args, "--time="+strconv.Itoa(int(math.Ceil(a.Time.Minutes()))))
	}
	if a.Memory > 0 {
		args = append(args, fmt.Sprintf("--mem=%dM", (a.Memory+1<<20-1)>>20))
	}
	args = append(args, a.Flags...)
	tried := false
	try := func() error {
		if tried { // the job may exist although the answer was lost
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
	err = c.retry(ctx, limitErrors, 0, func() error { return c.retry(ctx, temporaryErrors, c.GiveUp, try) })
	return job, err
}

// Queue is the state of the tasks of some jobs.
type Queue struct {
	Waiting, Running int
	Why              string   // most frequent reason for waiting, in Slurm's words; "" if there is none
	Held             []string // those waiting that Slurm failed to start and will not try again by itself
}

var heldReasons = []string{"launch failed requeued held", "JobHoldMaxRequeue"}

// Queue returns the state of jobs, without tasks that ended.
func (c *Cluster) Queue(ctx context.Context, jobs []string) (q Queue, err error) {
	if len(jobs) == 0 {
		return q, nil
	}
	out, err := c.runQuery(ctx, "squeue", "-h", "-r", "-o", "%T|%i|%r", "-j", strings.Join(jobs, ","))
	if mentionsAny(err, []string{"invalid job id"}) { // forgotten: it ended a while ago
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
			if slices.Contains(heldReasons, fields[2]) {
				q.Held = append(q.Held, fields[1])
			}
			if reasons[fields[2]]++; fields[2] != "None" && reasons[fields[2]] > reasons[q.Why] {
				q.Why = fields[2]
			}
		}
	}
	return q, nil
}

// Named returns the active jobs with a name, the oldest first.
func (c *Cluster) Named(ctx context.Context, name string) ([]string, error) {
	out, err := c.runQuery(ctx, "squeue", "-h", "-o", "%F", "--name="+name)
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

// checkJobID refuses what is not the number of a job, or of a task in an array. Numbers come from files, and Slurm's
// commands would take other words as options.
func checkJobID(s string) error {
	job, task, array := strings.Cut(s, "_")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	if !digits(job) || array && !digits(task) {
		return fmt.Errorf("%.40q is not the number of a job", s)
	}
	return nil
}

// Cancel cancels jobs and ignores those that ended already.
func (c *Cluster) Cancel(ctx context.Context, jobs []string) error {
	var errs []error
	for _, j := range jobs {
		if err := checkJobID(j); err != nil {
			errs = append(errs, err)
			continue
		}
		if _, err := c.runQuery(ctx, "scancel", j); err != nil && !mentionsAny(err, []string{"invalid job id", "already completing or completed"}) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
