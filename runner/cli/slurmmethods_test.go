package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// TestSlurmMethods: a method runs on the nodes with the consent of who submits, and gives the digest that it gives here; a node that sees
// other code than the plan was made with fits nothing.
func TestSlurmMethods(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	for _, code := range []string{"    code: [slopes.sh]\n", ""} {
		c.write("small.yaml", strings.Replace(withMethods, "    code: [slopes.sh]\n", code, 1))
		c.write("slopes.sh", slopes)
		exit, _, errs := c.tenfold("run", "small.yaml", "--executor", "slurm", "--out", "none")
		if exit != app.ExitInvalid || !strings.Contains(errs, "would run programs that nobody has allowed here") {
			t.Fatalf("without consent: %d\n%s", exit, errs)
		}
		exit, here, errs := c.tenfold("run", "small.yaml", "--allow-methods", "--out", "here")
		if exit != 0 {
			t.Fatalf("here: exit code %d\n%s", exit, errs)
		}
		exit, far, errs := c.tenfold("run", "small.yaml", "--allow-methods", "--executor", "slurm", "--out", "far")
		same := digest(far) == digest(here)
		if code == "" { // results of one run alone, which their digest says
			same = !same
		}
		if exit != 0 || !same || !strings.Contains(errs, "to run") {
			t.Errorf("%q on the cluster: exit code %d, %s, here it is %s\n%s", code, exit, digest(far), digest(here), errs)
		}
	}
	c.write("small.yaml", withMethods)
	c.write(settingsFile, fmt.Sprintf("profiles: {here: {memory: 100MiB, setup: ['echo \"# of a node\" >> %s']}}\n", filepath.Join(c.work, "slopes.sh")))
	exit, _, errs := c.tenfold("run", "small.yaml", "--allow-methods", "--executor", "slurm", "--out", "other")
	if exit != app.ExitIncomplete {
		t.Errorf("other code on the node: exit code %d", exit)
	}
	wants(t, errs, "12 are missing")
	logs, err := filepath.Glob(filepath.Join(c.work, "other", "shards", "*.log"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs of shards: %v", err)
	}
	said := ""
	for _, path := range logs {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		said += string(content)
	}
	wants(t, said, "are not in this tenfold's plan: it is another version than the one that divided it, or a method is not the same here: slopes: sh slopes.sh, version slopes 1, code ")
}
