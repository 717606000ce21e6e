//go:build linux

package laws_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/host/hosttest"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/laws"
)

// declared is the program of program_test.go with a defect, in a folder of its own.
func declared(t *testing.T, defect string, change func(*declaration.Declaration)) (d declaration.Declaration, o laws.Options) {
	t.Helper()
	folder, aside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "program.go"), []byte("package main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d = declaration.Defaults()
	d.Name, d.Command, d.Code, d.Folder = "slopes", []string{os.Args[0], "method", defect, aside}, []string{"program.go"}, folder
	d.Output, d.Target, d.Matrix = []string{declaration.Selected, declaration.Predictions}, []string{"real"}, "mtx"
	d.Params = []declaration.Param{{Name: "share", Default: 0.1}}
	if change != nil {
		change(&d)
	}
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	o = laws.Options{Limit: time.Minute, Grace: 3 * time.Second, Temp: t.TempDir()} // a busy machine ends no process within a second
	switch defect {
	case "hangs":
		o.Limit = 5 * time.Second
	case "lingers":
		o.Grace = time.Second
	}
	if defect == "temp" {
		o.Temp = aside
	}
	return d, o
}

// withHelper puts a file beside the program that the code does not name.
func withHelper(d *declaration.Declaration) {
	lib := filepath.Join(d.Folder, "lib")
	if err := errors.Join(os.Mkdir(lib, 0o755), os.WriteFile(filepath.Join(lib, "helper.txt"), []byte("1\n"), 0o644)); err != nil {
		panic(err)
	}
}

func class(d *declaration.Declaration) { d.Target = []string{"class"} }

// TestDefects: each planted defect is found by its law, and by no other. Only where programs may be started are all laws looked at for
// every defect; otherwise for the first program, which has none.
func TestDefects(t *testing.T) {
	if testing.Short() {
		t.Skip("short: with -race every program ends a second late, and is taken for one that hangs")
	}
	t.Parallel()
	for i, c := range []struct {
		defect string
		change func(*declaration.Declaration)
		want   string // laws with another verdict than passes and skipped
	}{
		{"none", nil, ""},
		{"none", func(d *declaration.Declaration) { d.Target = nil }, ""},
		{"none", func(d *declaration.Declaration) { d.Reuse = "fold" }, ""},
		{"none", func(d *declaration.Declaration) { d.Output = []string{declaration.Selected} }, ""},
		{"none", func(d *declaration.Declaration) { d.Binary, d.Target = true, nil }, ""},
		{"none", func(d *declaration.Declaration) { d.Counts, d.Target = true, nil }, ""},
		{"none", func(d *declaration.Declaration) { d.Code = nil }, "code noted"},
		{"none", func(d *declaration.Declaration) { d.Deterministic = false }, "seed noted"},
		{"seed", nil, ""},
		{"seed", func(d *declaration.Declaration) { d.Deterministic = false }, "seed noted"},
		{"clock", nil, "again fails"},
		{"clock", func(d *declaration.Declaration) { d.Deterministic = false }, ""},
		{"infinite", nil, "answers fails"},
		{"workers", nil, "workers fails"},
		{"folder", nil, "folder fails"},
		{"names", nil, "names fails"},
		{"remembers", nil, "fresh fails"},
		{"warm", func(d *declaration.Declaration) { d.Reuse = "fold" }, "reuse fails"},
		{"idle parameter", nil, "parameters fails"},
		{"order", nil, "order fails"},
		{"cheats", nil, "selection fails"},
		{"two models", func(d *declaration.Declaration) {
			d.Output = []string{declaration.Coefficients, declaration.Predictions}
		}, "coefficients fails"},
		{"constant", nil, "constant fails"},
		{"duplicates", nil, "duplicates fails"},
		{"wide", nil, "sparse fails, memory fails"},
		{"scale", nil, "scale fails"},
		{"rare", class, "rare fails, absent fails"},
		{"absent", class, "absent fails"},
		{"empty", nil, "empty fails"},
		{"batch", nil, "batch fails"},
		{"batch", func(d *declaration.Declaration) { d.Transductive = true }, ""},
		{"batch", func(d *declaration.Declaration) { d.Reuse = "fold" }, "batch fails"},
		{"first batch", nil, "batch fails"},
		{"counts batches", class, "batch fails"},
		{"siblings", nil, "chance fails"},
		{"siblings", class, "chance fails"},
		{"siblings", func(d *declaration.Declaration) { d.Reuse = "fold" }, "chance fails"},
		{"siblings, times", func(d *declaration.Declaration) { d.Target = []string{"survival"} }, "chance fails"},
		{"keeps rows", class, "chance fails"},
		{"reads", withHelper, "code fails"},
		{"reads for a parameter", withHelper, "code fails"},
		{"reads once", withHelper, ""},
		{"reads", func(d *declaration.Declaration) { withHelper(d); d.Code = []string{"program.go", "lib/*"} }, ""},
		{"reads", func(d *declaration.Declaration) { withHelper(d); d.Reuse = "fold" }, "code fails"},
		{"writes", nil, "writes fails"},
		{"home", nil, "writes fails"},
		{"temp", nil, "writes fails"},
		{"deaf", func(d *declaration.Declaration) { // a shell is soon deaf, and goes on when its program is ended
			d.Command = append([]string{"sh", "-c", `trap "" TERM; "$@"; ended=$?; [ $ended -lt 128 ] && exit $ended; sleep 60`, "sh"}, d.Command...)
		}, "time fails"},
		{"lingers", nil, "end fails"},
		{"hangs", nil, "workers fails"},
		{"child", nil, "children fails"},
		{"input", nil, "workers fails, input fails"},
		{"memory", nil, "memory noted"},
	} {
		d, o := declared(t, c.defect, c.change)
		t.Run(fmt.Sprintf("%s %v %v", c.defect, d.Output, d.Target), func(t *testing.T) {
			t.Parallel()
			if few := !hosttest.Programs() && i > 0; few && c.want == "" {
				t.Skip("all laws of a program without a defect: TENFOLD_PROGRAMS is not set")
			} else if few {
				o.Skip = slices.DeleteFunc(laws.Names(), func(law string) bool {
					return slices.Contains([]string{"answers", "workers", "parameters"}, law) || strings.Contains(c.want, law+" ")
				})
			}
			found, err := laws.Check(t.Context(), &d, o)
			if err != nil {
				t.Fatal(err)
			}
			var got, all []string
			for _, f := range found {
				if f.Verdict == laws.Fails || f.Verdict == laws.Noted {
					got = append(got, f.Law+" "+string(f.Verdict))
				}
				if f.Found == "" || f.Expected == "" {
					t.Errorf("%+v says nothing", f)
				}
				all = append(all, fmt.Sprintf("%-12s %-8s %s", f.Law, f.Verdict, f.Found))
			}
			if text := strings.Join(got, ", "); text != c.want {
				t.Errorf("found %q, want %q:\n%s", text, c.want, strings.Join(all, "\n"))
			}
			if len(found) != len(laws.Names()) {
				t.Errorf("%d findings for %d laws", len(found), len(laws.Names()))
			}
		})
	}
}

