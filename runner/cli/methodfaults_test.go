package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// TestCodeChangesMeanwhile: what a method computed whose code changed while the run went on is not stored; the run ends, and the next one
// fits what is missing with the code that is there then.
func TestCodeChangesMeanwhile(t *testing.T) {
	t.Parallel()
	x, spec, code := newMethods(t)
	dir := filepath.Join(t.TempDir(), "run")
	meddling := strings.Replace(slopes, "cd \"$1\"\n", fmt.Sprintf("echo '# changed' >> %q\ncd \"$1\"\n", code), 1)
	put(t, code, meddling)
	exit, _, errs := x.run("run", spec, "--out", dir, "--allow-methods", "--only", "slopes", "--jobs", "1")
	if exit == app.ExitOK {
		t.Error("a run whose method changed ended well")
	}
	wants(t, errs, "method slopes: code file slopes.sh changed while it was in use; what was computed since is not kept: run again")
	put(t, code, meddling) // what was computed would have been stored under the key of this
	plan, _ := x.ok("plan", spec, "--out", dir, "--only", "slopes")
	wants(t, plan, "0 cached, 6 to run")
	put(t, code, slopes)
	x.ok("run", spec, "--out", dir, "--allow-methods", "--only", "slopes")
	kept := filepath.Join(filepath.Dir(spec), "kept.json")
	put(t, code, meddling)
	exit, _, errs = x.run("fit", spec, "--cell", "tuned", "-o", kept, "--allow-methods")
	if exit == app.ExitOK {
		t.Error("a fit whose method changed ended well")
	}
	wants(t, errs, "code file slopes.sh changed while it was in use")
}

// TestDisturbedCandidate: a method that is killed, or finds the disk full or broken, while it fits a candidate inside a fold has not shown
// that the candidate is none: the fit fails, and once more it gives the digest that it would have given, where leaving the candidate out
// gives another. What the system is to blame for is not stored.
func TestDisturbedCandidate(t *testing.T) {
	t.Parallel()
	x, spec, code := newMethods(t)
	args := []string{"run", spec, "--allow-methods", "--only", "tuned", "--jobs", "1", "--out"}
	usual, _ := x.ok(append(args, filepath.Join(t.TempDir(), "run"))...)
	for _, c := range []struct {
		end, says string
		stored    bool
	}{
		{"kill -9 $$", "it was ended by signal 9 (killed)", true},
		{"echo 'cannot write: No space left on device' >&2; exit 1", "No space left on device", false},
		{"echo 'Disk quota exceeded' >&2; exit 1", "Disk quota exceeded", false},
		{"echo 'read: Input/output error' >&2; kill -9 $$", "Input/output error", false},
	} {
		for _, share := range []string{"0.3", "0.7"} {
			once := filepath.Join(t.TempDir(), "once")
			disturbed := fmt.Sprintf("if [ \"$share\" = %s ] && [ -e %q ]; then rm %q; %s; fi\nawk -v", share, once, once, c.end)
			put(t, code, strings.Replace(slopes, "awk -v", disturbed, 1))
			put(t, once, "")
			dir := filepath.Join(t.TempDir(), "run")
			exit, _, errs := x.run(append(args, dir)...)
			want, again := app.ExitTool, []string{dir}
			if c.stored {
				want, again = app.ExitIncomplete, []string{dir, "--retry-failed"}
				wants(t, errs, "1 of 3 fits failed")
			} else {
				wants(t, errs, "a fit failed for a fault of the system, and is not stored; the same command fits it again: pairs × tuned fold ")
			}
			if wants(t, errs, c.says); exit != want {
				t.Errorf("%s at %s: exit code %d, want %d\n%s", c.end, share, exit, want, errs)
			}
			mended, errs := x.ok(append(args, again...)...)
			wants(t, errs, "1 to run, 2 cached")
			fresh, _ := x.ok(append(args, filepath.Join(t.TempDir(), "run"))...)
			if digest(mended) != digest(fresh) {
				t.Errorf("%s at %s: then %s, undisturbed %s, by other code %s", c.end, share, digest(mended), digest(fresh), digest(usual))
			}
		}
	}
}

