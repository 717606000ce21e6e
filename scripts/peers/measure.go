package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// usage is what a whole process took, its children included, as the kernel counts it.
type usage struct {
	Wall, CPU float64 // seconds; CPU is user and system together
	Memory    int64   // bytes at the peak; 0 where the system does not tell
	Stopped   bool    // ended by the limit
	Failed    string  // why it did not end well
}

// oneThread keeps the libraries that programs are built on from starting threads, ours too.
var oneThread = []string{"GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1"}

const measureWord = "measure-one" // first argument of the process between

// measure runs a command in a folder, with its output in the file out. A small process of its own starts it: the kernel counts in
// the peak of a process what its parent held when it was started.
func measure(dir, out string, limit time.Duration, command ...string) (usage, error) {
	var u usage
	self, err := os.Executable()
	if err != nil {
		return u, err
	}
	report := out + ".usage"
	arguments := append([]string{measureWord, report, out, strconv.FormatFloat(limit.Seconds(), 'f', -1, 64)}, command...)
	between := exec.Command(self, arguments...)
	between.Dir, between.Stderr = dir, os.Stderr
	between.Env = append(os.Environ(), oneThread...)
	if err := between.Run(); err != nil {
		return u, fmt.Errorf("measuring %s: %w", command[0], err)
	}
	content, err := os.ReadFile(report)
	if err != nil {
		return u, err
	}
	return u, json.Unmarshal(content, &u)
}

// measureOne runs the command in the process between: arguments are the file of the report, that of the output, the limit in seconds, and
// the command.
func measureOne(arguments []string) error {
	report, out, command := arguments[0], arguments[1], arguments[3:]
	seconds, err := strconv.ParseFloat(arguments[2], 64)
	if err != nil {
		return err
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer file.Close()
	run := exec.Command(command[0], command[1:]...)
	run.Stdout, run.Stderr = file, file
	inGroup(run)
	begun := time.Now()
	if err := run.Start(); err != nil {
		return err
	}
	limit := time.AfterFunc(time.Duration(seconds*float64(time.Second)), func() { end(run) })
	err = run.Wait()
	u := usage{Wall: time.Since(begun).Seconds(), Stopped: !limit.Stop()}
	u.CPU = (run.ProcessState.UserTime() + run.ProcessState.SystemTime()).Seconds()
	u.Memory = peak(run.ProcessState)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		u.Failed = exit.Error()
	case err != nil:
		return err
	}
	content, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Clean(report), content, 0o644)
}
