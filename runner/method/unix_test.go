//go:build unix

package method

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

func killSelf() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	time.Sleep(time.Second)
}

func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }

// gone tells whether a process has ended, whether it was waited for or not.
func gone(pid int) bool {
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ")
}

// holdMapped reads every page of a file that is mapped, and keeps it for a while.
func holdMapped(path string, length time.Duration) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	mapping, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return err
	}
	for i := 0; i < len(mapping); i += 4096 {
		if mapping[i] != 0 {
			return fmt.Errorf("%s has other bytes than 0", path)
		}
	}
	time.Sleep(length)
	return syscall.Munmap(mapping)
}

// startAndDie starts a program that writes the numbers of its processes into a file, as tenfold starts a method, and ends as tenfold
// when it is killed.
func startAndDie(file string) int {
	ours, theirs, err := newPipes()
	if err != nil {
		return 1
	}
	var s supervisors
	script := `setsid sleep 3600 & echo $! $$ > "$0.new"; mv "$0.new" "$0"; sleep 3600`
	if _, err = s.start(invocation{Path: "/bin/sh", Args: []string{"sh", "-c", script, file}, Dir: "/", files: theirs}); err != nil {
		return 1
	}
	for {
		if _, err := os.Stat(file); err == nil {
			killSelf()
		}
		time.Sleep(5 * time.Millisecond)
		ours[0].Sync() // keeps the pipes open
	}
}
