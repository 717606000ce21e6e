package execute

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGroupLimit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"none":                 {nil, 0},
		"root of version 2":    {map[string]string{"sys/fs/cgroup/memory.max": "1000\n"}, 1000},
		"no limit":             {map[string]string{"sys/fs/cgroup/memory.max": "max\n"}, 0},
		"own, below another's": {map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "3000\n", "sys/fs/cgroup/a/memory.max": "2000\n"}, 2000},
		"somebody else's":      {map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/b/memory.max": "3000\n"}, 0},
		"version 1": {map[string]string{
			"proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/slurm/job_1\n",
			"sys/fs/cgroup/memory/slurm/job_1/memory.limit_in_bytes": "4000\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 4000},
		"both": {map[string]string{
			"proc/self/cgroup": "4:memory:/a\n0::/\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "5000\n", "sys/fs/cgroup/unified/memory.max": "4500\n"}, 4500},
	} {
		root := t.TempDir()
		for file, text := range c.files {
			path := filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := cgroupLimit(root); got != c.want {
			t.Errorf("%s: %d, expected %d", name, got, c.want)
		}
	}
}

// A limit of addresses is heeded before Go ends the process by it.
func TestAddressLimit(t *testing.T) {
	for limit, want := range map[int64]int64{0: 0, 8 << 30: 6 << 30, 1 << 30: 1} {
		if got := addressBudget(limit); got != want {
			t.Errorf("%d: %d, want %d", limit, got, want)
		}
	}
}
