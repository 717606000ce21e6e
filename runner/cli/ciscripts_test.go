package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// ciExperiment is what a repository has under adapters/ci/check.
const ciExperiment = `tenfold: 1
name: small
seed: 1
datasets:
  - {name: pairs, format: synthetic, rows: 300, truth: 10, seed: 1, features: {cutoff: 3}}
folds: {kind: kfold, k: 3}
algorithms:
  - {name: ridge, engine: ridge, params: {lambda: 10}}
metrics: [test_mse]
gate:
  - {metric: test_mse, margin: {relative: 0.05}}
`

// ciFolder is a folder with an experiment and its baseline, and the environment that a job has there.
func ciFolder(t *testing.T) (dir string, environment []string) {
	t.Helper()
	s := newShell(t)
	s.write(t, "experiments/small.yaml", ciExperiment)
	s.run(t, "tenfold accept experiments/small.yaml")
	return s.dir, append(os.Environ(), "PATH="+s.path, "TENFOLD_CACHE="+filepath.Join(s.dir, ".cache"), "TENFOLD_DATA=", "NO_COLOR=1",
		"TENFOLD="+filepath.Join(strings.SplitN(s.path, ":", 2)[0], "tenfold"), "EXPERIMENTS=experiments/*.yaml", "OUT=out",
		"GITHUB_ACTIONS=true", "GITHUB_OUTPUT="+filepath.Join(s.dir, "outputs"), "GITHUB_STEP_SUMMARY="+filepath.Join(s.dir, "summary"))
}

func ciScript(t *testing.T, name, dir string, environment []string) (code int, out string) {
	t.Helper()
	script, err := filepath.Abs("adapters/ci/" + name)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", script)
	cmd.Dir, cmd.Env = dir, environment
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// TestCICheck: the script of action.yml and of the GitLab component tells a pass from a regression and from what was not measured,
// and leaves annotations, a summary, JUnit and a comment.
func TestCICheck(t *testing.T) {
	t.Parallel()
	dir, environment := ciFolder(t)
	for _, c := range []struct {
		arguments, verdict, comment string
		code                        int
	}{
		{"", "passed", "small: good", 0},
		{"--set algorithms.ridge.params.lambda=0.0001", "regression", "**regression**", 3},
		{"--set folds.seed=9", "incomplete", "**incomparable**", 4},
		{"--set algorithms.ridge.params.lamda=1", "error", "did you mean \"lambda\"", 2},
	} {
		for _, name := range []string{"outputs", "summary"} {
			_ = os.Remove(filepath.Join(dir, name))
		}
		code, out := ciScript(t, "check", dir, append(environment, "ARGUMENTS="+c.arguments))
		if code != c.code {
			t.Errorf("%s: exit code %d, expected %d\n%s", c.verdict, code, c.code, out)
		}
		read := func(name string) string {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Errorf("%s: %v", c.verdict, err)
			}
			return string(b)
		}
		if outputs := read("outputs"); !strings.Contains(outputs, "\nverdict="+c.verdict+"\n") {
			t.Errorf("outputs %q, expected %s", outputs, c.verdict)
		}
		// The first line is the same whatever is wrong, so that the comment of an earlier push is rewritten.
		if comment := read("out/comment.md"); !strings.Contains(comment, c.comment) || !strings.HasPrefix(comment, "<!-- tenfold: experiments/*.yaml -->\n") {
			t.Errorf("%s: comment %q", c.verdict, comment)
		}
		if junit := read("out/check.xml"); !strings.Contains(junit, "<testsuite") {
			t.Errorf("%s: JUnit %q", c.verdict, junit)
		}
		if summary := read("summary"); !strings.Contains(summary, c.comment) {
			t.Errorf("%s: summary %q", c.verdict, summary)
		}
		if c.code != 0 && !strings.Contains(out, "::error ") {
			t.Errorf("%s: no annotation in\n%s", c.verdict, out)
		}
	}
}

