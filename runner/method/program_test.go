package method

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
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
)

// TestMain is the tests, or a method written in Go: the binary with the argument "method" and how it behaves.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "method" {
		os.Exit(program(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// program is a method: ridge-like slopes of single columns, which predict. How it behaves is a word; most words are faults.
func program(behaves string, arguments []string) int {
	p := &goMethod{behaves: behaves}
	switch {
	case len(arguments) == 3 && arguments[0] == "predict":
		return p.must(p.predict(arguments[1], arguments[2]))
	case len(arguments) == 1:
		content, err := os.ReadFile(filepath.Join(arguments[0], requestFile))
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

func read(folder, name string) ([]int, []float64, error) {
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, nil, err
	}
	return npz.ReadArray(name, content)
}

func (p *goMethod) fit(folder string, asks []byte) int {
	p.fits++
	var r request
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
		line := fittedLine + " " + string(content)
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
		fmt.Println(fittedLine)
		return 0
	}
	if err == nil && text != "kept" {
		err = os.WriteFile(filepath.Join(folder, fittedFile), content, 0o644)
	}
	if err == nil && p.behaves != "no model" {
		if err = os.MkdirAll(filepath.Join(folder, modelFolder), 0o755); err == nil {
			err = os.WriteFile(filepath.Join(folder, modelFolder, "coefs.json"), content, 0o644)
		}
	}
	if err == nil && p.behaves != "leaves" {
		fmt.Println(fittedLine)
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
	content, err := os.ReadFile(filepath.Join(folder, modelFolder, "coefs.json"))
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
	case "predict crash":
		return fmt.Errorf("cannot predict")
	case "predictions none":
		fmt.Println(predictedLine)
		return nil
	}
	f, err := os.Create(filepath.Join(folder, answerName+".npy"))
	if err != nil {
		return err
	}
	if err := npz.WriteFloats(f, out, len(out)); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	fmt.Println(predictedLine)
	return nil
}
