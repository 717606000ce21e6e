//go:build !linux

package process

// On this system there are no supervisors.

type supervisors struct{}

func (*supervisors) start(p invocation) (tree, error) { return startGroup(p) }

func (*supervisors) close() {}

// Supervise returns false: this process is no supervisor.
func Supervise([]string) bool { return false }
