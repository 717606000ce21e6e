package slurm

import (
	"context"
	"strconv"
	"strings"
)

// End is how a task ended.
type End int

// Ends after which the next attempt asks for other resources; any other failure is Lost.
const (
	Lost        End = iota // its node failed, a signal, an error, or unknown
	Done                   // with exit code 0
	TimedOut               // at its limit of time
	OutOfMemory            // at its limit of memory
)

func (e End) String() string {
	return [...]string{"was lost", "ended", "reached its time limit", "ran out of memory"}[e]
}

// Ends returns how the tasks of a job ended, by number, as far as Slurm knows: from accounting, or else from the
// controller, which forgets within minutes.
func (c *Cluster) Ends(ctx context.Context, job string) (map[int]End, error) {
	out, err := c.Run(ctx, "", "sacct", "-n", "-P", "-X", "-j", job, "--format=JobID,State,ExitCode")
	if err == nil && strings.TrimSpace(out) != "" {
		return parseSacct(out, job), nil
	}
	out, err = c.runQuery(ctx, "scontrol", "-o", "show", "job", job)
	if mentionsAny(err, []string{"invalid job id"}) {
		return nil, nil
	}
	return parseScontrol(out), err
}

// parseSacct reads lines such as 12_3|TIMEOUT|0:0. Tasks that never ran share a line, 12_[4-6], which it ignores.
func parseSacct(out, job string) map[int]End {
	ends := map[int]End{}
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) != 3 {
			continue
		}
		task, ok := strings.CutPrefix(fields[0], job+"_")
		if i, err := strconv.Atoi(task); ok && err == nil {
			ends[i] = parseEnd(fields[1], fields[2])
		}
	}
	return ends
}

// parseScontrol reads lines of fields such as ArrayTaskId=3 JobState=TIMEOUT ExitCode=0:0.
func parseScontrol(out string) map[int]End {
	ends := map[int]End{}
	for line := range strings.Lines(out) {
		task, state, code := -1, "", ""
		for field := range strings.FieldsSeq(line) {
			name, value, _ := strings.Cut(field, "=")
			switch name {
			case "ArrayTaskId":
				if i, err := strconv.Atoi(value); err == nil {
					task = i
				}
			case "JobState":
				state = value
			case "ExitCode":
				code = value
			}
		}
		if task >= 0 {
			ends[task] = parseEnd(state, code)
		}
	}
	return ends
}

// parseEnd interprets a task's state and exit code, status:signal. Without control groups, the node's daemon kills a task
// that uses too much memory: it is said to have failed with signal 9.
func parseEnd(state, code string) End {
	state, _, _ = strings.Cut(state, " ") // CANCELLED by 1000
	switch {
	case state == "COMPLETED":
		return Done
	case state == "TIMEOUT", state == "DEADLINE":
		return TimedOut
	case state == "OUT_OF_MEMORY", state == "FAILED" && (code == "0:9" || code == "137:0"):
		return OutOfMemory
	}
	return Lost
}
