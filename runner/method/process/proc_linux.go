package process

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// stat returns the fields of /proc/PID/stat after the name, beginning with the state; nil if there is no such process.
func stat(pid int) []string {
	content, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return nil
	}
	fields := strings.Fields(string(content[bytes.LastIndexByte(content, ')')+1:])) // names may contain brackets
	if len(fields) <= statStart {
		return nil
	}
	return fields
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// Indices in stat, counted from the state.
const (
	statParent = 1
	statUser   = 11 // and system, and those of children that were waited for
	statStart  = 19
)

// startOf returns the start time of a process, which tells it from a later one with the same number; "-" if it is unknown.
func startOf(pid int) string {
	if s := stat(pid); s != nil {
		return s[statStart]
	}
	return "-"
}

// allProcesses returns the numbers of all processes.
func allProcesses() (pids []int) {
	entries, _ := os.ReadDir("/proc") // without it none is seen
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// processID identifies a process for all times.
type processID struct {
	number int
	start  string
}

// descendants returns the processes below one, without those that have ended and were not waited for.
func descendants(root int) (found []processID) {
	type process struct {
		processID
		ended bool
	}
	children := map[int][]process{}
	for _, pid := range allProcesses() {
		if s := stat(pid); s != nil {
			parent, _ := strconv.Atoi(s[statParent])
			children[parent] = append(children[parent], process{processID{pid, s[statStart]}, s[0] == "Z" || s[0] == "X"})
		}
	}
	for parents := []int{root}; len(parents) > 0; parents = parents[1:] {
		for _, p := range children[parents[0]] {
			parents = append(parents, p.number)
			if !p.ended {
				found = append(found, p.processID)
			}
		}
	}
	return found
}

// signal sends a signal, unless the process has ended. Its number may be that of another process by now.
func (id processID) signal(s syscall.Signal) {
	p, err := os.FindProcess(id.number) // refers to one process from here on, where the kernel can do so
	if err != nil {
		return
	}
	defer p.Release()
	if startOf(id.number) == id.start {
		_ = p.Signal(s) // an error means that it has ended, or that this user may not
	}
}

// residentBytes returns the resident memory of a process. Pages that it shares with others count in full.
func residentBytes(pid int) int64 {
	var total, resident int64
	content, _ := os.ReadFile(procFile(pid, "statm")) // empty for a process that is gone
	if n, _ := fmt.Sscan(string(content), &total, &resident); n != 2 {
		return 0
	}
	return resident * int64(os.Getpagesize())
}

// proportionalBytes returns the resident memory of a process, of pages that it shares with n others an n-th part. It takes time in
// proportion to the memory.
func proportionalBytes(pid int) int64 {
	if held, known := kibibytes(pid, "smaps_rollup", "Pss:"); known {
		return held
	}
	return residentBytes(pid)
}

// peakBytes returns the peak memory of a process, 0 if unknown.
func peakBytes(pid int) int64 {
	held, _ := kibibytes(pid, "status", "VmHWM:")
	return held
}

// kibibytes returns a number of bytes that a file of a process states in KiB.
func kibibytes(pid int, file, name string) (n int64, known bool) {
	content, _ := os.ReadFile(procFile(pid, file)) // empty for a process that is gone
	_, after, _ := bytes.Cut(content, []byte("\n"+name))
	read, _ := fmt.Sscan(string(after), &n)
	return n << 10, read == 1
}

// clockTicks is the number per second of the units of times in stat: fixed on Linux.
const clockTicks = 100

// processorSeconds returns the processor time so far of a process, and of its children that it waited for; NaN if it has ended.
func processorSeconds(pid int) float64 {
	s := stat(pid)
	if s == nil {
		return math.NaN()
	}
	ticks := int64(0)
	for _, field := range s[statUser : statUser+4] {
		n, _ := strconv.ParseInt(field, 10, 64)
		ticks += n
	}
	return float64(ticks) / clockTicks
}

// endLeftBehind ends the processes of this user that were started for an exchange folder, or for one below it, as their environment
// says, and what they started. No file is asked, because anybody may have written it.
func endLeftBehind(folder string) {
	for _, pid := range allProcesses() {
		id := processID{pid, startOf(pid)}
		if info, err := os.Stat(procFile(pid, "")); err != nil || !isMine(info) || !strings.HasPrefix(exchangeOf(pid)+"/", folder+"/") {
			continue
		}
		for _, p := range append(descendants(pid), id) {
			p.signal(syscall.SIGKILL)
		}
	}
}

// exchangeOf returns the exchange folder in the environment of a process, "" if there is none.
func exchangeOf(pid int) string {
	content, _ := os.ReadFile(procFile(pid, "environ")) // empty for a process that is gone
	for _, v := range strings.Split(string(content), "\x00") {
		if folder, found := strings.CutPrefix(v, exchangeVariable+"="); found {
			return folder
		}
	}
	return ""
}
