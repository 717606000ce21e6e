package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"tenfold/io/host/hosttest"
	"testing"

	"gopkg.in/yaml.v3"
)

// The tutorial is a document whose code blocks are run in order, in one folder. Of a fenced block, the info string says what
// it is:
//
//	yaml FILE    the content of a file
//	diff FILE    lines of that file that become others, until the next heading: each section is a branch of its own
//	console      commands after "$ ", each followed by what it prints. Of errors of use (exit code 2) that includes
//	             standard error, which else has progress alone. A line "…" stands for any lines
const tutorialFile = "docs/tutorial.md"

var fence = regexp.MustCompile("(?s)```(yaml|diff|console)(?: ([^\\n]+))?\\n(.*?)```|\n## ")

// shell runs commands in a folder, with this program as tenfold.
type shell struct {
	dir  string
	path string
}

func newShell(t *testing.T) shell {
	t.Helper()
	hosttest.NeedPrograms(t, "what a page says, in a shell")
	if runtime.GOOS == "windows" {
		t.Skip("the tutorial's commands are a POSIX shell's")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return shellWith(t, t.TempDir(), fmt.Sprintf("TENFOLD_TEST_MAIN=1 exec %q \"$@\"", self))
}

// shellWith is a shell in dir in which a script is tenfold.
func shellWith(t *testing.T, dir, script string) shell {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "tenfold"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return shell{dir: dir, path: bin + ":" + os.Getenv("PATH")}
}

// origin is where stored fits come from, which documents show as an example.
var origin = regexp.MustCompile(` stored by tenfold .* UTC`)

const exampleOrigin = " stored by tenfold v0.3.0 on laptop linux/amd64 at commit 6f2a90c1d4be, 2026-03-02 09:41 UTC"

// run a command; what it printed.
func (s shell) run(t *testing.T, command string) string {
	t.Helper()
	var out, errs bytes.Buffer
	c := exec.CommandContext(t.Context(), "sh", "-c", command)
	c.Dir, c.Stdout, c.Stderr = s.dir, &out, &errs
	c.Env = append(os.Environ(), "PATH="+s.path, "TENFOLD_CACHE="+filepath.Join(s.dir, ".cache"), "TENFOLD_DATA=", "NO_COLOR=1", "GITHUB_STEP_SUMMARY=")
	err := c.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatalf("%s: %v", command, err)
	}
	if strings.Contains(out.String(), "exit code 2") || c.ProcessState.ExitCode() == 2 {
		return errs.String() + out.String()
	}
	if c.ProcessState.ExitCode() != 0 && !strings.Contains(command, "|") {
		t.Errorf("$ %s\nexit code %d\n%s", command, c.ProcessState.ExitCode(), errs.String())
	}
	return origin.ReplaceAllString(out.String(), exampleOrigin)
}

