package method

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
	"tenfold/io/files"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/exchange"
	"tenfold/runner/method/process"
)

// table has a response that depends on its first three columns of five, in training rows and test rows.
func table(t *testing.T) (train, test *data.View) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	rows := make([][]float64, 60)
	y := make([]float64, len(rows))
	for i := range rows {
		rows[i] = make([]float64, 5)
		for j := range rows[i] {
			rows[i][j] = r.NormFloat64()
		}
		y[i] = 3*rows[i][0] + 2*rows[i][1] + 2*rows[i][2] + 0.1*r.NormFloat64()
	}
	set := enginetest.Dataset(enginetest.Matrix(rows...), data.Target{Name: "y", Type: data.Real, Values: y})
	p, err := prepare.Recipe{}.Fit(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	number := func(a, b int) (out []int32) {
		for i := a; i < b; i++ {
			out = append(out, int32(i))
		}
		return out
	}
	return p.View(number(0, 45)), p.View(number(45, 60))
}

// declared is the method of program_test.go with some behaviour.
func declared(behaves string, output ...string) declaration.Declaration {
	d := declaration.Defaults()
	d.Name, d.Command, d.Code, d.Output = "slopes", []string{os.Args[0], "method", behaves}, []string{"engine_test.go"}, output
	d.Params = []declaration.Param{{Name: "Shrink", Default: 1.0}}
	d.Folder, _ = os.Getwd()
	return d
}

