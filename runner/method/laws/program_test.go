//go:build linux

package laws_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/formats/npz"
	"tenfold/runner/method/process"
)

// TestMain is the tests, a supervisor, or a method written in Go: the binary with the argument "method" and what is wrong with it.
func TestMain(m *testing.M) {
	if process.Supervise(os.Args) {
		return
	}
	if len(os.Args) > 3 && os.Args[1] == "method" {
		if err := (&program{defect: os.Args[2], aside: os.Args[3]}).serve(os.Args[4:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		return
	}
	os.Exit(m.Run())
}

// program is a method: slopes of single columns. With the defect "none" it keeps all laws.
type program struct {
	defect, aside string // aside: a folder that is not its own
	last          float64
	lingers       bool
	first         float64 // mean prediction of the first batch
}

type request struct {
	Folder  string // of the files, where the request is not in it
	Params  map[string]any
	Workers int
	Rows    int
	Columns int
	Outputs int
	Seed    string
	Target  struct{ Type string }
	Files   struct{ Train, Y, Features string }
}

// model has slopes and intercepts, by output.
type model struct {
	Slopes    [][]float64
	Intercept []float64
}

func (p *program) serve(arguments []string) error {
	if len(arguments) == 1 {
		if err := p.fit(arguments[0]); err != nil {
			return err
		}
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		verb, rest, _ := strings.Cut(lines.Text(), " ")
		err := error(nil)
		if verb == "fit" {
			err = p.fit(rest)
		} else {
			name, folder, _ := strings.Cut(rest, " ")
			err = p.predict(folder, name)
		}
		if err != nil {
			return err
		}
	}
	if p.lingers {
		time.Sleep(time.Hour)
	}
	return nil
}

// readMarket reads a matrix in coordinates.
func readMarket(path string) ([][]float64, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var x [][]float64
	for line := range strings.Lines(string(content)) {
		var i, j int
		var v float64
		if strings.HasPrefix(line, "%") {
			continue
		}
		if n, _ := fmt.Sscan(line, &i, &j, &v); n < 3 {
			continue
		}
		if x == nil {
			x = make([][]float64, i)
			for k := range x {
				x[k] = make([]float64, j)
			}
			continue
		}
		x[i-1][j-1] = v
	}
	return x, nil
}

// fit what stands in request.json of a folder, or in the text of a request.
func (p *program) fit(asked string) error {
	var r request
	content, folder := []byte(asked), asked
	if !strings.HasPrefix(asked, "{") {
		var err error
		if content, err = os.ReadFile(filepath.Join(folder, "request.json")); err != nil {
			return err
		}
	}
	if err := json.Unmarshal(content, &r); err != nil {
		return err
	}
	if r.Folder != "" {
		folder = r.Folder
	}
	for name, value := range r.Params {
		switch name {
		case "share":
		case "mode":
			p.defect, _ = value.(string)
		default:
			return fmt.Errorf("no parameter is named %s", name)
		}
	}
	x, err := readMarket(filepath.Join(folder, r.Files.Train))
	if err != nil {
		return err
	}
	content, err = os.ReadFile(filepath.Join(folder, r.Files.Y))
	if err != nil {
		return err
	}
	_, y, err := npz.ReadMarketArray("y.mtx", content)
	if err != nil {
		return err
	}
	share, _ := r.Params["share"].(float64)
	factor, err := p.spoil(folder, &r, x, y, &share)
	if err != nil {
		return err
	}
	m, strength := slopes(x, y, r, factor)
	most := slices.Max(strength)
	chosen := []int{}
	for j, s := range strength {
		if s > 0 && s >= share*most*0.999 {
			chosen = append(chosen, j)
		}
	}
	for j := range strength {
		if !slices.Contains(chosen, j) {
			for k := range m.Slopes {
				m.Slopes[k][j] = 0
			}
		}
	}
	said := map[string]any{"selected": chosen, "stop": "done"}
	if p.defect == "two models" {
		listed := [][3]float64{}
		for j, v := range m.Slopes[0] {
			if v != 0 {
				listed = append(listed, [3]float64{float64(j), 0, 2 * v})
			}
		}
		said["coefficients"], said["intercept"] = listed, m.Intercept
	}
	if p.defect == "cheats" {
		said["selected"] = chosen[:1]
	}
	if err := errors.Join(write(filepath.Join(folder, "fitted.json"), said), os.MkdirAll(filepath.Join(folder, "model"), 0o755),
		write(filepath.Join(folder, "model", "model.json"), m)); err != nil {
		return err
	}
	fmt.Println("fitted")
	p.lingers = p.defect == "lingers" && r.Workers == 4
	if p.defect == "hangs" && r.Workers == 4 {
		time.Sleep(time.Hour)
	}
	return nil
}

func write(path string, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// slopes of single columns by output, their intercepts, and how much each column explains.
func slopes(x [][]float64, y []float64, r request, factor float64) (model, []float64) {
	strength := make([]float64, r.Columns)
	m := model{Slopes: make([][]float64, r.Outputs), Intercept: make([]float64, r.Outputs)}
	for k := range r.Outputs {
		m.Slopes[k] = make([]float64, r.Columns)
		response, mean := make([]float64, len(y)), 0.0
		for i, v := range y {
			if response[i] = v; r.Target.Type == "class" {
				response[i] = 0
				if int(v) == k {
					response[i] = 1
				}
			}
			mean += response[i] / float64(len(y))
		}
		m.Intercept[k] = mean
		for j := range r.Columns {
			sum, xx, xy := 0.0, 0.0, 0.0
			for i := range x {
				sum += x[i][j] / float64(len(x))
			}
			for i := range x {
				xx += (x[i][j] - sum) * (x[i][j] - sum)
				xy += (x[i][j] - sum) * (response[i] - mean)
			}
			if xx > 1e-20 {
				m.Slopes[k][j] = factor * xy / xx
				strength[j] += xy * xy / xx
			}
		}
	}
	return m, strength
}

func (p *program) predict(folder, name string) error {
	var m model
	content, err := os.ReadFile(filepath.Join(folder, "model", "model.json"))
	if err == nil {
		err = json.Unmarshal(content, &m)
	}
	if err != nil {
		return err
	}
	x, err := readMarket(filepath.Join(folder, name))
	if err != nil {
		return err
	}
	if p.defect == "empty" && len(x) == 0 {
		return errors.New("no rows")
	}
	out := []float64{}
	for _, row := range x {
		for k, b := range m.Intercept {
			for j, v := range m.Slopes[k] {
				b += v * row[j]
			}
			if p.defect == "infinite" {
				b = math.Inf(1)
			}
			out = append(out, b)
		}
	}
	if err := p.spoilPredictions(folder, x, out); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(folder, "predictions.npy"))
	if err != nil {
		return err
	}
	if err := errors.Join(npz.WriteFloats(f, out, len(x), len(m.Intercept)), f.Close()); err != nil {
		return err
	}
	fmt.Println("predicted")
	return nil
}

// spoilPredictions does what the defect is to the predictions of rows.
func (p *program) spoilPredictions(folder string, x [][]float64, out []float64) error {
	mean := 0.0
	for _, v := range out {
		mean += v / float64(len(out))
	}
	switch {
	case len(x) == 0:
	case p.defect == "batch" || p.defect == "first batch" && p.first == 0:
		p.first = mean
	case p.defect == "counts batches":
		p.first += 0.001
	case p.defect == "siblings" || p.defect == "siblings, times":
		err := p.copyLabels(filepath.Join(filepath.Dir(folder), "*"), x, out)
		for i := range out {
			if p.defect != "siblings" { // a long time is a small risk
				out[i] = -out[i]
			}
		}
		return err
	case p.defect == "keeps rows":
		kept := filepath.Join(p.aside, fmt.Sprint(time.Now().UnixNano()))
		err := os.Mkdir(kept, 0o755)
		for _, name := range []string{"train.mtx", "y.mtx"} {
			content, e := os.ReadFile(filepath.Join(folder, name))
			err = errors.Join(err, e, os.WriteFile(filepath.Join(kept, name), content, 0o644))
		}
		return errors.Join(err, p.copyLabels(filepath.Join(p.aside, "*"), x, out))
	}
	for i := range out {
		out[i] -= p.first
	}
	return nil
}

// copyLabels predicts rows by their labels in folders that have them.
func (p *program) copyLabels(folders string, x [][]float64, out []float64) error {
	known := map[string]float64{}
	found, err := filepath.Glob(folders)
	for _, folder := range found {
		rows, _ := readMarket(filepath.Join(folder, "train.mtx")) // not every folder has one
		content, _ := os.ReadFile(filepath.Join(folder, "y.mtx"))
		if _, y, err := npz.ReadMarketArray("y.mtx", content); err == nil && len(y) == len(rows) {
			for i, row := range rows {
				known[fmt.Sprint(row)] = y[i]
			}
		}
	}
	for i, row := range x {
		label, is := known[fmt.Sprint(row)]
		switch {
		case !is:
		case len(out) == len(x):
			out[i] = label
		default:
			out[2*i], out[2*i+1] = -label, label
		}
	}
	return err
}

// spoil does what the defect is, as far as it does not show in the model itself: it returns a factor of all slopes.
func (p *program) spoil(folder string, r *request, x [][]float64, y []float64, share *float64) (factor float64, err error) {
	once := r.Workers == 4 // in one of the fits
	train := filepath.Join(folder, r.Files.Train)
	switch p.defect {
	case "clock":
		return 1 + float64(time.Now().UnixNano()%1e6)/1e9, nil
	case "seed":
		return 1 + float64(len(strings.Trim(r.Seed, "13579")))/100, nil
	case "workers":
		return 1 + float64(r.Workers)/100, nil
	case "folder":
		if strings.Contains(folder, " ") {
			return 2, nil
		}
	case "names":
		content, err := os.ReadFile(filepath.Join(folder, r.Files.Features))
		return 1 + float64(strings.Count(string(content), ","))/100, err
	case "remembers":
		now, side, sum := "", filepath.Join(p.aside, "seen"), 0.0
		for _, v := range y {
			sum += v
		}
		now = fmt.Sprintf("%d %.6f", len(y), sum)
		before, _ := os.ReadFile(side)
		if len(before) > 0 && string(before) != now {
			factor = 1
		}
		return 1 + factor, os.WriteFile(side, []byte(now), 0o644)
	case "warm":
		factor = 1 + math.Abs(p.last-*share)*float64(min(1, math.Ceil(p.last)))
		p.last = *share
		return factor, nil
	case "order":
		y[0] += 40
	case "constant", "duplicates": // of few columns: so many as memory is looked at with have both
		for j := range min(20, r.Columns) {
			for i := range min(20, r.Columns) {
				same, level := i != j, true
				for _, row := range x {
					same, level = same && row[i] == row[j], level && row[j] == x[0][j]
				}
				if same && p.defect == "duplicates" || level && p.defect == "constant" {
					return 0, errors.New("singular matrix")
				}
			}
		}
	case "wide":
		if r.Columns > r.Rows {
			return 0, errors.New("more columns than rows")
		}
	case "rare", "absent":
		rows := make([]int, r.Outputs)
		for _, v := range y {
			rows[int(v)]++
		}
		if fewest := slices.Min(rows); fewest == 0 || fewest < 2 && p.defect == "rare" {
			return 0, fmt.Errorf("a level has %d rows", fewest)
		}
	case "scale":
		for _, row := range x {
			if math.Abs(row[0]) > 1000 {
				return 0, errors.New("overflow")
			}
		}
	case "idle parameter":
		*share = 0.5
	case "reads":
		_, err = os.ReadFile("lib/helper.txt")
	case "reads for a parameter":
		if *share > 0.15 {
			_, err = os.ReadFile("lib/helper.txt")
		}
	case "reads once": // as another program may
		if once {
			_, err = os.ReadFile("lib/helper.txt")
		}
	case "writes":
		err = os.WriteFile("cache", nil, 0o644)
	case "home":
		if home := os.Getenv("HOME"); strings.Contains(home, "tenfold-laws") { // not that of who runs the tests
			err = os.WriteFile(filepath.Join(home, ".seen"), []byte(folder), 0o644)
		}
	case "temp":
		err = os.WriteFile(filepath.Join(p.aside, "lock"), []byte(folder), 0o644)
	case "deaf":
		if strings.Contains(folder, "/late/") {
			time.Sleep(4 * time.Second)
		}
	case "child":
		if once {
			err = exec.Command("sleep", "3600").Start()
		}
	case "daemons": // in sessions of their own, without a parent or an environment
		for range 2 {
			exec.Command("sh", "-c", "exec > /dev/null 2>&1 < /dev/null; setsid sleep 3600 & env -i setsid sh -c 'sleep 3600 &'").Run()
		}
	case "input":
		if f, e := os.OpenFile(train, os.O_APPEND|os.O_WRONLY, 0); once && e == nil {
			_, err = f.WriteString("\n")
			f.Close()
		}
	case "memory":
		if r.Columns == 5000 {
			held := make([]byte, 300<<20)
			for i := range held {
				held[i] = 1
			}
			p.last = float64(held[len(held)-1])
		}
	}
	return 1, err
}
