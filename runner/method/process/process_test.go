//go:build unix

package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tenfold/io/files"
	"tenfold/runner/method/declaration"
)

// TestMain is the tests, a supervisor, or a program that starts another one and is killed.
func TestMain(m *testing.M) {
	if Supervise(os.Args) {
		return
	}
	if len(os.Args) == 3 && os.Args[1] == startsAndDies {
		os.Exit(startAndDie(os.Args[2]))
	}
	os.Exit(m.Run())
}

// newPrograms returns programs that have their exchange folders among the temporary files of a test.
func newPrograms(t *testing.T) *Programs {
	t.Helper()
	p := &Programs{Folder: filepath.Join(t.TempDir(), "exchange"), Log: files.Root(t.TempDir()), Grace: 200 * time.Millisecond}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// write writes a file that can be run, and makes its folder.
func write(t *testing.T, file, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o755)); err != nil {
		t.Fatal(err)
	}
}

// gone reports whether a process has ended, whether it was waited for or not.
func gone(pid int) bool {
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ")
}

// TestLinesAndAnswers: only a line of its own is an answer, however long others are.
func TestLinesAndAnswers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 4096) // as much as is read at once
	for printed, want := range map[string]string{
		"fitted\npredicted\n": "fitted predicted", "hello\n  fitted \r\nfitted": "fitted fitted", "fitted {\"a\": 1}\nfitted it\n": `fitted{"a": 1}`,
		long + "fitted\n" + long + long + "predicted\nfitted\n": "fitted", long + "fitted {}\n": "", "fitted" + strings.Repeat(" ", 5000) + "x\n": "",
		"fitted {" + long + "}\npredicted\n": "fitted{" + long + "} predicted",
	} {
		p := &Process{most: 1 << 20, answers: make(chan Answer, 9), stderr: newTailWriter("", "")}
		p.readAnswers(strings.NewReader(printed))
		var got []string
		for a := range p.answers {
			got = append(got, a.word+strings.TrimSpace(string(a.rest)))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%.40q…: answers %.60q, want %.60q", printed, text, want)
		}
	}
}