// TestInputChanges: fits that change the files of training rows in place fail, and the numbers of all others are those without them: with one
// worker, with several, and when they come first.
func TestInputChanges(t *testing.T) {
	t.Parallel()
	x, spec, code := newMethods(t)
	others := func(out string) (lines []string) {
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "|") && !strings.Contains(line, "share=0.9") {
				lines = append(lines, strings.Join(strings.Fields(line), " "))
			}
		}
		return lines
	}
	undisturbed, _ := x.ok("run", spec, "--out", filepath.Join(t.TempDir(), "run"), "--allow-methods")
	put(t, code, strings.Replace(slopes, "awk -v", `if [ "$share" = 0.9 ]; then chmod u+w train.mtx; sed 's/1$/2/' train.mtx > changed; cat changed > train.mtx; fi
awk -v`, 1))
	first := filepath.Join(t.TempDir(), "first")
	x.run("run", spec, "--out", first, "--allow-methods", "--jobs", "1", "--only", "slopes")
	want := ""
	for _, args := range [][]string{{first, "--jobs", "1"}, {filepath.Join(t.TempDir(), "run"), "--jobs", "1"}, {filepath.Join(t.TempDir(), "run"), "--jobs", "4"}} {
		exit, out, errs := x.run(append([]string{"run", spec, "--allow-methods", "--out"}, args...)...)
		if exit != app.ExitIncomplete {
			t.Errorf("exit code %d\n%s", exit, errs)
		}
		wants(t, errs, "3 of 15 fits failed, 0 are missing")
		if args[0] != first {
			wants(t, errs, "method slopes: it changed its input train.mtx")
		}
		if got := digest(out); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%v: %s, otherwise %s", args, got, want)
		}
		if got, want := others(out), others(undisturbed); !slices.Equal(got, want) {
			t.Errorf("%v: other fits have\n%s\nundisturbed\n%s", args, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestMethodsDiskFull: a disk that is too small for what a method writes fails the fits that need more, and no others, and they are not
// stored; with room the same command fits them, and the digest is that of a run that always had room.
func TestMethodsDiskFull(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("unshare")
	if err != nil || os.Geteuid() != 0 {
		t.Skip("only root, with unshare, can mount a small disk: not tried")
	}
	x, spec, code := newMethods(t)
	// Fits that keep the columns above a share of 0.9 write 6 MB first.
	put(t, code, strings.Replace(slopes, "awk -v", "if [ \"$share\" = 0.9 ]; then head -c 6000000 /dev/zero > large; fi\nawk -v", 1))
	want, _ := x.ok("run", spec, "--out", t.TempDir(), "--allow-methods")
	folder := t.TempDir()
	at := filepath.Join(folder, "disk")
	if err := os.Mkdir(at, 0o755); err != nil {
		t.Fatal(err)
	}
	// The mount is seen by this shell alone, and ends with it.
	script := `mount -t tmpfs -o size=4m tmpfs "$1" || exit 99
"$2" run "$3" --out "$1/run" --cache "$4/cache" --allow-methods --jobs 1 >"$4/out1" 2>"$4/errs1"; echo $? >"$4/code1"
mount -o remount,size=64m "$1" || exit 99
find "$1/run" -name large >"$4/left"
"$2" run "$3" --out "$1/run" --cache "$4/cache" --allow-methods >"$4/out2" 2>"$4/errs2"; echo $? >"$4/code2"`
	cmd := exec.CommandContext(t.Context(), shell, "-m", "sh", "-c", script, "sh", at, os.Args[0], spec, folder)
	cmd.Env = append(os.Environ(), "TENFOLD_TEST_MAIN=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v\n%s", err, out)
	}
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	if got := strings.TrimSpace(read("code1")); got != fmt.Sprint(app.ExitTool) {
		t.Errorf("exit code %s on a full disk", got)
	}
	wants(t, read("errs1"), "15/15 fits, 3 failed", "tenfold: 3 fits failed for a fault of the system, and are not stored; the same command fits them again; the first: pairs × slopes share=0.9 fold ", "method slopes: exit code 1: head: error writing 'standard output': No space left on device")
	if left := read("left"); left != "" {
		t.Errorf("what filled the disk is left: %s", left)
	}
	if got := strings.TrimSpace(read("code2")); got != "0" {
		t.Errorf("exit code %s with room", got)
	}
	wants(t, read("errs2"), "3 to run, 12 cached")
	if digest(read("out2")) != digest(want) {
		t.Errorf("after a full disk %s, without %s", digest(read("out2")), digest(want))
	}
}