func newHost(t *testing.T) *Host {
	t.Helper()
	h := &Host{Programs: process.Programs{Folder: filepath.Join(t.TempDir(), "exchange"), Log: files.Root(t.TempDir()), Grace: 200 * time.Millisecond}}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func engineOf(t *testing.T, d *declaration.Declaration, h *Host) Engine {
	t.Helper()
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	e, err := h.Kind(d).New(func(any) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return e.(Engine)
}

func runOn(train *data.View) engines.Run {
	return engines.Run{Train: train, Rand: rand.New(rand.NewPCG(1, 2)), Workers: 1}
}

func predictions(m engines.Model, on *data.View) []float64 {
	out := make([]float64, on.Len()*m.Outputs())
	m.Predict(out, on.Inputs())
	return out
}

// TestWaysToPredict: by coefficients, by the process that fitted, by one that is called again, by another process that has the model
// from its folder, the predictions are the same.
func TestWaysToPredict(t *testing.T) {
	t.Parallel()
	train, test := table(t)
	var want []float64
	for name, change := range map[string]func(*declaration.Declaration){
		"coefficients": func(d *declaration.Declaration) { d.Output = []string{declaration.Selected, declaration.Coefficients} },
		"a line": func(d *declaration.Declaration) {
			d.Output, d.Command[2] = []string{declaration.Selected, declaration.Coefficients}, "inline"
		},
		"packed": func(d *declaration.Declaration) {
			d.Output, d.Command[2] = []string{declaration.Selected, declaration.Coefficients}, "packed"
		},
		"lines": func(d *declaration.Declaration) {},
		"calls": func(d *declaration.Declaration) { d.Style, d.Command[2] = declaration.StyleCalls, "calls" },
		"reuse": func(d *declaration.Declaration) { d.Reuse = reuseFold },
	} {
		d := declared("well", declaration.Selected, declaration.Predictions)
		change(&d)
		e := engineOf(t, &d, newHost(t))
		charged := 0.0
		run := runOn(train)
		run.Charge = func(s float64) { charged += s }
		m, err := e.Fit(t.Context(), run)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := append(predictions(m, train), predictions(m, test)...)
		if want == nil {
			want = got
		}
		for i := range got {
			if !(math.Abs(got[i]-want[i]) <= 1e-12) {
				t.Fatalf("%s: prediction %d is %v, otherwise %v", name, i, got[i], want[i])
			}
		}
		if columns := engines.ColumnsOf(m, 5); !slices.Equal(columns, []int32{0, 1, 2}) {
			t.Errorf("%s: columns %v", name, columns)
		}
		if f := m.(engines.Reporter).Fitted(); f.Stop != "done" || f.Iterations != 1 {
			t.Errorf("%s: %+v", name, f)
		}
		engines.Close(m)
		if d.Gives(declaration.Predictions) {
			func() {
				defer func() {
					if p, ok := recover().(engines.PredictionError); !ok || !strings.Contains(p.Error(), "closed") {
						t.Errorf("%s: a closed model predicts: %v", name, p)
					}
				}()
				predictions(m, test)
			}()
		}
	}
}

// TestRequestedParams have the types of their defaults: 1.0 stays a number with a point. A model is asked for where another process predicts.
func TestRequestedParams(t *testing.T) {
	t.Parallel()
	d := declared("well", declaration.Selected, declaration.Predictions)
	d.Params = []declaration.Param{
		{Name: "share", Default: 1.0}, {Name: "tiny", Default: 1e-9}, {Name: "k", Default: 1}, {Name: "word", Default: "1.0"}, {Name: "all", Default: true},
		{Name: "shares", Default: []float64{0.5, 2}},
	}
	train, _ := table(t)
	r, err := exchange.NewRequest(&d, engineOf(t, &d, newHost(t)).Params, train)
	got := r.Params
	if want := `{"all":true,"k":1,"share":1.0,"shares":[0.5,2.0],"tiny":1e-9,"word":"1.0"}`; err != nil || string(got) != want {
		t.Errorf("got %s, want %s, %v", got, want, err)
	}
	for _, c := range []struct {
		style, reuse, output string
		model                bool
	}{{declaration.StyleLines, reuseNone, declaration.Predictions, false}, {declaration.StyleCalls, reuseNone, declaration.Predictions, true}, {declaration.StyleLines, reuseFold, declaration.Predictions, true}, {declaration.StyleLines, reuseFold, declaration.Coefficients, false}} {
		d := declared("well", declaration.Selected, c.output)
		d.Style, d.Reuse = c.style, c.reuse
		if got := engineOf(t, &d, newHost(t)).leavesModel(); got != c.model {
			t.Errorf("%+v: model %v", c, got)
		}
	}
}

// TestChoose: the order of entry is that of the method.
func TestChoose(t *testing.T) {
	t.Parallel()
	train, _ := table(t)
	d := declared("no coefficients", declaration.Selected)
	e := engineOf(t, &d, newHost(t))
	chosen, told, err := e.Choose(t.Context(), runOn(train))
	if err != nil || told.Stop != "done" || len(chosen) != 3 || chosen[0].Feature != 0 || chosen[0].Rank != 2 || chosen[2].Rank != 0 {
		t.Fatalf("%+v %+v %v", chosen, told, err)
	}
	if _, err := e.Fit(t.Context(), runOn(train)); err == nil || !strings.Contains(err.Error(), "select") {
		t.Errorf("a method that only selects fits: %v", err)
	}
}

// TestLimit: a method that selects alone, and says by which parameter how many columns, hands out a ranking that a path cuts.
func TestLimit(t *testing.T) {
	d := declared("", declaration.Selected)
	d.Params = append(d.Params, declaration.Param{Name: "columns", Default: 3})
	for _, c := range []struct {
		limit, output, want string
	}{
		{"columns", declaration.Selected, ""},
		{"Shrink", declaration.Selected, "limit: Shrink has the default 1, expected a whole number"},
		{"size", declaration.Selected, `limit: "size", expected one of params`},
		{"columns", declaration.Coefficients, "limit: is of methods that select alone: expected output: [selected]"},
	} {
		d.Limit, d.Output = c.limit, []string{c.output}
		err := d.Validate()
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && got != c.want {
			t.Errorf("limit %s, output %s: %v, want %q", c.limit, c.output, err, c.want)
		}
		if want := (engines.Sizes{Limit: "columns", Ranked: true}); err == nil && needs(&d).Sizes != want {
			t.Errorf("sizes %v, want %v", needs(&d).Sizes, want)
		}
	}
}

// TestReuse: with reuse: fold one process fits on the same rows as often as it is asked, and never on other rows.
func TestReuse(t *testing.T) {
	t.Parallel()
	train, test := table(t)
	d := declared("well", declaration.Selected, declaration.Predictions)
	d.Reuse = reuseFold
	e := engineOf(t, &d, newHost(t))
	process := func(v *data.View) string {
		m, err := e.Fit(t.Context(), runOn(v))
		if err != nil {
			t.Fatal(err)
		}
		defer engines.Close(m)
		predictions(m, test)
		return m.(engines.Reporter).Fitted().Facts[0].Value
	}
	a, b, other := process(train), process(train), process(test)
	if a != b || a == other {
		t.Errorf("processes %s and %s on the same rows, %s on others", a, b, other)
	}
}

// TestReuseKeepsApart: what one fit left in the folder of the process is no answer of the next.
func TestReuseKeepsApart(t *testing.T) {
	t.Parallel()
	train, _ := table(t)
	d := declared("once", declaration.Selected, declaration.Coefficients)
	d.Reuse = reuseFold
	h := newHost(t)
	e := engineOf(t, &d, h)
	if _, err := e.Fit(t.Context(), runOn(train)); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Fit(t.Context(), runOn(train)); err == nil || !strings.Contains(err.Error(), "fitted.json is missing") {
		t.Errorf("the second fit, which answers nothing: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(h.Folder); err == nil {
		t.Error("folders of a closed host are left")
	}
}

// TestFaults: whatever a method does, the fit ends with a sentence that says what was found and expected.
func TestFaults(t *testing.T) {
	t.Parallel()
	for behaves, want := range map[string]string{
		"crash":               "exit code 4: Traceback: it does not work",
		"signal":              "it was ended by signal 9 (killed)",
		"silent":              "fitted.json is missing",
		"selected twice":      "fitted.json: selected[1]: column 1 again, first at selected[0]",
		"selected foreign":    "fitted.json: selected[0]: column 5, expected 0 to 4",
		"selected words":      "fitted.json: json: cannot unmarshal string into Go struct field fitted.selected of type int",
		"scores short":        "fitted.json: scores: 1 numbers for 2 selected columns",
		"misspelt":            `fitted.json: json: unknown field "iteration"`,
		"coefficient foreign": "coefficients[3]: column 5, expected 0 to 4",
		"coefficient twice":   "coefficients[3]: column 0, output 0 again",
		"nan":                 "fitted.json: invalid character 'N'",
		"cut":                 "fitted.json: unexpected EOF",
		"large":               "fitted.json has more than the",
		"wrong line":          `it printed "predicted" on standard output, expected "fitted"`,
		"no coefficients":     "coefficients are missing, which the declaration names",
		"inline long":         "the line fitted has more than the",
		"inline cut":          "fitted.json: unexpected EOF",
		"packed short":        "fitted.json: coef: shape [4], expected 5 columns × 1 outputs",
		"packed bytes":        "fitted.json: coef: 7 bytes, expected 8 a number",
		"packed nan":          "coefficient of column 2, output 0: NaN, expected a finite number",
		"packed twice":        "fitted.json: coef and coefficients of fitted.json: expected one of the two",
	} {
		t.Run(behaves, func(t *testing.T) {
			t.Parallel()
			train, _ := table(t)
			d := declared(behaves, declaration.Selected, declaration.Coefficients)
			_, err := engineOf(t, &d, newHost(t)).Fit(t.Context(), runOn(train))
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "method slopes") {
				t.Errorf("got %v\nwant %s", err, want)
			}
		})
	}
	for behaves, want := range map[string]string{
		"predictions short": "predictions.npy: shape [44], expected 45 rows × 1 outputs",
		"predictions nan":   "predictions.npy: row 2, output 0: NaN, expected a finite number",
		"predict crash":     "exit code 3: cannot predict",
		"predictions none":  "predictions.npy is missing",
		"leaves":            "its process ended after the fit",
	} {
		t.Run(behaves, func(t *testing.T) {
			t.Parallel()
			train, _ := table(t)
			d := declared(behaves, declaration.Selected, declaration.Predictions)
			m, err := engineOf(t, &d, newHost(t)).Fit(t.Context(), runOn(train))
			if err != nil {
				t.Fatal(err)
			}
			defer engines.Close(m)
			defer func() {
				p, ok := recover().(engines.PredictionError)
				if !ok || !strings.Contains(p.Error(), want) {
					t.Errorf("got %v\nwant %s", p, want)
				}
			}()
			predictions(m, train)
		})
	}
	chatty := declared("chatty", declaration.Selected, declaration.Coefficients)
	train, _ := table(t)
	if _, err := engineOf(t, &chatty, newHost(t)).Fit(t.Context(), runOn(train)); err != nil {
		t.Errorf("a method that prints other lines: %v", err)
	}
	lost := declared("well", declaration.Selected, declaration.Coefficients)
	lost.Command = []string{"no-such-program-here"}
	if _, err := engineOf(t, &lost, newHost(t)).Fit(t.Context(), runOn(train)); err == nil || !strings.Contains(err.Error(), `program "no-such-program-here" was looked for in PATH`) {
		t.Errorf("missing program: %v", err)
	}
}

// TestEnds: time and memory limits end the whole group, and so does the end of the leader.
func TestEnds(t *testing.T) {
	t.Parallel()
	train, _ := table(t)
	late := errors.New("too late")
	for _, behaves := range []string{"hang", "deaf"} {
		d := declared(behaves, declaration.Selected, declaration.Coefficients)
		ctx, stop := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, late)
		_, err := engineOf(t, &d, newHost(t)).Fit(ctx, runOn(train))
		stop()
		if !errors.Is(err, late) {
			t.Errorf("%s: %v", behaves, err)
		}
	}
	asleep := declared("asleep", declaration.Selected, declaration.Coefficients)
	asleep.Reuse, asleep.Params = reuseFold, []declaration.Param{{Name: "word", Default: strings.Repeat("x", 1<<20)}} // more than a pipe takes
	short, end := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, late)
	if _, err := engineOf(t, &asleep, newHost(t)).Fit(short, runOn(train)); !errors.Is(err, late) {
		t.Errorf("a request that nobody reads: %v", err)
	}
	end()
	begin := time.Now()
	crash := declared("crash among children", declaration.Selected, declaration.Coefficients)
	ctx, stop := context.WithTimeoutCause(t.Context(), 20*time.Second, late)
	defer stop()
	if _, err := engineOf(t, &crash, newHost(t)).Fit(ctx, runOn(train)); err == nil || !strings.Contains(err.Error(), "exit code 4: Traceback: it does not work") {
		t.Errorf("a leader that ends before its children, after %s: %v", time.Since(begin), err)
	}
	huge := declared("huge", declaration.Selected, declaration.Coefficients)
	run := runOn(train)
	run.Memory = 128 << 20
	if _, err := engineOf(t, &huge, newHost(t)).Fit(t.Context(), run); err == nil || !strings.Contains(err.Error(), "the limit is 128 MiB") {
		t.Errorf("memory: %v", err)
	}
	d := declared("child", declaration.Selected, declaration.Coefficients)
	at := t.TempDir()
	d.Command = []string{"env", "TENFOLD_CHILD=" + at, os.Args[0], "method", "child"}
	if _, err := engineOf(t, &d, newHost(t)).Fit(t.Context(), runOn(train)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(at, "child"))
	if err != nil {
		t.Fatal(err)
	}
	child, _ := strconv.Atoi(string(text))
	for range 100 {
		if gone(child) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d outlives the method that started it", child)
}