// TestCIFits: outcomes that come with a checkout are removed and their fits run again, wherever the run's folder is and whatever link leads
// there; those of earlier jobs, which git does not track, are taken.
func TestCIFits(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	const moved = "mkdir stuff && mv runs/small stuff/run && "
	for _, c := range []struct {
		name, tracked, arguments string // a shell's commands, in whose end git tracks files
		code                     int
		want                     string
	}{
		{"of an earlier job", "git add experiments", "", 0, "fits: 0 run now, 3 stored"},
		{"tracked", "git add -f experiments runs", "", 3, "fits: 3 run now"},
		{"behind a link", "mv runs stuff && ln -s stuff runs && git add -f stuff runs", "", 3, "fits: 3 run now"},
		{"in a linked folder", moved + "ln -s ../stuff/run runs/small && git add -f stuff runs", "", 3, "fits: 3 run now"},
		{"elsewhere", moved + "git add -f stuff", "--out stuff/run", 3, "fits: 3 run now"},
		{"elsewhere, behind a link", moved + "ln -s stuff link && git add -f stuff link", "--out=link/run", 3, "fits: 3 run now"},
		{"of an unknown origin", "rm -r .git", "", 3, "fits: 3 run now"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, environment := ciFolder(t)
			do := func(command string) {
				t.Helper()
				cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
				cmd.Dir, cmd.Env = dir, environment
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", command, err, out)
				}
			}
			forge(t, filepath.Join(dir, "runs", "small"), func() {
				do("sed -i.old 's/lambda: 10/lambda: 0.0001/' experiments/small.yaml && rm experiments/*.old && tenfold run experiments/small.yaml")
			})
			do("git init -q && " + c.tracked)
			code, out := ciScript(t, "check", dir, append(environment, "ARGUMENTS="+c.arguments))
			if code != c.code || !strings.Contains(out, c.want) || strings.Contains(out, "tenfold check --fresh") != (c.code != 0) {
				t.Errorf("exit code %d, want %d, and %q in\n%s", code, c.code, c.want, out)
			}
			comment, err := os.ReadFile(filepath.Join(dir, "out", "comment.md"))
			if err != nil || strings.Contains(string(comment), "**regression**") != (c.code != 0) {
				t.Errorf("%v, %s", err, comment)
			}
		})
	}
}

// TestCIComment: a comment that is there is rewritten, one that is not is written, and where none can be, that is said.
func TestCIComment(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"comment.md": "<!-- tenfold check small -->\nwords\n",
		"gh":         "#!/bin/sh\necho \"$@\" >> calls\ncase \"$*\" in *--paginate*) echo \"$KNOWN\" ;; esac\n",
		"curl":       "#!/bin/sh\necho \"$@\" >> calls\ncase \"$*\" in *per_page*) echo \"[{\\\"id\\\": 5, \\\"body\\\": \\\"$KNOWN\\\"}]\" ;; esac\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	github := []string{"GITHUB_ACTIONS=true", "GITHUB_REPOSITORY=o/r", "PULL_REQUEST=7"}
	gitlab := []string{"GITHUB_ACTIONS=", "CI_MERGE_REQUEST_IID=7", "CI_API_V4_URL=https://git.example.org/api/v4", "CI_PROJECT_ID=3", "NOTE_TOKEN=secret"}
	for _, c := range []struct {
		name        string
		environment []string
		calls, says string
	}{
		{"GitHub, new", github, "repos/o/r/issues/7/comments -F body=@./comment.md", ""},
		{"GitHub, again", append(github, "KNOWN=42"), "--method PATCH repos/o/r/issues/comments/42 -F body=@./comment.md", ""},
		{"GitHub, a push", append(github, "PULL_REQUEST="), "", "this is no pull request"},
		{"GitLab, new", append(gitlab, "KNOWN=other"), "-X POST -H PRIVATE-TOKEN: secret --data-urlencode body@./comment.md https://git.example.org/api/v4/projects/3/merge_requests/7/notes", ""},
		{"GitLab, again", append(gitlab, "KNOWN=<!-- tenfold check small -->"), "-X PUT -H PRIVATE-TOKEN: secret --data-urlencode body@./comment.md https://git.example.org/api/v4/projects/3/merge_requests/7/notes/5", ""},
		{"GitLab, no token", append(gitlab, "NOTE_TOKEN="), "", "NOTE_TOKEN"},
	} {
		if _, err := exec.LookPath("jq"); err != nil && strings.HasPrefix(c.name, "GitLab,") && c.calls != "" {
			t.Logf("%s: jq is not installed, not tested", c.name)
			continue
		}
		_ = os.Remove(filepath.Join(dir, "calls"))
		code, out := ciScript(t, "comment", dir, append(append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "OUT=."), c.environment...))
		calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
		if code != 0 || !strings.Contains(string(calls), c.calls) || !strings.Contains(out, c.says) || c.calls == "" && len(calls) > 0 {
			t.Errorf("%s: exit code %d\n%s\ncalls\n%s", c.name, code, out, calls)
		}
	}
}

