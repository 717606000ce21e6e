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
