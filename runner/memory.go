package runner

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// MemoryBudget is the memory that units in flight may take by prediction: four fifths of what the system says is available,
// or the control groups' limit but for what the process itself takes, or what a limit of addresses leaves, where that is lower; 0, for no limit, where the system
// does not say.
func MemoryBudget() int64 {
	limit := groupLimit("/")
	return lower(lower(meminfo("MemAvailable")/5*4, max(limit/5*4, limit-Itself)), ofAddresses(addressLimit()))
}

// Itself is what a process takes that holds no data yet, generously.
const Itself = 256 << 20

// MemoryMost is all memory that a process can have here: what the machine has, or the control groups' limit, or what a limit of
// addresses (ulimit -v) leaves, where that is lower; 0 where the system does not say.
func MemoryMost() int64 {
	return lower(lower(meminfo("MemTotal"), groupLimit("/")), ofAddresses(addressLimit()))
}

// ofAddresses is what a limit of addresses leaves beside those that Go sets aside, and does not use; 0 for no limit.
func ofAddresses(limit int64) int64 {
	const aside = 2 << 30
	if limit == 0 {
		return 0
	}
	return max(limit-aside, 1)
}

// lower of two limits, of which 0 is none.
func lower(a, b int64) int64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

func meminfo(key string) int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var kib int64
		if n, _ := fmt.Sscanf(s.Text(), key+": %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}

// groupLimit is the lowest limit of the control groups that this process is in, below a root of the file system; 0 for none.
// Both versions of control groups are looked at: in the first each kind of resource has groups of its own.
func groupLimit(root string) (limit int64) {
	at := filepath.Join(root, "sys/fs/cgroup")
	group, group1 := "/", "/"
	if f, err := os.Open(filepath.Join(root, "proc/self/cgroup")); err == nil {
		group, group1 = groupsOf(f)
		f.Close()
	}
	for _, v := range []struct{ folder, group, file string }{
		{at, group, "memory.max"}, {filepath.Join(at, "unified"), group, "memory.max"}, {filepath.Join(at, "memory"), group1, "memory.limit_in_bytes"},
	} {
		for g := v.group; ; g = path.Dir(g) {
			limit = lower(limit, limitIn(filepath.Join(v.folder, g, v.file)))
			if g == "/" || g == "." {
				break
			}
		}
	}
	return limit
}

// groupsOf reads lines such as "0::/user.slice" (the second version) and "4:memory:/job" (the first).
func groupsOf(r io.Reader) (group, group1 string) {
	for s := bufio.NewScanner(r); s.Scan(); {
		parts := strings.SplitN(s.Text(), ":", 3)
		if len(parts) != 3 {
			continue
		}
		switch {
		case parts[0] == "0" && parts[1] == "":
			group = parts[2]
		case slices.Contains(strings.Split(parts[1], ","), "memory"):
			group1 = parts[2]
		}
	}
	return path.Clean(cmp.Or(group, "/")), path.Clean(cmp.Or(group1, "/"))
}

// limitIn a file of a control group; 0 for none, which the first version writes as a number that no machine has.
func limitIn(file string) int64 {
	const none = 1 << 60
	b, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	var limit int64
	if n, _ := fmt.Sscanf(strings.TrimSpace(string(b)), "%d", &limit); n == 1 && limit < none {
		return limit
	}
	return 0
}
