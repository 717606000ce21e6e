package slurm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/io/files"
	"tenfold/runner/shard"
)

// round is a plan of shards with its jobs.
type round struct {
	number int
	plan   *shard.Plan
	Jobs   []job `json:"jobs"`
	Over   bool  `json:"over"` // no task is left
}

// job is a job array that runs consecutive shards of the round.
type job struct {
	ID    string `json:"id"`
	First int    `json:"first"`
	Tasks int    `json:"tasks"`
}

// JobsOf returns the jobs of the latest round in a run's folder; none if it is over.
func JobsOf(run string) ([]string, error) {
	r, err := latestRound(run)
	if r == nil || r.Over || err != nil {
		return nil, err
	}
	return r.jobIDs(), nil
}

// latestRound reads the latest round in a run's folder.
func latestRound(run string) (*round, error) {
	rounds, err := shard.Rounds(run)
	if len(rounds) == 0 || err != nil {
		return nil, err
	}
	r := &round{number: rounds[len(rounds)-1]}
	if r.plan, err = shard.Read(run, r.number); err != nil {
		return nil, err
	}
	content, err := files.Root(run).ReadFile(r.jobsFile(), maxJobsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(content, r)
	}
	for _, id := range r.jobIDs() {
		if err == nil {
			err = checkJobID(id)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", files.Root(run).Path(r.jobsFile()), err)
	}
	return r, nil
}

// maxJobsFile bounds the size of a file of jobs, in bytes.
const maxJobsFile = 1 << 26

// jobsFile returns the file of a round's jobs, relative to the run's folder.
func (r *round) jobsFile() string { return roundFile(r.number, ".jobs") }

// roundFile returns a file of a round, relative to the run's folder; suffix follows the number in its name.
func roundFile(number int, suffix string) string {
	plan := shard.Path("", number)
	return filepath.ToSlash(strings.TrimSuffix(plan, filepath.Ext(plan))) + suffix
}

func (r *round) writeJobs(run string) error {
	return files.Root(run).Replace(r.jobsFile(), func(w io.Writer) error { return json.NewEncoder(w).Encode(r) })
}

func (r *round) jobIDs() []string {
	if r == nil {
		return nil
	}
	var ids []string
	for _, j := range r.Jobs {
		ids = append(ids, j.ID)
	}
	return ids
}

// hasAnyOf reports whether a unit of the round is among those left.
func (r *round) hasAnyOf(left []shard.Work) bool {
	is := map[string]bool{}
	for _, w := range left {
		is[w.Key] = true
	}
	return slices.ContainsFunc(r.plan.Shards, func(s shard.Shard) bool {
		return slices.ContainsFunc(s.Units, func(key string) bool { return is[key] })
	})
}

// logFile returns the file of what a shard's task prints, relative to the run's folder; with task %a it is sbatch's
// pattern for all tasks.
func logFile(number int, job, task string) string { return roundFile(number, "-"+job+"_"+task+".log") }

// groupArrays groups consecutive shards that ask for the same resources into arrays of at most most tasks.
func groupArrays(shards []shard.Shard, most int) []job {
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
