package slurm

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"tenfold/engines/param"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/shard"
)

// Profile is how jobs are submitted on a cluster. It is a setting of the tool, not of experiments, as it cannot change a
// result.
type Profile struct {
	Partition  string        `yaml:"partition"`
	Account    string        `yaml:"account"`
	Constraint string        `yaml:"constraint"`
	Flags      []string      `yaml:"flags"`    // further flags of sbatch
	Setup      []string      `yaml:"setup"`    // shell lines before the command, such as module load
	Command    string        `yaml:"command"`  // the tool on the nodes; default: this program's own path
	AtOnce     int           `yaml:"at_once"`  // tasks of an array at the same time; 0 for any number
	CPUs       int           `yaml:"cpus"`     // for each task, which runs as many units at a time; at least 1
	Time       time.Duration `yaml:"time"`     // of a shard whose time cannot be predicted
	Memory     reading.Size  `yaml:"memory"`   // least memory of a task, in bytes
	Scratch    string        `yaml:"scratch"`  // a folder local to each node for compiled data, such as $TMPDIR; "" for the shared cache
	Resubmit   int           `yaml:"resubmit"` // how often units are submitted again that were lost or exceeded a limit
}

// Defaults is the profile with no settings.
var Defaults = Profile{CPUs: 1, Time: time.Hour, Memory: 512 << 20, Resubmit: 3}

// Validate checks the values of the profile.
func (p Profile) Validate() error {
	var errs []error
	if p.CPUs < 1 {
		errs = append(errs, param.Errorf("cpus", "%d, expected at least 1", p.CPUs))
	}
	if p.AtOnce < 0 {
		errs = append(errs, param.Errorf("at_once", "%d, expected at least 0", p.AtOnce))
	}
	if p.Time <= 0 {
		errs = append(errs, param.Errorf("time", "%s, expected a duration such as 2h", p.Time))
	}
	if p.Memory <= 0 {
		errs = append(errs, param.Errorf("memory", "%d, expected a size such as 2GiB", p.Memory))
	}
	if p.Resubmit < 0 {
		errs = append(errs, param.Errorf("resubmit", "%d, expected at least 0", p.Resubmit))
	}
	for _, f := range p.Flags {
		if !strings.HasPrefix(f, "-") {
			errs = append(errs, param.Errorf("flags", "%q, expected a flag of sbatch such as --qos=long", f))
		}
	}
	return errors.Join(errs...)
}

// overhead is the time that a task takes besides its fits: starting, planning, preparing data.
const overhead = 2 * time.Minute

// Ask returns what a shard asks for at first: twice its predicted time, or what its limits allow.
func (p Profile) Ask(s shard.Shard) shard.Ask {
	t := p.Time
	switch {
	case s.Time > 0 && (s.Limit == 0 || 2*s.Time < s.Limit):
		t = 2 * s.Time
	case s.Limit > 0:
		t = s.Limit
	}
	return shard.Ask{Time: t + overhead, Memory: max(int64(p.Memory), s.Memory*int64(max(1, p.CPUs)))}.Round()
}

func (p Profile) sbatchFlags() []string {
	var flags []string
	for _, f := range []struct{ name, value string }{{"partition", p.Partition}, {"account", p.Account}, {"constraint", p.Constraint}} {
		if f.value != "" {
			flags = append(flags, "--"+f.name+"="+f.value)
		}
	}
	return append(flags, p.Flags...)
}

// batchScript returns the script of an array: task i runs shard first+i.
func (p Profile) batchScript(plan string, first int) string {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	for _, line := range p.Setup {
		b.WriteString(line + "\n")
	}
	fmt.Fprintf(&b, "exec %s shard %s $((SLURM_ARRAY_TASK_ID + %d)) --jobs %d", shellQuote(p.Command), shellQuote(plan), first, p.CPUs)
	if p.Scratch != "" {
		fmt.Fprintf(&b, " --cache \"%s/tenfold-$(id -u)\"", p.Scratch) // unquoted for the shell: it names a variable of the node
	}
	b.WriteString("\n")
	return b.String()
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
