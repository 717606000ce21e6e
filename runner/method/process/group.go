package process

import (
	"math"
	"os/exec"
	"syscall"
)

// group is a program that leads a process group of its own. Processes that leave the group are not seen.
type group struct{ command *exec.Cmd }

// startGroup starts a program in a group.
func startGroup(p invocation) (tree, error) {
	c := &exec.Cmd{Path: p.Path, Args: p.Args, Env: p.Env, Dir: p.Dir, Stdin: p.files[0], Stdout: p.files[1], Stderr: p.files[2]}
	var err error
	if c.SysProcAttr, err = ownGroup(p.Namespaces); err == nil {
		err = c.Start()
	}
	return group{c}, err
}

func (g group) wait() ended {
	err := g.command.Wait()
	g.signal(syscall.SIGKILL) // processes that outlive their leader
	state := g.command.ProcessState
	if state == nil {
		return ended{err: err}
	}
	return ended{Status: state.Sys().(syscall.WaitStatus), Seconds: (state.UserTime() + state.SystemTime()).Seconds()}
}

func (g group) signal(s syscall.Signal) { signalGroup(g.command.Process.Pid, s) }

func (group) release()           {}
func (group) seconds() float64   { return math.NaN() }
func (group) memory(int64) int64 { return 0 }
func (group) peak() int64        { return 0 }
