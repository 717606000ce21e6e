package method

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
)

// runtimesIn makes programs by the names of runtimes that write down what they are asked and do it here, with the variables that they were
// given and no others. It returns the file where that stands, an argument a line.
func runtimesIn(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	for _, name := range runtimes {
		text := fmt.Sprintf(`#!/bin/sh
{ echo %s; for word; do printf '%%s\n' "$word"; done; echo; } >> %q
[ "$1" = kill ] && exit
set -- "$@" END
given="PATH=$PATH"
shift
while :; do
	case $1 in
	--rm|-i|--contain|--cleanenv|--net) shift ;;
	--workdir|--pwd) cd "$2"; shift 2 ;;
	--env) given="$given
$2"; shift 2 ;;
	-*) shift 2 ;;
	*) break ;;
	esac
done
shift
words=
for word; do [ "$word" = END ] || words="$words '$word'"; done
IFS='
'
eval "exec env -i \$given $words"
`, name, asked)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return asked
}

// calls of runtimes, each a list of words.
func calls(t *testing.T, asked string) (out [][]string) {
	t.Helper()
	content, err := os.ReadFile(asked)
	if err != nil {
		t.Fatal(err)
	}
	for call := range strings.SplitSeq(strings.TrimRight(string(content), "\n"), "\n\n") {
		out = append(out, strings.Split(call, "\n"))
	}
	return out
}

var anImage = "example.org/slopes@sha256:" + strings.Repeat("0123456789abcdef", 4)

// TestContainer: the command runs in a container without network, which sees the exchange folder and the files of the code, these read-only,
// and the variables of every method; also where fits share a process and another predicts.
func TestContainer(t *testing.T) {
	if testing.Short() {
		t.Skip("short: with -race every program ends a second late, and is taken for one that hangs")
	}
	asked := runtimesIn(t)
	train, test := table(t)
	for _, runtime := range append(slices.Clone(runtimes), "") {
		for _, reuse := range []string{reuseNone, reuseFold} {
			if err := os.WriteFile(asked, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			d := declared("well", Selected, Predictions)
			d.Container, d.Reuse = Container{Image: anImage, Runtime: runtime}, reuse
			h := newHost(t)
			e := engineOf(t, &d, h)
			run := runOn(train)
			run.Workers = 3
			for range 2 {
				m, err := e.Fit(t.Context(), run)
				if err != nil {
					t.Fatalf("%s %s: %v", runtime, reuse, err)
				}
				if got := predictions(m, test); len(got) != test.Len() {
					t.Errorf("%d predictions", len(got))
				}
				engines.Close(m)
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			made := calls(t, asked)
			if want := map[string]int{reuseNone: 2, reuseFold: 3}[reuse]; len(made) != want {
				t.Errorf("%s: %d calls, expected %d: %q", reuse, len(made), want, made)
			}
			for _, call := range made {
				checkCall(t, &d, h, call)
			}
		}
	}
}

func checkCall(t *testing.T, d *Declaration, h *Host, call []string) {
	t.Helper()
	name, mount, image := d.Container.Runtime, "--volume", anImage
	switch name {
	case "":
		name = runtimes[0]
	case "apptainer":
		mount, image = "--bind", "docker://"+anImage
	}
	if call[0] != name {
		t.Errorf("%s was asked, expected %s", call[0], name)
	}
	text := " " + strings.Join(call, " ") + " "
	for _, want := range []string{" --network none ", " " + image + " " + strings.Join(d.Command, " ") + " ", " --env OMP_NUM_THREADS=3 ", " --env PYTHONHASHSEED=0 "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if name == "docker" && !strings.Contains(text, fmt.Sprintf(" --user %d:%d ", os.Getuid(), os.Getgid())) {
		t.Errorf("no user in %s", text)
	}
	var mounts []string
	for i, word := range call {
		if word == mount {
			mounts = append(mounts, call[i+1])
		}
	}
	code := filepath.Join(d.Folder, "engine_test.go")
	if len(mounts) != 2 || !strings.HasPrefix(mounts[0], h.Folder) || mounts[1] != code+":"+code+":ro" {
		t.Errorf("mounts are %q", mounts)
	}
	from, to, _ := strings.Cut(mounts[0], ":")
	if from != to || filepath.Dir(from) != h.Folder {
		t.Errorf("the exchange folder is mounted as %q", mounts[0])
	}
}

// TestContainerSees: without code the folder of the declaration, with code: none nothing of it.
func TestContainerSees(t *testing.T) {
	t.Parallel()
	d := declared("well", Selected, Predictions)
	d.Container = Container{Image: anImage, Runtime: "podman"}
	d.Code = nil
	words, err := d.contained([]string{"run"}, "/exchange", 1)
	if text := strings.Join(words, " "); err != nil || !strings.Contains(text, "--volume "+d.Folder+":"+d.Folder+":ro --env") || !strings.Contains(text, "--workdir "+d.Folder+" ") {
		t.Errorf("without code: %s %v", text, err)
	}
	d.Code = []string{CodeNone}
	words, err = d.contained([]string{"run"}, "/exchange", 1)
	if text := strings.Join(words, " "); err != nil || strings.Contains(text, d.Folder) || !strings.Contains(text, "--workdir /exchange ") {
		t.Errorf("code: none: %s %v", text, err)
	}
	if _, err := d.contained([]string{"run"}, "/ex:change", 1); err == nil || !strings.Contains(err.Error(), "has a colon") {
		t.Errorf("a colon: %v", err)
	}
	d.Sandbox = true
	d.Version = []string{"x"}
	if err := d.Validate(); err == nil || !strings.Contains(err.Error(), "expected one of the two") {
		t.Errorf("sandbox and container: %v", err)
	}
}

// TestContainerEnds: where the runtime's command is killed the container is ended by its name, now, and by the next tenfold where this one is.
func TestContainerEnds(t *testing.T) {
	asked := runtimesIn(t)
	train, _ := table(t)
	d := declared("deaf", Selected, Predictions)
	d.Container = Container{Image: anImage, Runtime: "podman"}
	late := errors.New("too late")
	ctx, stop := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, late)
	defer stop()
	if _, err := engineOf(t, &d, newHost(t)).Fit(ctx, runOn(train)); !errors.Is(err, late) {
		t.Errorf("got %v", err)
	}
	made := calls(t, asked)
	name := made[0][slices.Index(made[0], "--name")+1]
	if last := made[len(made)-1]; !slices.Equal(last, []string{"podman", "kill", name}) {
		t.Errorf("last asked: %q, expected kill %s", last, name)
	}
	root := t.TempDir()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(root, strings.Join([]string{host, fmt.Sprint(os.Getpid()), "1"}, ownerMark), "fit")
	if err := os.MkdirAll(left, 0o755); err != nil {
		t.Fatal(err)
	}
	// No process has that number: what is left is the container. What is no runtime is not run.
	for _, c := range []struct {
		group string
		asks  []string
	}{{"999999999 7 docker tenfold-1-fit", []string{"docker", "kill", "tenfold-1-fit"}}, {"999999999 7 ./evil tenfold-1-fit", nil}, {"999999999 7", nil}} {
		if err := os.MkdirAll(left, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(left, groupFile), []byte(c.group+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		before := len(calls(t, asked))
		if err := (&Host{}).Open(root); err != nil {
			t.Fatal(err)
		}
		after := calls(t, asked)[before:]
		if c.asks == nil && len(after) > 0 || c.asks != nil && (len(after) != 1 || !slices.Equal(after[0], c.asks)) {
			t.Errorf("%s: %q was asked, expected %q", c.group, after, c.asks)
		}
	}
}

// TestSandbox: a method in a sandbox has no network, and where the kernel gives no namespaces nothing runs outside one.
func TestSandbox(t *testing.T) {
	train, _ := table(t)
	d := declared("network", Selected, Coefficients)
	d.Sandbox = true
	if os.Getenv("TENFOLD_NO_NAMESPACES") != "" {
		_, err := d.AskVersion(t.Context())
		if err == nil || !strings.Contains(err.Error(), "method slopes: sandbox: true needs namespaces of the kernel") {
			t.Errorf("got %v", err)
		}
		if _, err := engineOf(t, &d, newHost(t)).Fit(t.Context(), runOn(train)); err == nil {
			t.Error("a method ran outside its sandbox")
		}
		return
	}
	if err := d.checkSandbox(); err != nil {
		t.Skip(err)
	}
	m, err := engineOf(t, &d, newHost(t)).Fit(t.Context(), runOn(train))
	if err != nil {
		t.Fatal(err)
	}
	if facts := m.(engines.Reporter).Fitted().Facts; facts[0].Name != "network" || facts[0].Value != "lo" {
		t.Errorf("in the sandbox there are %+v, expected lo alone", facts)
	}
	d.Sandbox = false
	if m, err = engineOf(t, &d, newHost(t)).Fit(t.Context(), runOn(train)); err != nil {
		t.Fatal(err)
	}
	t.Logf("outside: %+v", m.(engines.Reporter).Fitted().Facts)
	shell, err := exec.LookPath("unshare")
	if err != nil {
		t.Skip("no unshare: a kernel without namespaces is not tried")
	}
	c := exec.CommandContext(t.Context(), shell, "-Ur", "sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces || exit 99; exec "$1" -test.run 'TestSandbox$' -test.v`, "sh", os.Args[0])
	c.Env = append(os.Environ(), "TENFOLD_NO_NAMESPACES=1")
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 99:
		t.Skipf("namespaces cannot be forbidden here: %s", out)
	case err != nil || !strings.Contains(string(out), "--- PASS: TestSandbox"):
		t.Errorf("without namespaces: %v\n%s", err, out)
	}
}