// TestSettings: the laws of test rows hold for the words that an experiment gives to parameters, not only for their defaults.
func TestSettings(t *testing.T) {
	t.Parallel()
	d, o := declared(t, "none", func(d *declaration.Declaration) {
		d.Params = append(d.Params, declaration.Param{Name: "mode", Default: "none"})
	})
	for _, l := range laws.Names() {
		if !slices.Contains([]string{"answers", "again", "batch", "chance"}, l) {
			o.Skip = append(o.Skip, l)
		}
	}
	for _, c := range []struct{ modes, batch, chance string }{
		{"none", "", ""},
		{"none, batch", "mode=batch: prediction ", ""},
		{"siblings, none", "", "mode=siblings: 0."},
	} {
		o.Settings = nil
		for _, mode := range strings.Split(c.modes, ", ") {
			o.Settings = append(o.Settings, map[int]any{1: mode})
		}
		found, err := laws.Check(t.Context(), &d, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			want, is := map[string]string{"batch": c.batch, "chance": c.chance}[f.Law]
			if is && (f.Verdict == laws.Fails) != (want != "") || !strings.HasPrefix(f.Found, want) {
				t.Errorf("modes %s: %+v", c.modes, f)
			}
		}
	}
}

// TestDaemonsCounted: the law children tells how many processes were left, in whatever session.
func TestDaemonsCounted(t *testing.T) {
	t.Parallel()
	d, o := declared(t, "daemons", func(d *declaration.Declaration) { d.Output = []string{declaration.Selected} })
	for _, name := range laws.Names() {
		if name != "answers" && name != "children" {
			o.Skip = append(o.Skip, name)
		}
	}
	found, err := laws.Check(t.Context(), &d, o)
	if err != nil {
		t.Fatal(err)
	}
	last := found[slices.IndexFunc(found, func(f laws.Finding) bool { return f.Law == "children" })]
	var n, of, left int
	if _, err := fmt.Sscanf(last.Found, "%d of %d processes left others, %d in all", &n, &of, &left); err != nil || last.Verdict != laws.Fails || n != of || left != 4*n {
		t.Errorf("%+v", last)
	}
}

// TestSkippedLaws are not looked at, and have to exist.
func TestSkippedLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("short: with -race every program ends a second late, and is taken for one that hangs")
	}
	t.Parallel()
	d, o := declared(t, "idle parameter", nil)
	o.Skip = []string{"parameters"}
	found, err := laws.Check(t.Context(), &d, o)
	if err != nil || slices.ContainsFunc(found, func(f laws.Finding) bool { return f.Verdict == laws.Fails }) {
		t.Errorf("%+v, %v", found, err)
	}
	o.Skip = []string{"parameter"}
	if _, err := laws.Check(t.Context(), &d, o); err == nil || !strings.Contains(err.Error(), `no law is named "parameter"; did you mean "parameters"?`) {
		t.Error(err)
	}
}

// TestCodeOfCommand: a file of the command that is not among the code is found without running anything.
func TestCodeOfCommand(t *testing.T) {
	t.Parallel()
	d, o := declared(t, "none", func(d *declaration.Declaration) { d.Command = append([]string{"sh", "run.sh"}, d.Command...) })
	if err := os.WriteFile(filepath.Join(d.Folder, "run.sh"), []byte("exec \"$@\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, l := range laws.Names() {
		if l != "code" {
			o.Skip = append(o.Skip, l)
		}
	}
	for code, want := range map[string]laws.Verdict{"program.go": laws.Fails, "*": laws.Passes} {
		d.Code = []string{code}
		found, err := laws.Check(t.Context(), &d, o)
		if last := found[len(found)-1]; err != nil || last.Law != "code" || last.Verdict != want {
			t.Errorf("code %s: %+v, %v", code, last, err)
		}
	}
}