// TestTemporary: folders that killed processes left among the system's temporary files go when the next is made, with what runs in them; those
// of living processes, of other hosts and of others than tenfold stay.
func TestTemporary(t *testing.T) {
	at := t.TempDir()
	t.Setenv("TMPDIR", at)
	first, err := Temporary("exchange")
	if err := errors.Join(err, (&Programs{Folder: first}).Close()); err != nil {
		t.Fatal(err)
	}
	own, err := Temporary("exchange")
	if err != nil {
		t.Fatalf("after a host whose folder was the only one there: %v", err)
	}
	gone, mine := "tenfold-exchange-"+ownerNamed(t, 1)+ownerMark+"77", filepath.Base(own)
	for _, name := range []string{gone, "tenfold-version-another.host" + ownerMark + "1" + ownerMark + "1" + ownerMark + "2", "tenfold-draft", "else-" + ownerNamed(t, 1)} {
		if err := os.MkdirAll(filepath.Join(at, name, "slopes-1"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	left := startedFor(t, filepath.Join(at, gone, "slopes-1"))
	next, err := Temporary("version")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(at)
	if err != nil || len(entries) != 5 {
		t.Errorf("%d folders, expected the two of this process and three others: %v, %v", len(entries), entries, err)
	}
	for _, name := range []string{mine, filepath.Base(next)} {
		if _, err := os.Stat(filepath.Join(at, name)); err != nil {
			t.Errorf("a folder of a living process: %v", err)
		}
	}
	if _, err := os.Stat(filepath.Join(at, gone)); err == nil {
		t.Errorf("%s is left", gone)
	}
	if err := left.Wait(); err == nil {
		t.Error("what ran there was not ended")
	}
}

// ownerNamed is the name of the folder of a process with the number of this one that began at another time.
func ownerNamed(t *testing.T, start int) string {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join([]string{host, fmt.Sprint(os.Getpid()), fmt.Sprint(start)}, ownerMark)
}

// startedFor starts a process whose environment names an exchange folder.
func startedFor(t *testing.T, folder string) *exec.Cmd {
	t.Helper()
	if startOf(os.Getpid()) == "-" {
		t.Skip("processes are not known here")
	}
	c := exec.Command("sleep", "60")
	c.Env = []string{exchangeVariable + "=" + folder, "PATH=" + os.Getenv("PATH")}
	if err := c.Start(); err != nil {
		t.Skipf("no process: %v", err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	return c
}

// TestLeftBehind: the next tenfold ends what a killed one left, and removes its folder; what a living one has stays.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	living := &Programs{}
	if err := living.Open(root); err != nil {
		t.Fatal(err)
	}
	defer living.Close()
	own := startedFor(t, filepath.Join(living.Folder, "slopes-1"))
	killed := filepath.Join(root, ownerNamed(t, 1))
	if err := os.MkdirAll(filepath.Join(killed, "slopes-1", "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	left := startedFor(t, filepath.Join(killed, "slopes-1"))
	if err := os.Chmod(filepath.Join(killed, "slopes-1"), 0); err != nil { // which is no reason to stay
		t.Fatal(err)
	}
	if err := (&Programs{}).Open(root); err != nil {
		t.Fatal(err)
	}
	if left.Wait(); !gone(left.Process.Pid) {
		t.Error("the method that was left behind goes on")
	}
	if _, err := os.Stat(killed); err == nil {
		t.Error("its folder is left")
	}
	if gone(own.Process.Pid) {
		t.Error("the method of a living process has ended")
	}
}

// TestLeftBehindByNobody: what stands in a run's folder, somebody else may have written. It ends no process, whatever number and start
// time it names: that a process was started for the folder has to be in its environment.
func TestLeftBehindByNobody(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	killed := filepath.Join(root, ownerNamed(t, 1))
	bystander, elsewhere := startedFor(t, "/elsewhere"), startedFor(t, killed+"0/slopes-1")
	for k, c := range []*exec.Cmd{bystander, elsewhere} {
		folder := filepath.Join(killed, fmt.Sprintf("slopes-%d", k))
		text := fmt.Sprintf("%d %s podman --all", c.Process.Pid, startOf(c.Process.Pid))
		if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "group"), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/", filepath.Join(killed, "all")); err != nil {
		t.Fatal(err)
	}
	if err := (&Programs{}).Open(root); err != nil {
		t.Fatal(err)
	}
	if gone(bystander.Process.Pid) || gone(elsewhere.Process.Pid) {
		t.Error("a process of nobody's was ended")
	}
	if _, err := os.Stat(killed); err == nil {
		t.Error("the folder is left")
	}
}

// TestLogIsNew: what a method writes to standard error goes into no file that was there.
func TestLogIsNew(t *testing.T) {
	t.Parallel()
	run, outside := files.Root(t.TempDir()), filepath.Join(t.TempDir(), "outside")
	if err := errors.Join(os.MkdirAll(run.Path(logFolder), 0o755), os.WriteFile(outside, []byte("kept"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string]func(from, to string) error{"link": os.Symlink, "name": os.Link, "nothing": func(string, string) error { return nil }} {
		if err := place(outside, run.Path(logFolder+"/"+name+".stderr")); err != nil {
			t.Skipf("no links here: %v", err)
		}
		w := newTailWriter(run, name)
		w.Write([]byte("words"))
		w.Close()
		if content, err := os.ReadFile(outside); string(content) != "kept" {
			t.Errorf("%s: the file outside is now %q, %v", name, content, err)
		}
		if content, err := os.ReadFile(run.Path(logFolder + "/" + name + ".stderr")); name != "link" && (err != nil || string(content) != "words") {
			t.Errorf("%s: the log is %q, %v", name, content, err)
		}
	}
}

// TestFoldersOfChance: nobody can guess the name of an exchange folder, and no other user can look into it.
func TestFoldersOfChance(t *testing.T) {
	t.Parallel()
	h := newPrograms(t)
	seen := map[string]bool{}
	for range 100 {
		x, err := h.NewFolder("rows")
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		folder := x.Path
		chance := strings.TrimPrefix(filepath.Base(folder), "rows-")
		if len(chance) < 13 || seen[chance[:6]] {
			t.Errorf("%s is not of chance alone", folder)
		}
		seen[chance[:6]] = true
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%v %v", info, err)
		}
	}
}

var anImage = "example.org/slopes@sha256:" + strings.Repeat("0123456789abcdef", 4)

// TestContainerSees: without code the folder of the declaration, with code: none nothing of it.
func TestContainerSees(t *testing.T) {
	t.Parallel()
	d := declaration.Defaults()
	d.Name, d.Command, d.Output = "slopes", []string{"program"}, []string{declaration.Selected, declaration.Predictions}
	d.Folder, _ = os.Getwd()
	d.Container = declaration.Container{Image: anImage, Runtime: "podman"}
	d.Code = nil
	words, err := contained(&d, []string{"run"}, "/exchange", 1)
	if text := strings.Join(words, " "); err != nil || !strings.Contains(text, "--volume "+d.Folder+":"+d.Folder+":ro --env") || !strings.Contains(text, "--workdir "+d.Folder+" ") {
		t.Errorf("without code: %s %v", text, err)
	}
	d.Code = []string{declaration.CodeNone}
	words, err = contained(&d, []string{"run"}, "/exchange", 1)
	if text := strings.Join(words, " "); err != nil || strings.Contains(text, d.Folder) || !strings.Contains(text, "--workdir /exchange ") {
		t.Errorf("code: none: %s %v", text, err)
	}
	if _, err := contained(&d, []string{"run"}, "/ex:change", 1); err == nil || !strings.Contains(err.Error(), "has a colon") {
		t.Errorf("a colon: %v", err)
	}
	d.Sandbox = true
	d.Version = []string{"x"}
	if err := d.Validate(); err == nil || !strings.Contains(err.Error(), "expected one of the two") {
		t.Errorf("sandbox and container: %v", err)
	}
}

// startsAndDies is the argument with which the tests call themselves for startAndDie.
const startsAndDies = "starts and dies"

// startAndDie starts a program that writes the numbers of its processes into a file, as tenfold starts a method, and ends as tenfold
// when it is killed.
func startAndDie(file string) int {
	ours, theirs, err := newPipes()
	if err != nil {
		return 1
	}
	var s supervisors
	script := `setsid sleep 3600 & echo $! $$ > "$0.new"; mv "$0.new" "$0"; sleep 3600`
	if _, err = s.start(invocation{Path: "/bin/sh", Args: []string{"sh", "-c", script, file}, Dir: "/", files: theirs}); err != nil {
		return 1
	}
	for {
		if _, err := os.Stat(file); err == nil {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Second)
		}
		time.Sleep(5 * time.Millisecond)
		ours[0].Sync() // keeps the pipes open
	}
}
