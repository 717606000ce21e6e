package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// qualities are what an answer is worth, by metric.
type qualities map[string]float64

var qualityLine = regexp.MustCompile(`(?m)^quality (\w+) (\S+)$`)

// saidQuality reads the lines that the peers' scripts print.
func saidQuality(output []byte) (qualities, error) {
	q := qualities{}
	for _, m := range qualityLine.FindAllSubmatch(output, -1) {
		value, err := strconv.ParseFloat(string(m[2]), 64)
		if err != nil {
			return nil, fmt.Errorf("line %q: %w", m[0], err)
		}
		q[string(m[1])] = value
	}
	if len(q) == 0 {
		return nil, fmt.Errorf("no line \"quality METRIC VALUE\" in %q", lastLine(output))
	}
	return q, nil
}

func lastLine(output []byte) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return lines[len(lines)-1]
}

// ourQuality reads metrics.json of a run: the means of its metrics where it has one cell, and the seconds of its fits
// over all cells and folds.
func ourQuality(run string) (qualities, error) {
	path := filepath.Join(run, "metrics.json")
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Results map[string]map[string]struct {
			Folds, Ok int
			Metrics   map[string]struct {
				Mean float64
				N    int
			}
		}
	}
	if err := json.Unmarshal(content, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	q, fits, seen := qualities{}, 0.0, 0
	for dataset, cells := range file.Results {
		for name, cell := range cells {
			if cell.Ok != cell.Folds || cell.Folds == 0 {
				return nil, fmt.Errorf("%s: %s × %s: %d of %d fits ended well", path, dataset, name, cell.Ok, cell.Folds)
			}
			for metric, m := range cell.Metrics {
				q[metric] = m.Mean
			}
			seen++
			fits += cell.Metrics["seconds_fit"].Mean * float64(cell.Metrics["seconds_fit"].N)
		}
	}
	if seen != 1 {
		q = qualities{} // of several cells none speaks for the others
	}
	q["seconds_of_fits"] = fits
	return q, nil
}

// linearModel reads a model of liblinear with two classes: weights for the sign of the first label.
func linearModel(path string) (weights []float64, positive float64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	head := true
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if head {
			switch key, rest, _ := strings.Cut(line, " "); key {
			case "label":
				first, _, _ := strings.Cut(rest, " ")
				positive, err = strconv.ParseFloat(first, 64)
			case "w":
				head = false
			}
		} else {
			var w float64
			w, err = strconv.ParseFloat(line, 64)
			weights = append(weights, w)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %q: %w", path, n, line, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, 0, err
	}
	if positive == 0 || len(weights) == 0 {
		return nil, 0, fmt.Errorf("%s: no labels or no weights", path)
	}
	return weights, positive, nil
}

// losses of a margin z, by the solvers of liblinear that have them.
var losses = map[string]func(z float64) float64{
	"log":           func(z float64) float64 { return max(-z, 0) + math.Log1p(math.Exp(-math.Abs(z))) },
	"hinge":         func(z float64) float64 { return max(0, 1-z) },
	"squared-hinge": func(z float64) float64 { return max(0, 1-z) * max(0, 1-z) },
}

// penalties of weights.
var penalties = map[string]func(w float64) float64{
	"l1": math.Abs,
	"l2": func(w float64) float64 { return w * w / 2 },
}

// linearObjective returns the sum of losses over the rows of a file of ones in SVMlight's format, times c, and the penalty of the weights.
func linearObjective(model, rows, loss, penalty string, c float64) (float64, error) {
	weights, positive, err := linearModel(model)
	if err != nil {
		return 0, err
	}
	file, err := os.Open(rows)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	sum := 0.0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		z := 0.0
		for _, word := range words[1:] {
			column, err := strconv.Atoi(strings.TrimSuffix(word, ":1"))
			if err != nil || column < 1 {
				return 0, fmt.Errorf("%s:%d: %q, expected COLUMN:1", rows, n, word)
			}
			if column <= len(weights) {
				z += weights[column-1]
			}
		}
		y, err := strconv.ParseFloat(words[0], 64)
		if err != nil {
			return 0, fmt.Errorf("%s:%d: %w", rows, n, err)
		}
		sum += losses[loss](z * y * positive)
	}
	total := c * sum
	for _, w := range weights {
		total += penalties[penalty](w)
	}
	return total, lines.Err()
}
