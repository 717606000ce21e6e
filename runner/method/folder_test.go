package method

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/runner/method/declaration"
)

// predicted are the predictions of a fit, or its error.
func predicted(t *testing.T, e Engine, train *data.View, on ...*data.View) (out []float64, err error) {
	m, err := e.Fit(t.Context(), runOn(train))
	if err != nil {
		return nil, err
	}
	defer engines.Close(m)
	defer func() {
		if failed, ok := recover().(engines.PredictionError); ok {
			err = failed.Err
		}
	}()
	for _, v := range on {
		out = append(out, predictions(m, v)...)
	}
	return out, nil
}

// TestNothingThroughLinks: whatever a method leaves in its folder, nothing outside is read, written or removed, nothing waits for ever, and what
// is no regular file fails the fit by its name.
func TestNothingThroughLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no pipes, and links for some users only")
	}
	train, test := table(t)
	calls := func(d *declaration.Declaration) { d.Style = declaration.StyleCalls }
	fold := func(d *declaration.Declaration) { d.Reuse = reuseFold }
	linear := func(d *declaration.Declaration) { d.Output = []string{declaration.Selected, declaration.Coefficients} }
	linearFold := func(d *declaration.Declaration) { linear(d); fold(d) }
	packed := func(d *declaration.Declaration) {}
	const file, folder = ", expected a regular file", ", expected a folder"
	for _, c := range []struct {
		puts, want string
		change     func(*declaration.Declaration)
	}{
		{"link test.npy", "test.npy is a link" + file, packed},
		{"pipe test.npy", "test.npy is a pipe" + file, packed},
		{"folder test.npy", "test.npy is a folder" + file, packed},
		{"name test.npy", "", packed},
		{"link test.npy", "test.npy is a link" + file, calls},
		{"link fitted.json", "fitted.json is a link" + file, packed},
		{"pipe fitted.json", "fitted.json is a pipe" + file, packed},
		{"folder fitted.json", "fitted.json is a folder" + file, packed},
		{"pipe fitted.json", "fitted.json is a pipe" + file, linearFold},
		{"link coef.npy", "coef.npy is a link" + file, linear},
		{"pipe coef.mtx", "coef.mtx is a pipe" + file, linear},
		{"link predictions.npy", "predictions.npy is a link" + file, packed},
		{"pipe predictions.npy", "predictions.npy is a pipe" + file, packed},
		{"pipe predictions.mtx", "predictions.mtx is a pipe" + file, packed},
		{"link train.npy", "train.npy is a link" + file, packed},
		{"folder train.npy", "train.npy is a folder" + file, packed},
		{"link y.npy", "y.npy is a link" + file, fold},
		{"link tmp", "tmp is a link" + folder, calls},
		{"pipe tmp", "tmp is a pipe" + folder, calls},
		{"link model", "model is a link" + folder, fold},
		{"pipe model", "model is a pipe" + folder, fold},
		{"link model/key", "", linearFold},
		{"link model/folder", "", linearFold},
		{"moves moved", "no such file", packed},
	} {
		d := declared("", declaration.Selected, declaration.Predictions)
		c.change(&d)
		t.Run(fmt.Sprintf("%s %s %s %v", c.puts, d.Style, d.Reuse, d.Output), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			outside := filepath.Join(dir, "outside")
			const text = `{"selected": [0], "coefficients": [], "intercept": 1}`
			if err := os.WriteFile(outside, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			to := outside
			if strings.HasSuffix(c.puts, "folder") && strings.HasPrefix(c.puts, "link") {
				to = dir
			}
			d := d
			d.Command = []string{os.Args[0], "method", fmt.Sprintf("puts %s %s", c.puts, to)}
			e := engineOf(t, &d, newHost(t))
			begin := time.Now()
			for range 2 { // of a process that fits again the second removes what the first left
				on := []*data.View{train, test}
				if !d.Gives(declaration.Predictions) {
					on = nil
				}
				_, err := predicted(t, e, train, on...)
				switch {
				case c.want == "" && err != nil:
					t.Error(err)
				case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "method slopes")):
					t.Errorf("got %v\nwant %s", err, c.want)
				}
			}
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
			entries, err := os.ReadDir(dir)
			if content, readErr := os.ReadFile(outside); err != nil || readErr != nil || string(content) != text || len(entries) != 1 {
				t.Errorf("the file outside is now %q, in a folder of %v: %v, %v", content, entries, readErr, err)
			}
		})
	}
}

