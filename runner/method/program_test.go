package method

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/formats/npz"
	"tenfold/runner/method/exchange"
	"tenfold/runner/method/process"
)

const (
	reuseNone  = "none"
	reuseFold  = "fold"
	fittedFile = "fitted.json"
	coefName   = "coef"
	bubblewrap = "bwrap"
)

// TestMain is the tests, a supervisor, or a method written in Go: the binary with the argument "method" and how it behaves.
func TestMain(m *testing.M) {
	if process.Supervise(os.Args) {
		return
	}
	if len(os.Args) > 2 && os.Args[1] == "method" {
		os.Exit(program(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// program is a method: ridge-like slopes of single columns, which predict. How it behaves is a word; most words are faults.
func program(behaves string, arguments []string) int {
	p := &goMethod{behaves: behaves}
	if behaves == "asleep" { // and reads nothing
		time.Sleep(time.Hour)
	}
	switch {
	case behaves == "holds":
		return p.must(holdMapped(arguments[0], time.Second))
	case len(arguments) == 3 && arguments[0] == "predict":
		return p.must(p.predict(arguments[1], arguments[2]))
	case len(arguments) == 1:
		content, err := os.ReadFile(filepath.Join(arguments[0], exchange.RequestFile))
		if err != nil {
			return p.must(err)
		}
		if code := p.fit(arguments[0], content); code != 0 || slices.Contains([]string{"leaves", "calls", "silent"}, behaves) {
			return code
		}
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		verb, rest, _ := strings.Cut(lines.Text(), " ")
		switch verb {
		case "fit":
			var where struct{ Folder string }
			if err := json.Unmarshal([]byte(rest), &where); err != nil {
				return p.must(err)
			}
			if code := p.fit(where.Folder, []byte(rest)); code != 0 {
				return code
			}
		case "predict":
			name, folder, _ := strings.Cut(rest, " ")
			if code := p.must(p.predict(folder, name)); code != 0 {
				return code
			}
		}
	}
	return 0
}

// listed returns the names in a folder, or the content of a file.
func listed(path string) string {
	content, _ := os.ReadFile(path)
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		content = append(content, e.Name()+" "...)
	}
	return strings.TrimSpace(string(content))
}

type goMethod struct {
	behaves string
	fits    int
}

func (p *goMethod) must(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return 0
}

// write writes a file that can be run, and makes its folder.
func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}

func read(folder, name string) ([]int, []float64, error) {
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, nil, err
	}
	return npz.ReadArray(name, content)
}

func (p *goMethod) fit(folder string, asks []byte) int {
	p.fits++
	var r exchange.Request
	if err := json.Unmarshal(asks, &r); err != nil {
		return p.must(err)
	}
	for _, name := range []string{"test.npy", "test.npz"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil && !r.Transductive {
			fmt.Fprintln(os.Stderr, "test rows are here before the fit has ended")
			return 9
		}
	}
	say := map[string]any{"stop": "done", "iterations": p.fits, "facts": map[string]string{"process": fmt.Sprint(os.Getpid())}, "notes": []string{}}
	shape, x, err := read(folder, r.Files.Train)
	if err != nil {
		return p.must(err)
	}
	_, y, err := read(folder, r.Files.Response)
	if err != nil {
		return p.must(err)
	}
	var params struct{ Shrink float64 }
	if err := json.Unmarshal(r.Params, &params); err != nil {
		return p.must(err)
	}
	if way, ok := strings.CutPrefix(p.behaves, "changes "); ok && params.Shrink == changing {
		if x, y, err = change(folder, way, r); err != nil {
			return p.must(err)
		}
	}
	coefs := [][3]float64{}
	selected := []int{}
	for j := range shape[1] {
		xy, xx := 0.0, params.Shrink
		for i := range shape[0] {
			xy, xx = xy+float64(x[i*shape[1]+j]*y[i]), xx+float64(x[i*shape[1]+j]*x[i*shape[1]+j])
		}
		if slope := xy / xx / float64(shape[1]); slope > 0.1 {
			coefs, selected = append(coefs, [3]float64{float64(j), 0, slope}), append([]int{j}, selected...)
		}
	}
	say["selected"] = selected
	text := ""
	switch p.behaves {
	case "hang":
		time.Sleep(time.Hour)
	case "hang later":
		if p.fits > 1 {
			time.Sleep(time.Hour)
		}
	case "deaf": // to SIGTERM as well: a shell that ignores it
		c := exec.Command("sh", "-c", `trap "" TERM; while :; do sleep 1; done`)
		c.Run()
	case "looks": // at paths, for what it can read and write there
		facts := map[string]string{"siblings": listed(filepath.Dir(folder))}
		for k, path := range filepath.SplitList(os.Getenv("TENFOLD_LOOKS")) {
			can := ""
			if listed(path) != "" {
				can = "read"
			}
			if os.WriteFile(path, []byte("seen"), 0o644) == nil || os.WriteFile(filepath.Join(path, "seen"), nil, 0o644) == nil {
				can += " write"
			}
			facts[fmt.Sprint(k)] = can
		}
		say["facts"] = facts
	case "network":
		found, err := net.Interfaces()
		if err != nil {
			return p.must(err)
		}
		names := ""
		for _, f := range found {
			names += f.Name
		}
		say["facts"] = map[string]string{"network": names}
	case "crash among children": // which hold its output open
		c := exec.Command("sleep", "3600")
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		c.Start()
		fmt.Fprintln(os.Stderr, "Traceback: it does not work")
		return 4
	case "crash":
		fmt.Fprintln(os.Stderr, "Traceback: it does not work")
		return 4
	case "signal":
		killSelf()
	case "silent":
		return 0
	case "chatty":
		fmt.Println("a library greets its users")
	case "selected twice":
		say["selected"] = []int{1, 1}
	case "selected foreign":
		say["selected"] = []int{shape[1]}
	case "selected words":
		say["selected"] = []string{"x"}
	case "scores short":
		say["scores"] = []float64{1}
		say["selected"] = []int{0, 1}
	case "misspelt":
		say["iteration"] = 3
	case "coefficient foreign":
		coefs = append(coefs, [3]float64{float64(shape[1]), 0, 1})
	case "coefficient twice":
		coefs = append(coefs, coefs[0])
	case "nan":
		text = `{"coefficients": [[0, 0, NaN]]}`
	case "cut":
		text = `{"selected": [1, 2`
	case "large":
		f, _ := os.Create(filepath.Join(folder, fittedFile))
		f.Truncate(1 << 30)
		f.Close()
		text = "kept"
	case "wrong line":
		fmt.Println("predicted")
	case "child":
		c := exec.Command("sleep", "3600")
		c.Start()
		os.WriteFile(filepath.Join(os.Getenv("TENFOLD_CHILD"), "child"), []byte(fmt.Sprint(c.Process.Pid)), 0o644)
	case "orphans", "orphans and hang": // in other sessions, one of them of a parent that is gone, with nothing in its environment
		for _, line := range []string{`setsid sleep 3600 & echo $! >> "$0"`, `env -i setsid sh -c 'sleep 3600 & echo $! >> "$0"' "$0"`, `sleep 3600 & echo $! >> "$0"`} {
			exec.Command("sh", "-c", "exec > /dev/null 2>&1 < /dev/null; "+line, filepath.Join(os.Getenv("TENFOLD_CHILD"), "child")).Run()
		}
		if p.behaves == "orphans and hang" {
			time.Sleep(time.Hour)
		}
	case "shared": // by six processes
		path := filepath.Join(folder, "tmp", "shared")
		if err := os.WriteFile(path, make([]byte, 128<<20), 0o600); err != nil {
			return p.must(err)
		}
		for range 5 {
			exec.Command(os.Args[0], "method", "holds", path).Start()
		}
		if err := holdMapped(path, 300*time.Millisecond); err != nil {
			return p.must(err)
		}
	case "huge elsewhere":
		exec.Command("setsid", os.Args[0], "method", "huge", folder).Start()
		time.Sleep(time.Minute)
	case "huge":
		hold := make([]byte, 256<<20)
		for i := 0; i < len(hold); i += 4096 {
			hold[i] = 1
		}
		time.Sleep(time.Minute)
	}
	if p.behaves != "no coefficients" {
		say["coefficients"] = coefs
		say["intercept"] = 0.5
	}
	if strings.HasPrefix(p.behaves, "packed") {
		p.pack(say, shape[1], coefs)
	}
	content, err := json.Marshal(say)
	if text != "" {
		content = []byte(text)
	}
	if strings.HasPrefix(p.behaves, "inline") {
		line := exchange.FittedLine + " " + string(content)
		switch p.behaves {
		case "inline long":
			line += strings.Repeat(" ", 2<<20) + "x"
		case "inline cut":
			line = line[:len(line)-1]
		}
		fmt.Println(line)
		return 0
	}
	if p.behaves == "once" && p.fits > 1 {
		fmt.Println(exchange.FittedLine)
		return 0
	}
	if err == nil && text != "kept" {
		err = os.WriteFile(filepath.Join(folder, fittedFile), content, 0o644)
	}
	if err == nil && p.behaves != "no model" {
		if err = os.MkdirAll(filepath.Join(folder, exchange.ModelFolder), 0o755); err == nil {
			err = os.WriteFile(filepath.Join(folder, exchange.ModelFolder, "coefs.json"), content, 0o644)
		}
	}
	if err == nil && strings.HasPrefix(p.behaves, "puts ") && !strings.Contains(p.behaves, exchange.AnswerName) {
		err = p.put(folder)
	}
	if err == nil && p.behaves != "leaves" {
		fmt.Println(exchange.FittedLine)
	}
	return p.must(err)
}

// pack the coefficients as numbers of 64 bits.
func (p *goMethod) pack(say map[string]any, columns int, coefs [][3]float64) {
	all := make([]float64, columns)
	for _, c := range coefs {
		all[int(c[0])] = c[2]
	}
	switch p.behaves {
	case "packed short":
		all = all[1:]
	case "packed nan":
		all[2] = math.NaN()
	}
	var content []byte
	for _, v := range all {
		content = binary.LittleEndian.AppendUint64(content, math.Float64bits(v))
	}
	if p.behaves == "packed bytes" {
		content = content[:7]
	}
	say["coef"] = content
	if p.behaves != "packed twice" {
		delete(say, "coefficients")
	}
}

func (p *goMethod) predict(folder, name string) error {
	content, err := os.ReadFile(filepath.Join(folder, exchange.ModelFolder, "coefs.json"))
	if err != nil {
		return err
	}
	var said struct {
		Coefficients [][3]float64 `json:"coefficients"`
		Intercept    float64      `json:"intercept"`
	}
	if err := json.Unmarshal(content, &said); err != nil {
		return err
	}
	shape, x, err := read(folder, name)
	if err != nil {
		return err
	}
	out := make([]float64, shape[0])
	for i := range out {
		out[i] = said.Intercept
		for _, c := range said.Coefficients {
			out[i] += float64(c[2] * x[i*shape[1]+int(c[0])])
		}
	}
	switch p.behaves {
	case "predictions short":
		out = out[1:]
	case "predictions nan":
		out[2] = out[2] / 0 * 0
		zero := 0.0
		out[2] = zero / zero
	case "changes rows":
		if _, _, err := change(folder, "shift", exchange.Request{Files: exchange.RequestFiles{Train: name, Response: name}}); err != nil {
			return err
		}
	case "predict crash":
		return fmt.Errorf("cannot predict")
	case "predictions none":
		fmt.Println(exchange.PredictedLine)
		return nil
	}
	if strings.HasPrefix(p.behaves, "puts ") && strings.Contains(p.behaves, exchange.AnswerName) {
		err := p.put(folder)
		fmt.Println(exchange.PredictedLine)
		return err
	}
	f, err := os.Create(filepath.Join(folder, exchange.AnswerName+".npy"))
	if err != nil {
		return err
	}
	if err := npz.WriteFloats(f, out, len(out)); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	fmt.Println(exchange.PredictedLine)
	return nil
}

// put puts something in the place of a file of the exchange folder: "puts KIND NAME OUTSIDE", the last a file elsewhere.
func (p *goMethod) put(folder string) error {
	words := strings.Fields(p.behaves)
	kind, at, outside := words[1], filepath.Join(folder, words[2]), words[3]
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	switch kind {
	case "link":
		return os.Symlink(outside, at)
	case "name":
		return os.Link(outside, at)
	case "pipe":
		return makePipe(at)
	case "moves": // the folder itself
		return errors.Join(os.Rename(folder, folder+"-moved"), os.Symlink(filepath.Dir(outside), folder))
	}
	return os.MkdirAll(filepath.Join(at, "sub"), 0o755)
}

// changing is the parameter Shrink of fits that change their input.
const changing = 2.0

// change changes the input of a fit in one of several ways, and returns what is to be read in it then.
func change(folder, way string, r exchange.Request) (x, y []float64, err error) {
	if way == "nothing" {
		return readBoth(folder, r)
	}
	at := filepath.Join(folder, r.Files.Train)
	if way == "responses" {
		at = filepath.Join(folder, r.Files.Response)
	}
	info, err := os.Stat(at)
	if err != nil {
		return nil, nil, err
	}
	content, err := os.ReadFile(at)
	if err != nil {
		return nil, nil, err
	}
	changed := slices.Clone(content)
	const header = 128
	for i := header; i+8 <= len(changed); i += 8 {
		v := math.Float64frombits(binary.LittleEndian.Uint64(changed[i:]))
		binary.LittleEndian.PutUint64(changed[i:], math.Float64bits(2*v+1))
	}
	if err := os.Chmod(at, 0o644); err != nil {
		return nil, nil, err
	}
	write := func(text []byte) error { return os.WriteFile(at, text, 0o644) }
	switch way {
	case "replace":
		err = errors.Join(os.Remove(at), write(changed))
	case "date":
		err = errors.Join(write(changed), os.Chtimes(at, info.ModTime(), info.ModTime()))
	default:
		err = write(changed)
	}
	if err != nil {
		return nil, nil, err
	}
	x, y, err = readBoth(folder, r)
	switch way {
	case "remove":
		err = errors.Join(err, os.Remove(at))
	case "back":
		time.Sleep(300 * time.Millisecond)
		err = errors.Join(err, write(content))
	}
	return x, y, err
}

func readBoth(folder string, r exchange.Request) (x, y []float64, err error) {
	_, x, errX := read(folder, r.Files.Train)
	_, y, errY := read(folder, r.Files.Response)
	return x, y, errors.Join(errX, errY)
}
