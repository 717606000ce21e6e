package method

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/runner/method/declaration"
)

// runtimesIn makes programs by the names of runtimes that write down what they are asked and do it here, with the variables that they were
// given and no others. It returns the file where that stands, an argument a line.
func runtimesIn(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	for _, name := range declaration.Runtimes {
		text := fmt.Sprintf(`#!/bin/sh
{ echo %s; for word; do printf '%%s\n' "$word"; done; echo; } >> %q
[ "$1" = kill ] && exit
[ "$1" = ps ] && exec cat %q
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
`, name, asked, asked+".running")
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
	for _, runtime := range append(slices.Clone(declaration.Runtimes), "") {
		for _, reuse := range []string{reuseNone, reuseFold} {
			if err := os.WriteFile(asked, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			d := declared("well", declaration.Selected, declaration.Predictions)
			d.Container, d.Reuse = declaration.Container{Image: anImage, Runtime: runtime}, reuse
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

func checkCall(t *testing.T, d *declaration.Declaration, h *Host, call []string) {
	t.Helper()
	name, mount, image := d.Container.Runtime, "--volume", anImage
	switch name {
	case "":
		name = declaration.Runtimes[0]
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

// ownerNamed returns the name of the folder of a process with the number of this one that began at another time.
func ownerNamed(t *testing.T, start int) string {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s+%d+%d", host, os.Getpid(), start)
}

// TestContainerEnds: where the runtime's command is killed the container is ended by its name, now, and by the next tenfold where this one is.
// That asks the runtime which containers were started for the folder. What the folder says is neither a name nor a program.
func TestContainerEnds(t *testing.T) {
	asked := runtimesIn(t)
	train, _ := table(t)
	d := declared("deaf", declaration.Selected, declaration.Predictions)
	d.Container = declaration.Container{Image: anImage, Runtime: "podman"}
	late := errors.New("too late")
	ctx, stop := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, late)
	defer stop()
	if _, err := engineOf(t, &d, newHost(t)).Fit(ctx, runOn(train)); !errors.Is(err, late) {
		t.Errorf("got %v", err)
	}
	made := calls(t, asked)
	name, label := made[0][slices.Index(made[0], "--name")+1], made[0][slices.Index(made[0], "--label")+1]
	if last := made[len(made)-1]; !slices.Equal(last, []string{"podman", "kill", name}) {
		t.Errorf("last asked: %q, expected kill %s", last, name)
	}
	exchange, _, _ := strings.Cut(made[0][slices.Index(made[0], "--volume")+1], ":")
	if label != "tenfold.folder="+exchange {
		t.Errorf("labelled %s, and the exchange folder is %s", label, exchange)
	}
	root := t.TempDir()
	left := filepath.Join(root, ownerNamed(t, 1), "fit")
	for _, c := range []struct {
		runtime string
		running string // what the runtime prints
		kills   []string
	}{
		{"docker", "0123abc\n99ff\n", []string{"0123abc", "99ff"}},
		{"podman", "", nil},
		{"docker", "--all\nsomebody-elses\n", nil},
		{"./evil", "0123abc\n", nil},
		{"podman --all", "0123abc\n", nil},
	} {
		if err := os.MkdirAll(left, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(filepath.Join(left, "runtime"), []byte(c.runtime), 0o644), os.WriteFile(filepath.Join(left, "group"), []byte("1 2 podman --all"), 0o644),
			os.WriteFile(asked+".running", []byte(c.running), 0o644)); err != nil {
			t.Fatal(err)
		}
		before := len(calls(t, asked))
		if err := (&Host{}).Open(root); err != nil {
			t.Fatal(err)
		}
		after := calls(t, asked)[before:]
		if !slices.Contains(declaration.Runtimes, c.runtime) {
			if len(after) > 0 {
				t.Errorf("%s: %q was asked, expected nothing", c.runtime, after)
			}
			continue
		}
		want := [][]string{{c.runtime, "ps", "--quiet", "--no-trunc", "--filter", "label=tenfold.folder=" + left}}
		for _, id := range c.kills {
			want = append(want, []string{c.runtime, "kill", id})
		}
		if fmt.Sprint(after) != fmt.Sprint(want) {
			t.Errorf("%s: %q was asked, expected %q", c.runtime, after, want)
		}
	}
}