// TestNothingOutsideIsKept: a model's file has no file from outside the model's folder.
func TestNothingOutsideIsKept(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no pipes, and links for some users only")
	}
	train, _ := table(t)
	for puts, want := range map[string]string{
		"link model/key": "model/key is a link, expected a regular file", "pipe model/key": "model/key is a pipe, expected a regular file",
		"link model": "model is a link, expected a folder", "folder model/deep": "",
	} {
		outside := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
		d := declared("", declaration.Selected, declaration.Predictions)
		d.Command[2] = fmt.Sprintf("puts %s %s", puts, outside)
		h := newHost(t)
		h.Keep = true
		m, err := engineOf(t, &d, h).Fit(t.Context(), runOn(train))
		if err != nil {
			t.Fatal(err)
		}
		saved, err := m.(engines.Keeper).Save()
		if want == "" && (err != nil || !strings.Contains(string(saved.State), `"path":"coefs.json"`)) || want != "" && (err == nil || !strings.Contains(err.Error(), "its model cannot be kept in a file: "+want)) {
			t.Errorf("%s: %s, %v", puts, saved.State, err)
		}
		engines.Close(m)
	}
}

// TestInputInPlace: a fit that changes its input fails, however it does so, and all others have the numbers that they have without it: before
// it, after it and at the same time, with links to the same files and with copies, in processes of their own and in one.
func TestInputInPlace(t *testing.T) {
	t.Parallel()
	train, test := table(t)
	shrinks := []float64{0.5, 1, changing, 4, 8}
	alone := fitAll(t, train, test, shrinks, "nothing", reuseNone, true, 1)
	for way, want := range map[string]string{
		"shift": "it changed its input train.npy", "responses": "it changed its input y.npy",
		"date": "it changed its input train.npy", "replace": "it changed its input train.npy", "remove": "it removed its input train.npy",
		"back": "", // to a copy: of links nobody knows who has read what was there meanwhile
	} {
		for _, reuse := range []string{reuseNone, reuseFold} {
			for _, linked := range []bool{true, false} {
				for _, jobs := range []int{1, len(shrinks)} {
					if linked && way == "back" {
						continue
					}
					t.Run(fmt.Sprintf("%s, reuse %s, linked %v, %d jobs", way, reuse, linked, jobs), func(t *testing.T) {
						t.Parallel()
						for i, got := range fitAll(t, train, test, shrinks, way, reuse, linked, jobs) {
							switch {
							case linked && jobs > 1 && errors.As(got.err, new(engines.Disturbance)): // a process that has ended predicts nothing again
							case shrinks[i] != changing:
								if got.err != nil || !slices.Equal(got.predictions, alone[i].predictions) {
									t.Errorf("another fit, of %v, predicts %v, otherwise %v; %v", shrinks[i], got.predictions, alone[i].predictions, got.err)
								}
							case want == "" && got.err != nil || want != "" && (got.err == nil || !strings.Contains(got.err.Error(), want)):
								t.Errorf("got %v\nwant %s", got.err, want)
							}
						}
					})
				}
			}
		}
	}
	for _, linked := range []bool{true, false} {
		for i, got := range fitAll(t, train, test, shrinks[:1], "rows", reuseNone, linked, 1) {
			if got.err == nil || !strings.Contains(got.err.Error(), "it changed its input train.npy") {
				t.Errorf("fit %d, which changes them when it predicts: %v", i, got.err)
			}
		}
	}
}

// TestReadOnlyInput: the files that fits share are read-only, and only who cannot write into them gets links.
func TestReadOnlyInput(t *testing.T) {
	t.Parallel()
	train, _ := table(t)
	for _, image := range []string{"", anImage} {
		d := declared("well", declaration.Selected, declaration.Predictions)
		d.Container.Image = image
		s, err := newHost(t).training(&d, train)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range s.files.Shared() {
			info, err := os.Stat(filepath.Join(s.folder, name))
			if err != nil || info.Mode().Perm()&0o222 != 0 {
				t.Errorf("%s: %v, %v", name, info, err)
			}
		}
		f, err := os.OpenFile(filepath.Join(s.folder, s.files.Train), os.O_WRONLY, 0)
		if err == nil {
			f.Close()
		}
		if want := image == "" && err != nil; s.linked != want {
			t.Errorf("image %q, opened for writing with %v: links %v", image, err, s.linked)
		}
	}
}

type answeredFit struct {
	predictions []float64
	err         error
}

// fitAll fits with several values of Shrink, so many at a time, in a host of its own.
func fitAll(t *testing.T, train, test *data.View, shrinks []float64, way, reuse string, linked bool, jobs int) []answeredFit {
	t.Helper()
	d := declared("changes "+way, declaration.Selected, declaration.Predictions)
	d.Reuse = reuse
	h := newHost(t)
	s, err := h.training(&d, train)
	if err := errors.Join(err, d.Validate()); err != nil {
		t.Fatal(err)
	}
	s.linked = linked // also for root, who can write into read-only files
	out := make([]answeredFit, len(shrinks))
	var fits sync.WaitGroup
	at := make(chan int)
	for range jobs {
		fits.Go(func() {
			for i := range at {
				e, err := h.Kind(&d).New(func(params any) error {
					reflect.ValueOf(params).Elem().Field(0).SetFloat(shrinks[i])
					return nil
				})
				if err == nil {
					out[i].predictions, err = predicted(t, e.(Engine), train, train, test)
				}
				out[i].err = err
			}
		})
	}
	for i := range shrinks {
		at <- i
	}
	close(at)
	fits.Wait()
	return out
}
