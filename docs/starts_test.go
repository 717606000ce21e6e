package docs_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// starters lists, by package, the names by which Go code starts a program; of a package without a list every use counts.
var starters = map[string]*regexp.Regexp{
	"os":                       regexp.MustCompile(`^StartProcess$`),
	"os/exec":                  regexp.MustCompile(`^(Command|CommandContext|Cmd)$`),
	"syscall":                  regexp.MustCompile(`^(Exec|ForkExec|StartProcess|CreateProcess.*|(Raw)?Syscall.*|(Must)?LoadDLL|NewLazyDLL)$`),
	"golang.org/x/sys/unix":    regexp.MustCompile(`^(Exec|(Raw)?Syscall.*)$`),
	"golang.org/x/sys/windows": regexp.MustCompile(`^(CreateProcess.*|ShellExecute.*|(Must)?LoadDLL|LoadLibrary.*|NewLazy.*)$`),
	"golang.org/x/sys/execabs": nil,
	"net/http/cgi":             nil,
	"plugin":                   nil,
	"C":                        nil,
}

// startsOf lists the functions of a file that start programs, with the name of what starts them. A pointer to a command, as a parameter
// or field, starts none.
func startsOf(tree *ast.File) map[string]string {
	found, packages := map[string]string{}, map[string]string{}
	for _, i := range tree.Imports {
		from, _ := strconv.Unquote(i.Path.Value)
		names, known := starters[from]
		if !known {
			continue
		}
		name := filepath.Base(from)
		if i.Name != nil {
			name = i.Name.Name
		}
		if packages[name] = from; names == nil || name == "." {
			found["import"] = from
		}
	}
	for _, d := range tree.Decls {
		where := "var"
		if f, ok := d.(*ast.FuncDecl); ok {
			where = f.Name.Name
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StarExpr:
				s, isSelector := n.X.(*ast.SelectorExpr)
				return !isSelector || s.Sel.Name != "Cmd"
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok || x.Obj != nil {
					return true
				}
				if names := starters[packages[x.Name]]; names != nil && names.MatchString(n.Sel.Name) {
					found[where] = packages[x.Name] + "." + n.Sel.Name
				}
			}
			return true
		})
	}
	return found
}

// startRow matches a row of the table in SECURITY.md: the file, and of Go code the function, that starts a program; the program; why it may.
var startRow = regexp.MustCompile("(?m)^\\| `([^`]+)`(?:, `(\\w+)`)? \\| ([^|]+) \\| ([^|]+) \\|$")

// TestStartsOfPrograms: SECURITY.md lists every place that starts a program, with the reason why it may, and no other. Tests may start any.
func TestStartsOfPrograms(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## What starts a program\n")
	section, _, _ = strings.Cut(section, "\n## ")
	listed := map[string]bool{}
	for _, row := range startRow.FindAllStringSubmatch(section, -1) {
		place := strings.TrimSpace(row[1] + " " + row[2])
		if listed[place] = true; len(row[4]) < 12 {
			t.Errorf("%s: no reason", place)
		}
	}
	there := map[string]string{}
	roots := ownFiles(t)
	_, files := sources(t, roots...)
	for file, tree := range files {
		for function, by := range startsOf(tree) {
			place := file + " " + function
			if strings.HasPrefix(file, "scripts/") { // no part of the program: a row for each
				place = path.Dir(file)
			}
			there[place] = by
		}
	}
	for _, file := range scripts(t, roots) {
		there[file] = "a script"
	}
	for place, by := range there {
		if !listed[place] {
			t.Errorf("%s: %s starts a program, which the table in SECURITY.md does not list", place, by)
		}
	}
	for place := range listed {
		if there[place] == "" {
			t.Errorf("%s, which the table in SECURITY.md lists, starts no program", place)
		}
	}
}

// ownFiles lists the files and folders of the repository's root without those that commands make.
func ownFiles(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains([]string{".git", "runs", "dist", "site"}, e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// otherPrograms matches what starts a program in Python and R.
var otherPrograms = regexp.MustCompile(`\bsubprocess\b|\bos\.(system|popen|exec|spawn|posix_spawn)|\bsystem2?\(`)

// scripts lists the files in other languages that start programs: those for shells, the action, templates of jobs, and Python and R that
// call others.
func scripts(t *testing.T, roots []string) (out []string) {
	t.Helper()
	for _, root := range roots {
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.HasSuffix(file, ".go") || strings.Contains(file, "testdata") {
				return err
			}
			content, err := os.ReadFile(file)
			file = filepath.ToSlash(file)
			ext := path.Ext(file)
			if bytes.HasPrefix(content, []byte("#!")) || slices.Contains([]string{".sh", ".bash", ".ps1", ".bat", ".cmd"}, ext) || file == "action.yml" ||
				strings.HasPrefix(file, "templates/") || (ext == ".py" || ext == ".R") && otherPrograms.Match(content) {
				out = append(out, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestStartsFound: whatever way code takes to start a program, it is found.
func TestStartsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`import "os/exec"; func f() { exec.Command("x").Run() }`:                              "f",
		`import e "os/exec"; func f() { c := e.Cmd{}; c.Run() }`:                              "f",
		`import "os/exec"; func f() { c := &exec.Cmd{Path: "x"}; c.Run() }`:                   "f",
		`import "os/exec"; func f() { new(exec.Cmd).Run() }`:                                  "f",
		`import "os/exec"; func f() { run := exec.Command; run("x") }`:                        "f",
		`import "os/exec"; var start = exec.CommandContext`:                                   "var",
		`import . "os/exec"; func f() { Command("x").Run() }`:                                 "import",
		`import "os"; func (t T) f() { os.StartProcess("x", nil, nil) }`:                      "f",
		`import "syscall"; func f() { syscall.Exec("x", nil, nil) }`:                          "f",
		`import "golang.org/x/sys/unix"; func f() { unix.RawSyscall(unix.SYS_EXECVE, 0, 0) }`: "f",
		`import "plugin"`: "import",
		`import "C"`:      "import",
		`import "os/exec"; func f(c *exec.Cmd) error { _, err := exec.LookPath("x"); return err }`: "",
		`import "os"; func f() { os.Open("x") }`:                                                   "",
	} {
		tree, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+text, 0)
		if err != nil {
			t.Fatal(err)
		}
		found := startsOf(tree)
		if len(found) > 1 || want != "" && found[want] == "" || want == "" && len(found) > 0 {
			t.Errorf("%s: found %v, expected %q", text, found, want)
		}
	}
}

// TestDependenciesStartNothing: no package of others that is compiled into the program imports what starts programs.
func TestDependenciesStartNothing(t *testing.T) {
	t.Parallel()
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", `{{if not .Standard}}{{.ImportPath}} {{join .Imports " "}}{{end}}`, ".")
		list.Env = append(os.Environ(), "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Skipf("go list: %v", err)
		}
		for line := range strings.Lines(string(out)) {
			imports := strings.Fields(line)
			if len(imports) == 0 || strings.HasPrefix(imports[0], "tenfold/") {
				continue
			}
			for _, name := range imports[1:] {
				if slices.Contains([]string{"os/exec", "plugin", "net/http/cgi", "golang.org/x/sys/execabs"}, name) {
					t.Errorf("%s, %s imports %s", system, imports[0], name)
				}
			}
		}
	}
}
