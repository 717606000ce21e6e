// Package shard divides the work of a run among processes: a file names the units of each, and any scheduler can start
// them. They share nothing but the run's folder, where every outcome is a file of its own.
package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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
	Retry  bool          `json:"retry,omitempty"` // units that failed run again
	Path   string        `json:"path"`            // of the experiment file
	Spec   string        `json:"experiment"`      // its text, after --set
	Sets   []results.Set `json:"sets"`            // digests of the data that it was planned with
	Shards []Shard       `json:"shards"`
}

// Write the plan into the run's folder under the next free number, and return its path. Numbers rise: what is planned
// later is of a later round.
func (p *Plan) Write() (path string, round int, err error) {
	dir := filepath.Join(p.Run, folder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", 0, err
	}
	rounds, err := Rounds(p.Run)
	if err != nil {
		return "", 0, err
	}
	round = 1
	if n := len(rounds); n > 0 {
		round = rounds[n-1] + 1
	}
	p.Schema = schema
	path = Path(p.Run, round)
	return path, round, files.Replace(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(p) })
}

// Path of the plan of a round.
func Path(run string, round int) string {
	return filepath.Join(run, folder, strconv.Itoa(round)+extension)
}

// Rounds are the numbers of the plans in a run's folder, rising.
func Rounds(run string) ([]int, error) {
	entries, err := os.ReadDir(filepath.Join(run, folder))
	if err != nil && !os.IsNotExist(err) {
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

// Read a plan.
func Read(path string) (*Plan, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
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

// Shard number i, from 0.
func (p *Plan) Shard(i int) (*Shard, error) {
	if i < 0 || i >= len(p.Shards) {
		return nil, errors.New("shard " + strconv.Itoa(i) + ": expected 0 to " + strconv.Itoa(len(p.Shards)-1))
	}
	return &p.Shards[i], nil
}
