package status

import (
	"slices"
	"time"
)

// Sum sums up the processes of one run as if they were one, which is at work while any of them is alive. Host, PID and
// Executor are those of the first. The exit code is the lowest that is not 0, as for several experiments. No processes
// give the zero value.
func Sum(all []Status, now time.Time) Status {
	if len(all) == 0 {
		return Status{}
	}
	sum := Status{Host: all[0].Host, PID: all[0].PID, Executor: all[0].Executor, Started: all[0].Started}
	states := map[string]bool{}
	for _, s := range all {
		sum.Total, sum.Done, sum.Failed = sum.Total+s.Total, sum.Done+s.Done, sum.Failed+s.Failed
		if s.Started.Before(sum.Started) {
			sum.Started = s.Started
		}
		if s.Updated.After(sum.Updated) {
			sum.Updated = s.Updated
		}
		if s.Alive(now) {
			sum.Running = append(sum.Running, s.Running...)
			sum.Memory += s.Memory
			sum.Left = max(sum.Left, s.Left)
			if s.Elsewhere != "" {
				sum.Elsewhere = s.Elsewhere
			}
		}
		if s.Alive(now) || s.Over() || s.State == StateDetached {
			states[s.State] = true
		} else {
			states[""] = true
		}
		if s.Exit != 0 && (sum.Exit == 0 || s.Exit < sum.Exit) {
			sum.Exit, sum.Error = s.Exit, s.Error
		}
	}
	slices.SortStableFunc(sum.Running, func(a, b Running) int { return a.Since.Compare(b.Since) })
	for _, state := range []string{StateRunning, StateWriting, StateDetached, "", StateInterrupted, StateEnded} {
		if states[state] {
			sum.State = state
			break
		}
	}
	return sum
}
