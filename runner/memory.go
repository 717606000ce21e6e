package runner

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// MemoryBudget is the memory that units in flight may take by prediction: four fifths of what the system says is
// available (or of the control group's limit, where that is lower); 0, for no limit, where it does not say.
func MemoryBudget() int64 {
	available := fromMeminfo()
	if limit := fromCgroup(); limit > 0 && (available == 0 || limit < available) {
		available = limit
	}
	return available / 5 * 4
}

func fromMeminfo() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var kib int64
		if n, _ := fmt.Sscanf(s.Text(), "MemAvailable: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}

func fromCgroup() int64 {
	b, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return 0
	}
	var limit int64
	if n, _ := fmt.Sscanf(strings.TrimSpace(string(b)), "%d", &limit); n == 1 {
		return limit
	}
	return 0
}
