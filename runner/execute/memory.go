package execute

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

// MemoryBudget returns the memory that units in flight may take by prediction, in bytes: four fifths of what the system
// says is available, or the control groups' limit minus what the process itself takes, or what an address limit leaves,
// whichever is lowest; 0, for no limit, if the system does not say.
func MemoryBudget() int64 {
	limit := cgroupLimit("/")
	return lowerLimit(lowerLimit(meminfo("MemAvailable")/5*4, max(limit/5*4, limit-Itself)), addressBudget(addressLimit()))
}

// Itself is a generous bound on the bytes of a process that holds no data yet.
const Itself = 256 << 20

// MemoryMost returns all memory that a process can have here, in bytes: that of the machine, or the control groups'
// limit, or what an address limit (ulimit -v) leaves, whichever is lowest; 0 if the system does not say.
func MemoryMost() int64 {
	return lowerLimit(lowerLimit(meminfo("MemTotal"), cgroupLimit("/")), addressBudget(addressLimit()))
}

// addressBudget returns what an address limit leaves after the addresses that Go reserves and does not use; 0 for no limit.
func addressBudget(limit int64) int64 {
	const aside = 2 << 30
	if limit == 0 {
		return 0
	}
	return max(limit-aside, 1)
}

// lowerLimit returns the lower of two limits; 0 means none.
func lowerLimit(a, b int64) int64 {
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

// cgroupLimit returns the lowest memory limit of the control groups of this process, with the file system at root; 0 for
// none. It looks at both versions: in version 1 each kind of resource has groups of its own.
func cgroupLimit(root string) (limit int64) {
	groups := filepath.Join(root, "sys/fs/cgroup")
	group, group1 := "/", "/"
	if f, err := os.Open(filepath.Join(root, "proc/self/cgroup")); err == nil {
		group, group1 = parseCgroups(f)
		f.Close()
	}
	for _, v := range []struct{ folder, group, file string }{
		{groups, group, "memory.max"}, {filepath.Join(groups, "unified"), group, "memory.max"}, {filepath.Join(groups, "memory"), group1, "memory.limit_in_bytes"},
	} {
		for g := v.group; ; g = path.Dir(g) {
			limit = lowerLimit(limit, readLimit(filepath.Join(v.folder, g, v.file)))
			if g == "/" || g == "." {
				break
			}
		}
	}
	return limit
}

// parseCgroups reads lines such as "0::/user.slice" (version 2) and "4:memory:/job" (version 1).
func parseCgroups(r io.Reader) (group, group1 string) {
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

// readLimit reads a limit from a file of a control group; 0 for none, which version 1 writes as an impossibly large number.
func readLimit(file string) int64 {
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
