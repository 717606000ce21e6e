package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// user is somebody at a terminal, with settings and a cache of their own, in a folder with an experiment of one method.
type user struct {
	*testing.T
	folder, allowed string
	env             []string
}

const askingMethod = `tenfold: 1
name: x
methods: [{name: m, command: [sh, m.sh], target: [real], output: [coefficients], CODE}]
datasets: [{name: d, format: synthetic, rows: 300, truth: 2, seed: 1}]
folds: {kind: kfold, k: 2}
algorithms: [{name: m, engine: m}]
metrics: [test_mse]
`

// fitsNothing is the method m.sh: it answers without a coefficient.
const fitsNothing = `echo '{"coefficients": [], "intercept": 1}' > "$1/fitted.json"; echo fitted
`

// newUser's settings and cache lie in the folder, too: where they do, they are no part of what consent is to.
func newUser(t *testing.T, declared string) *user {
	t.Helper()
	u := &user{T: t, folder: t.TempDir()}
	u.allowed = filepath.Join(u.folder, "home", "tenfold", "methods")
	u.env = append(os.Environ(), "TENFOLD_TEST_MAIN=1", "XDG_CONFIG_HOME="+u.path("home"), "HOME="+u.path("home"), "TENFOLD_CACHE="+u.path("cache"), "TENFOLD_ALLOW_METHODS=")
	u.write("x.yaml", strings.Replace(askingMethod, "CODE", declared, 1))
	u.write("m.sh", fitsNothing)
	return u
}

func (u *user) path(name string) string { return filepath.Join(u.folder, name) }

func (u *user) write(name, text string) {
	u.Helper()
	put(u.T, u.path(name), text)
}

// without runs a command where no terminal is.
func (u *user) without(args ...string) (code int, errs string) {
	u.Helper()
	cmd := exec.CommandContext(u.Context(), os.Args[0], args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = u.folder, u.env, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		u.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// fakeCluster puts the commands of a cluster into PATH, of which sbatch keeps what it gets: the script in job.sh, its flags in submitted.
func (u *user) fakeCluster() {
	u.Helper()
	for _, name := range []string{"squeue", "scontrol", "sacct", "sinfo", "scancel", "sbatch"} {
		text := "#!/bin/sh\n"
		if name == "sbatch" {
			text += "cat > " + u.path("job.sh") + "\necho \"$@\" > " + u.path("submitted") + "\necho 1\n"
		}
		u.write("bin/"+name, text)
		if err := os.Chmod(u.path("bin/"+name), 0o755); err != nil {
			u.Fatal(err)
		}
	}
	u.env = append(u.env, "PATH="+u.path("bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}