func (s shell) write(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestTutorial does what docs/tutorial.md says, and expects what it shows.
func TestTutorial(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	large, err := exec.CommandContext(t.Context(), "go", "run", "./experiments/data/churn", "-rows", "24000").Output()
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "large.csv", string(large))
	s.write(t, "churn.csv", read(t, "experiments/data/churn.csv"))
	after := s.tutorial(t, read(t, tutorialFile))
	if *updateDocs && !t.Failed() {
		if err := os.WriteFile(tutorialFile, []byte(after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTutorialFromRelease does so where tenfold has nothing but the archive of a release (scripts/release): no repository, no Go, no
// other program, no network, no /proc, and a user who is not root.
func TestTutorialFromRelease(t *testing.T) {
	t.Parallel()
	archive := os.Getenv("TENFOLD_RELEASE")
	if archive == "" {
		t.Skip("TENFOLD_RELEASE is not set: it names the archive of a release for Linux, dist/tenfold_VERSION_linux_ARCH.tar.gz")
	}
	alone := []string{"--map-user=65532", "--map-group=65532", "--net"}
	if out, err := exec.CommandContext(t.Context(), "unshare", append(alone, "true")...).CombinedOutput(); err != nil {
		t.Skipf("namespaces of one's own are not allowed here: %v %s", err, out)
	}
	root := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "tar", "-xzf", archive, "-C", root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, dir := range []string{"work", "tmp"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := shellWith(t, filepath.Join(root, "work"), fmt.Sprintf("exec env -i HOME=/tmp NO_COLOR=1 unshare %s --root=%q --wd=/work /tenfold/tenfold \"$@\"", strings.Join(alone, " "), root))
	for _, name := range []string{"churn.csv", "large.csv"} {
		s.write(t, name, read(t, filepath.Join(root, "tenfold/experiments/data", name)))
	}
	s.tutorial(t, read(t, filepath.Join(root, "tenfold", tutorialFile)))
}

// tutorial runs the code blocks of a text, and returns it as it should be.
func (s shell) tutorial(t *testing.T, text string) string {
	t.Helper()
	files := map[string]string{}
	var ran []string
	after := fence.ReplaceAllStringFunc(text, func(block string) string {
		m := fence.FindStringSubmatch(block)
		switch kind, name, body := m[1], m[2], m[3]; kind {
		case "":
			for name, body := range files {
				s.write(t, name, body)
			}
		case "yaml":
			files[name] = body
			s.write(t, name, body)
		case "diff":
			s.write(t, name, patched(t, files[name], body))
		case "console":
			shown := s.session(t, body)
			ran = append(ran, shown)
			return "```console\n" + shown + "```"
		}
		return block
	})
	for _, code := range []string{"exit code 0", "exit code 2", "exit code 3", "exit code 4"} {
		if !slices.ContainsFunc(ran, func(out string) bool { return strings.Contains(out, code) }) {
			t.Errorf("the tutorial shows no %s", code)
		}
	}
	workflows(t, s, files)
	return after
}

// session runs the commands of a block and compares what they print with what it shows; it returns the block as it should be.
func (s shell) session(t *testing.T, body string) string {
	t.Helper()
	var out strings.Builder
	for _, part := range strings.Split("\n"+body, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		got := s.run(t, command)
		if got != "" && !strings.HasSuffix(got, "\n") {
			got += "\n"
		}
		if want != "" && !strings.HasSuffix(want, "\n") {
			want += "\n"
		}
		switch {
		case matches(got, want):
			got = want
		case !*updateDocs:
			t.Errorf("$ %s\nprints\n%s\nand %s shows (go test -run TestTutorial -update . writes it anew)\n%s", command, got, tutorialFile, want)
		}
		out.WriteString("$ " + command + "\n" + got)
	}
	return out.String()
}

// matches tells whether a text is another one, in which a line "…" stands for any lines.
func matches(text, shown string) bool {
	parts := strings.Split(shown, "…\n")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, `(.*\n)?`) + `\z`).MatchString(text)
}

// patched is a file with the lines that a diff takes out replaced by those that it puts in their place.
func patched(t *testing.T, content, diff string) string {
	t.Helper()
	var out, in []string
	for line := range strings.Lines(diff) {
		switch line[0] {
		case '-':
			out = append(out, line[1:])
		case '+':
			in = append(in, line[1:])
		}
	}
	if len(out) != len(in) {
		t.Fatalf("%d lines go, %d come:\n%s", len(out), len(in), diff)
	}
	for i := range out {
		if strings.Count(content, out[i]) != 1 {
			t.Fatalf("the file has no such line, or several:\n%s", out[i])
		}
		content = strings.Replace(content, out[i], in[i], 1)
	}
	return content
}

// workflows runs the script of the action and of the component, as the two workflow files ask for it. All that they use of others
// is pinned.
func workflows(t *testing.T, s shell, files map[string]string) {
	t.Helper()
	type inputs struct{ Experiments string }
	var github struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With inputs
			}
		}
	}
	var gitlab struct {
		Include []struct {
			Component string
			Inputs    inputs
		}
	}
	for name, into := range map[string]any{".github/workflows/churn.yaml": &github, ".gitlab-ci.yml": &gitlab} {
		if err := yaml.Unmarshal([]byte(files[name]), into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	uses := map[string]string{} // experiments by what checks them
	for _, step := range github.Jobs["check"].Steps {
		uses[step.Uses] = step.With.Experiments
	}
	for _, c := range gitlab.Include {
		uses[c.Component] = c.Inputs.Experiments
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for name, experiments := range uses {
		if !regexp.MustCompile(`@[0-9a-f]{40}$`).MatchString(name) {
			t.Errorf("%s is not pinned", name)
		}
		if experiments == "" {
			continue
		}
		checked++
		command := fmt.Sprintf("EXPERIMENTS=%q TENFOLD=tenfold GITHUB_ACTIONS= OUT=out %q", experiments, filepath.Join(root, "adapters/ci/check"))
		if out := s.run(t, command); !strings.Contains(out, "good: 2 pass") {
			t.Errorf("$ %s\n%s", command, out)
		}
		for _, name := range []string{"runs/churn/report.html", "out/check.xml"} {
			if _, err := os.Stat(filepath.Join(s.dir, name)); err != nil {
				t.Errorf("%s: %v", command, err)
			}
		}
	}
	if checked != 2 {
		t.Errorf("%d of the workflows' steps check experiments: %v", checked, uses)
	}
}

// TestTutorialExperiment: experiments/churn.yaml is the tutorial's, and its table what its generator writes.
func TestTutorialExperiment(t *testing.T) {
	t.Parallel()
	shown, err := os.ReadFile(tutorialFile)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("experiments/churn.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(kept), "\n\n") // after the comment at its top
	if text = strings.ReplaceAll(text, "data/churn.csv", "churn.csv"); !strings.Contains(string(shown), "```yaml churn.yaml\n"+text+"```") {
		t.Errorf("%s does not show experiments/churn.yaml, which is, with its path,\n%s", tutorialFile, text)
	}
	want, err := os.ReadFile("experiments/data/churn.csv")
	if err != nil {
		t.Fatal(err)
	}
	if len(want) > 300_000 {
		t.Errorf("the table has %d bytes", len(want))
	}
	if testing.Short() {
		return
	}
	got, err := exec.CommandContext(t.Context(), "go", "run", "./experiments/data/churn").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("experiments/data/churn.csv is not what experiments/data/churn writes")
	}
}
