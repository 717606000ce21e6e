package process

import (
	"fmt"
	"os"
	"slices"
	"syscall"
	"tenfold/runner/method/declaration"
	"time"
)

// invocation is a program to start, with all that it gets.
type invocation struct {
	Path string
	Args []string // with its name
	Env  []string
	Dir  string
	// Namespaces gives it namespaces of its own for users, network and communication between processes.
	Namespaces bool
	// Patience is how long processes that it has started may go on when it has ended.
	Patience time.Duration

	files [3]*os.File // standard input, output and error
}

// tree is a running program with the processes that it has started: all of them where there are supervisors, otherwise those of its
// process group.
type tree interface {
	// wait waits until no process of the tree runs, and returns how the program ended.
	wait() ended
	// release is called once after wait. The tree is not used any more.
	release()
	// signal sends a signal to all processes of the tree.
	signal(syscall.Signal)
	// seconds returns the processor time of the program so far, NaN if it is unknown.
	seconds() float64
	// memory returns the bytes that the processes hold together, 0 if they are unknown. It may count shared pages more than once
	// if the result is not above a limit.
	memory(limit int64) int64
	// peak returns the most bytes that the program itself has held, 0 if they are unknown.
	peak() int64
}

// ended is how a program ended.
type ended struct {
	Status  syscall.WaitStatus
	Seconds float64 // of processor time
	Left    int     // other processes of its tree that had to be ended
	err     error   // why the rest is unknown; nil if it is known
}

// succeeded reports whether the program ended by itself with exit code 0.
func (e ended) succeeded() bool {
	return e.err == nil && e.Status.Exited() && e.Status.ExitStatus() == 0
}

// fromOutside reports whether a program was ended from outside: by itself it ends with other signals.
func (e ended) fromOutside() bool {
	from := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}
	return e.err != nil || e.Status.Signaled() && slices.Contains(from, e.Status.Signal())
}

// Error says how the program ended.
func (e ended) Error() string {
	switch {
	case e.err != nil:
		return e.err.Error()
	case e.Status.Signaled():
		return fmt.Sprintf("it was ended by signal %d (%s)", e.Status.Signal(), e.Status.Signal())
	}
	return fmt.Sprintf("exit code %d", e.Status.ExitStatus())
}

// startTree starts a program that a method consists of. The runtime of a container leaves processes that serve other containers,
// too: of its processes only the group counts.
func startTree(d *declaration.Declaration, s *supervisors, folder string, p invocation) (tree, error) {
	if containerOf(d, folder).name != "" {
		return startGroup(p)
	}
	return s.start(p)
}
