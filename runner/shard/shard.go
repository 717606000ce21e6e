// Package shard divides the work of a run among processes: a file lists the units of each, and any scheduler can start
// them. They share only the run's folder, where every outcome is a file of its own.
package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/files"
	"tenfold/io/results"
)

// schema is the version of the file.
const schema = 1

const (
	folder    = "shards" // inside the run's folder
	extension = ".json"
)

// Plan is the work of several processes.
type Plan struct {
	Schema int           `json:"schema"`
	Run    string        `json:"run"`             // the run's folder
	Data   []string      `json:"data,omitempty"`  // data folders
	Cache  string        `json:"cache"`           // folder of compiled data sets
	Retry  bool          `json:"retry,omitempty"` // run failed units again
	Path   string        `json:"path"`            // of the experiment file
	Spec   string        `json:"experiment"`      // its text, after --set
	Sets   []results.Set `json:"sets"`            // digests of the data it was planned with
	Own    string        `json:"own,omitempty"`   // names the only run in which results of methods without code are valid
	Shards []Shard       `json:"shards"`
}

// Write writes the plan into the run's folder under the next free number and returns its path. A higher number is a later
// round.
func (p *Plan) Write() (path string, round int, err error) {
	rounds, err := Rounds(p.Run)
	if err != nil {
		return "", 0, err
	}
	round = 1
	if n := len(rounds); n > 0 {
		round = rounds[n-1] + 1
	}
	p.Schema = schema
	return Path(p.Run, round), round, files.Root(p.Run).Replace(planName(round), func(w io.Writer) error { return json.NewEncoder(w).Encode(p) })
}

// Path returns the path of the plan of a round.
func Path(run string, round int) string {
	return files.Root(run).Path(planName(round))
}

func planName(round int) string { return path.Join(folder, strconv.Itoa(round)+extension) }

// Rounds returns the numbers of the plans in a run's folder, rising.
func Rounds(run string) ([]int, error) {
	entries, err := files.Root(run).ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var rounds []int
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), extension); ok {
			if n, err := strconv.Atoi(name); err == nil && n > 0 {
				rounds = append(rounds, n)
			}
		}
	}
	slices.Sort(rounds)
	return rounds, nil
}

// maxPlanSize bounds the size of a plan that is read, in bytes.
const maxPlanSize = 1 << 30

// Read reads the plan of a round.
func Read(run string, round int) (*Plan, error) { return readPlan(files.Root(run), planName(round)) }

// ReadFile reads a plan by its path.
func ReadFile(path string) (*Plan, error) {
	return readPlan(files.Root(filepath.Dir(path)), filepath.Base(path))
}

func readPlan(in files.Root, name string) (*Plan, error) {
	content, err := in.ReadFile(name, maxPlanSize)
	if err != nil {
		return nil, err
	}
	path := in.Path(name)
	var p Plan
	if err := json.Unmarshal(content, &p); err != nil {
		return nil, fmt.Errorf("%s: not a plan of shards: %w", path, err)
	}
	if p.Schema != schema {
		return nil, fmt.Errorf("%s: a plan of shards of version %d; this tenfold reads version %d", path, p.Schema, schema)
	}
	if len(p.Shards) == 0 {
		return nil, fmt.Errorf("%s: a plan without shards", path)
	}
	return &p, nil
}

// Shard returns shard i, counted from 0.
func (p *Plan) Shard(i int) (*Shard, error) {
	if i < 0 || i >= len(p.Shards) {
		return nil, errors.New("shard " + strconv.Itoa(i) + ": expected 0 to " + strconv.Itoa(len(p.Shards)-1))
	}
	return &p.Shards[i], nil
}
