package method

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ownGroup makes the process the leader of a group, which ends when tenfold ends, in namespaces of its own if sandbox is true.
func ownGroup(c *exec.Cmd, sandbox bool) error {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if sandbox {
		c.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC
		c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		c.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return nil
}

// stat returns the fields of /proc/PID/stat after the name, beginning with the state; nil if there is no such process.
func stat(pid string) []string {
	content, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return nil
	}
	_, after, ok := bytes.Cut(content, []byte(") "))
	for ok { // names may contain brackets
		var rest []byte
		if _, rest, ok = bytes.Cut(after, []byte(") ")); ok {
			after = rest
		}
	}
	return strings.Fields(string(after))
}

// Indices in stat, counted from the state.
const (
	statGroup = 2
	statUser  = 11 // and system, and those of children that were waited for
	statStart = 19
)

// startOf returns the start time of a process, which tells it from a later one with the same number; "-" if it is unknown.
func startOf(pid int) string {
	if s := stat(strconv.Itoa(pid)); len(s) > statStart {
		return s[statStart]
	}
	return "-"
}

// endLeftOver ends a group whose leader has the recorded start time, or whose leader is gone while a process of the exchange folder
// remains. Anybody may have written the number, and kill gives numbers below 2 other meanings.
func endLeftOver(group int, started, folder string) {
	if group < 2 {
		return
	}
	switch startOf(group) {
	case "-": // the kernel does not reuse the number of a group while the group exists
		if groupOf(group, folder) {
			endGroup(group)
		}
	case started:
		endGroup(group)
	}
}

// groupOf reports whether some process of a group was started for an exchange folder of that name, wherever the folder was then.
func groupOf(group int, folder string) (is bool) {
	eachOfGroup(group, func(pid string, _ []string) {
		content, _ := os.ReadFile(filepath.Join("/proc", pid, "environ")) // empty for a process that is gone
		for _, v := range strings.Split(string(content), "\x00") {
			at, found := strings.CutPrefix(v, exchangeVariable+"=")
			is = is || found && filepath.Base(at) == filepath.Base(folder)
		}
	})
	return is
}

// eachOfGroup visits the processes of a group.
func eachOfGroup(group int, visit func(pid string, stat []string)) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	of := strconv.Itoa(group)
	for _, e := range entries {
		if name := e.Name(); name[0] >= '0' && name[0] <= '9' {
			if s := stat(name); len(s) > statStart && s[statGroup] == of {
				visit(name, s)
			}
		}
	}
}

// residentBytes returns the resident memory of the processes of a group.
func residentBytes(group int) (sum int64) {
	page := int64(os.Getpagesize())
	eachOfGroup(group, func(pid string, _ []string) {
		var total, resident int64
		if content, err := os.ReadFile(filepath.Join("/proc", pid, "statm")); err == nil {
			if n, _ := fmt.Sscan(string(content), &total, &resident); n == 2 {
				sum += resident * page
			}
		}
	})
	return sum
}

// groupLives reports whether some process of a group has not ended.
func groupLives(group int) (lives bool) {
	eachOfGroup(group, func(_ string, stat []string) { lives = lives || stat[0] != "Z" && stat[0] != "X" })
	return lives
}

// peakBytes returns the peak memory of a process, 0 if unknown.
func peakBytes(pid int) int64 {
	content, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0
	}
	_, after, _ := bytes.Cut(content, []byte("VmHWM:"))
	var kib int64
	if n, _ := fmt.Sscan(string(after), &kib); n != 1 {
		return 0
	}
	return kib << 10
}

// clockTicks is the number per second of the units of times in stat: fixed on Linux.
const clockTicks = 100

// leaderSeconds returns the processor time so far of a group's leader, and of its children that it waited for.
func leaderSeconds(group int) float64 {
	s := stat(strconv.Itoa(group))
	if len(s) <= statStart {
		return math.NaN()
	}
	ticks := int64(0)
	for _, field := range s[statUser : statUser+4] {
		n, _ := strconv.ParseInt(field, 10, 64)
		ticks += n
	}
	return float64(ticks) / clockTicks
}