// TestRecipeOfNewData: the commands of the page about the gate compare the merge base with a branch on data that the branch brings along.
func TestRecipeOfNewData(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	page, err := os.ReadFile("docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, recipe, _ := strings.Cut(string(page), "\n## When the data change\n")
	recipe, _, _ = strings.Cut(recipe, "\n## ")
	var commands []string
	for line := range strings.Lines(recipe) {
		if command, indented := strings.CutPrefix(line, "    "); indented {
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	if len(commands) < 4 {
		t.Fatalf("commands %q", commands)
	}
	const experiment = `tenfold: 1
name: joins
seed: 1
datasets:
  - {name: messages, format: csv, files: {all: ../data/messages.csv}, target: {column: y, type: real}}
folds: {kind: kfold, k: 4}
algorithms:
  - {name: ridge, engine: ridge, params: {lambda: 1}}
metrics: [test_mse]
gate:
  - {metric: test_mse, margin: {relative: 0.05}}
`
	rows := func(n int) string {
		var b strings.Builder
		b.WriteString("a,b,y\n")
		for i := range n {
			a, c := float64(i*7%13), float64(i*5%11)
			fmt.Fprintf(&b, "%g,%g,%g\n", a, c, 2*a-c+float64(i*3%5)/10)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, edit string
		want       string
	}{
		{"the same algorithm", "true", "joins: good"},
		{"a worse one", "sed -i.old 's/lambda: 1}/lambda: 10000}/' experiments/joins.yaml && rm experiments/*.old", "regression"},
	} {
		s := newShell(t)
		s.dir = filepath.Join(s.dir, "repository")
		s.write(t, "experiments/joins.yaml", experiment)
		s.write(t, "data/messages.csv", rows(60))
		const git = "git -c user.name=a -c user.email=a@example.org "
		s.run(t, "git init -q -b work && git add . && "+git+"commit -q -m base && git update-ref refs/remotes/origin/main HEAD && "+c.edit)
		s.write(t, "data/messages.csv", rows(90))
		s.run(t, git+"commit -q -a -m grown")
		if out := s.run(t, "exec 2>&1\n"+strings.Join(commands, "\n")); !strings.Contains(out, c.want) || strings.Contains(out, "incomparable") {
			t.Errorf("%s: want %q in\n%s", c.name, c.want, out)
		}
		if _, err := os.Stat(filepath.Join(s.dir, "..", "was")); err == nil {
			t.Errorf("%s: the work tree of the merge base is left", c.name)
		}
	}
}

// TestCINames: jobs, legs of a matrix, uses in a job and attempts have names of their own, so no upload meets another's, and fits are
// kept by the sources of the program that made them.
func TestCINames(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	root := t.TempDir()
	script, err := os.ReadFile("adapters/ci/names")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	write("adapters/ci/names", string(script))
	write("go.mod", "module m\n")
	write("main.go", "package main\n")
	write("engines/main_test.go", "package engines\n")
	// names runs the script in a job's temporary folder and returns what it says.
	names := func(temp string, environment ...string) map[string]string {
		t.Helper()
		output := filepath.Join(t.TempDir(), "output")
		cmd := exec.CommandContext(t.Context(), filepath.Join(root, "adapters/ci/names"))
		cmd.Env = append(append(os.Environ(), "TENFOLD=", "GITHUB_JOB=check", "GITHUB_RUN_ATTEMPT=1", "LEG=0", "LEGS=1",
			"RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+output), environment...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]string{}
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			said[key] = value
		}
		return said
	}
	job := t.TempDir()
	first, seen := names(job), map[string]bool{}
	for _, said := range []map[string]string{first, names(job), names(t.TempDir(), "LEG=0", "LEGS=2"), names(t.TempDir(), "LEG=1", "LEGS=2"),
		names(t.TempDir(), "GITHUB_JOB=other"), names(t.TempDir(), "GITHUB_RUN_ATTEMPT=2")} {
		use := said["use"]
		if seen[use] || !regexp.MustCompile(`^[\w-]+$`).MatchString(use) {
			t.Errorf("use %q among %v", use, seen)
		}
		if seen[use] = true; said["tool"] != first["tool"] || len(said["tool"]) != 16 {
			t.Errorf("tool %q beside %q of the same sources", said["tool"], first["tool"])
		}
		if (said["first"] == "true") != (use != "check-use2") {
			t.Errorf("use %s is first: %s", use, said["first"])
		}
	}
	write("engines/main_test.go", "package engines_test\n")
	if same := names(t.TempDir()); same["tool"] != first["tool"] {
		t.Error("a test's source changes the digest of the program")
	}
	write("engines/lasso.go", "package engines\n")
	if other := names(t.TempDir()); other["tool"] == first["tool"] {
		t.Error("other sources have the same digest")
	}
	if other := names(t.TempDir(), "TENFOLD="+filepath.Join(root, "main.go")); other["tool"] == first["tool"] {
		t.Error("another program has the digest of the sources")
	}
}

// TestCIFiles: what the action and the component use of others is pinned, each input is used, what the action keeps has the names that its
// script says, and the hook takes experiments alone.
func TestCIFiles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]any
		Runs   struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	for _, step := range action.Runs.Steps {
		if step.Uses != "" && !regexp.MustCompile(`@[0-9a-f]{40}$`).MatchString(step.Uses) {
			t.Errorf("action.yml: %s is not pinned", step.Uses)
		}
		kept := step.With["name"]
		if step.With["path"] == "runs" {
			if kept = step.With["key"]; !strings.Contains(kept, "${{ steps.names.outputs.tool }}") {
				t.Errorf("action.yml: %s keeps fits as %s, whatever tenfold made them", step.Uses, kept)
			}
		}
		if kept != "" && !strings.Contains(kept, "${{ steps.names.outputs.use }}") {
			t.Errorf("action.yml: %s keeps %s in each job, leg and use", step.Uses, kept)
		}
	}
	for name := range action.Inputs {
		if !strings.Contains(string(text), "inputs."+name) {
			t.Errorf("action.yml: input %s is not used", name)
		}
	}
	if text, err = os.ReadFile("templates/check.yml"); err != nil {
		t.Fatal(err)
	}
	documents := yaml.NewDecoder(bytes.NewReader(text))
	var head struct {
		Spec struct{ Inputs map[string]any }
	}
	var jobs map[string]any
	if err := errors.Join(documents.Decode(&head), documents.Decode(&jobs)); err != nil || len(jobs) != 1 || documents.Decode(&jobs) != io.EOF {
		t.Fatalf("templates/check.yml: %v, %d jobs", err, len(jobs))
	}
	for name := range head.Spec.Inputs {
		if !strings.Contains(string(text), "$[[ inputs."+name+" ]]") {
			t.Errorf("templates/check.yml: input %s is not used", name)
		}
	}
	if text, err = os.ReadFile(".pre-commit-hooks.yaml"); err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ Entry, Files, Exclude string }
	if err := yaml.Unmarshal(text, &hooks); err != nil || len(hooks) != 1 || hooks[0].Entry != "tenfold validate --no-data" {
		t.Fatalf(".pre-commit-hooks.yaml: %v, %v", err, hooks)
	}
	files, exclude := regexp.MustCompile(hooks[0].Files), regexp.MustCompile(hooks[0].Exclude)
	for name, want := range map[string]bool{"experiments/a.yaml": true, "b.tenfold.yaml": true, "x/experiments/a.yml": true,
		"experiments/a.baseline.yaml": false, ".github/workflows/a.yaml": false, "experiments/methods/m.yaml": false} {
		if got := files.MatchString(name) && !exclude.MatchString(name); got != want {
			t.Errorf("the hook checks %s: %v", name, got)
		}
	}
}
