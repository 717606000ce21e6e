package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/source"
	"tenfold/runner/experiment"
)

// maxTasks limits the tasks of a family. More are a mistake, such as one-vs-one of a target with a level for each row.
const maxTasks = 10_000

// task is a part of a data set that is fitted separately. The task without a name is the whole data set.
type task struct {
	name string
	data.Subset
}

// tasksOf returns the tasks of a data set; one without a family is its own only task. Errors are param.FieldError of the
// key family.
func tasksOf(f experiment.Family, d *data.Dataset) ([]task, error) {
	if f.Kind == "" {
		return []task{{}}, nil
	}
	m := taskMaker{Family: f, set: d}
	err := m.check()
	if err == nil {
		switch f.Kind {
		case experiment.OneVsOne:
			err = m.addPairs()
		case experiment.OneVsRest:
			err = m.addOneVsRest()
		case experiment.ByTarget:
			err = m.addTargets()
		default:
			err = m.addFolders()
		}
	}
	switch {
	case err != nil:
		return nil, param.Errorf("family", "%s: %v", f.Kind, err)
	case len(m.tasks) == 0:
		return nil, param.Errorf("family", "only: no task has such a name; %s has %s", f.Kind, source.Abridge(m.omitted))
	}
	return m.tasks, nil
}

// taskMaker collects the tasks of a family.
type taskMaker struct {
	experiment.Family
	set     *data.Dataset
	tasks   []task
	omitted []string // names of tasks that only: leaves out
}

// check returns an error if the data set cannot have a family of this kind.
func (m *taskMaker) check() error {
	t := &m.set.Targets[0]
	switch {
	case m.set.Sequences != nil:
		return fmt.Errorf("its rows form sequences, which tasks would cut")
	case m.Kind == experiment.ByFolder && m.set.Tasks == nil:
		return fmt.Errorf("its rows come in no folders (those of the formats noad, propbank and senseval2 do, each word in one, and those of documents with a layout that has {task})")
	case m.Kind == experiment.ByTarget && len(m.set.Targets) < 2:
		return fmt.Errorf("it needs several targets, and there is one, %s", t.Name)
	case m.Kind == experiment.ByFolder, m.Kind == experiment.ByTarget:
		return nil
	case len(m.set.Targets) != 1 || t.Rows != nil:
		return fmt.Errorf("it needs one target with a level in every row")
	case t.Type != data.Class:
		return fmt.Errorf("it needs a target with levels, %s is %s; target: {type: class} takes numbers for levels", t.Name, t.Type)
	}
	return nil
}

// add appends a task unless only: leaves it out. distinct identifies the task within the data set. The digest depends on
// nothing else, so that it stays when other tasks come or go.
func (m *taskMaker) add(name string, s data.Subset, distinct ...string) error {
	if !m.IncludesTask(name) {
		m.omitted = append(m.omitted, name)
		return nil
	}
	if len(m.tasks) == maxTasks {
		return fmt.Errorf("more than %d tasks; narrow them with only", maxTasks)
	}
	s.Digest, s.TrainingDigest = taskDigest(m.set.Digest, m.Kind, distinct), taskDigest(m.set.TrainingDigest, m.Kind, distinct)
	m.tasks = append(m.tasks, task{name, s})
	return nil
}

func taskDigest(whole, kind string, distinct []string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "tenfold task 1\n%s\n%s\n%q", whole, kind, distinct))
	return hex.EncodeToString(sum[:])
}

// levelsWithRows returns the numbers of the levels that some row has. It returns an error if there are fewer than least.
func (m *taskMaker) levelsWithRows(rows [][]int32, least int) ([]int, error) {
	var out []int
	for l := range rows {
		if len(rows[l]) > 0 {
			out = append(out, l)
		}
	}
	if t := &m.set.Targets[0]; len(out) < least {
		return nil, fmt.Errorf("it needs %d levels or more, target %s has %s", least, t.Name, levelCountText(len(out), t.Levels))
	}
	return out, nil
}

// levelCountText says how many of the levels occur in some row.
func levelCountText(n int, levels []string) string {
	if n == len(levels) {
		return fmt.Sprintf("%d (%s)", n, source.Abridge(levels))
	}
	return fmt.Sprintf("%d of its %d (%s)", n, len(levels), source.Abridge(levels))
}

// addPairs adds the tasks of one-vs-one. The later level of a pair is the positive one.
func (m *taskMaker) addPairs() error {
	levels := m.set.Targets[0].Levels
	rows := rowsByNumber(m.set.Targets[0].Values, len(levels))
	there, err := m.levelsWithRows(rows, 2)
	if err != nil {
		return err
	}
	for i, a := range there {
		for _, b := range there[i+1:] {
			to := slices.Repeat([]int32{-1}, len(levels))
			to[a], to[b] = 0, 1
			s := data.Subset{Rows: slices.Sorted(slices.Values(slices.Concat(rows[a], rows[b]))), Levels: []string{levels[a], levels[b]}, To: to}
			if err := m.add(levels[a]+" vs "+levels[b], s, levels[a], levels[b]); err != nil {
				return err
			}
		}
	}
	return m.checkUniqueNames()
}

// checkUniqueNames returns an error if two pairs of levels have the same name.
func (m *taskMaker) checkUniqueNames() error {
	seen := map[string]bool{}
	for _, t := range m.tasks {
		if seen[t.name] {
			return fmt.Errorf("two tasks would have the name %q", t.name)
		}
		seen[t.name] = true
	}
	return nil
}

// addOneVsRest adds the tasks of one-vs-rest. The one level is the positive one.
func (m *taskMaker) addOneVsRest() error {
	levels := m.set.Targets[0].Levels
	there, err := m.levelsWithRows(rowsByNumber(m.set.Targets[0].Values, len(levels)), 3)
	if err != nil {
		return err
	}
	rest := "rest"
	for slices.Contains(levels, rest) {
		rest = "the " + rest
	}
	for _, a := range there {
		to := make([]int32, len(levels))
		to[a] = 1
		if err := m.add(levels[a]+" vs "+rest, data.Subset{Levels: []string{rest, levels[a]}, To: to}, levels[a]); err != nil {
			return err
		}
	}
	return nil
}

// addFolders adds the tasks that the data came with.
func (m *taskMaker) addFolders() error {
	rows := rowsByNumber(m.set.Tasks.Of, len(m.set.Tasks.Names))
	for k, name := range m.set.Tasks.Names {
		if len(rows[k]) == 0 {
			continue
		}
		if err := m.add(name, data.Subset{Rows: rows[k]}, name); err != nil {
			return err
		}
	}
	return m.checkUniqueNames()
}

// addTargets adds a task for each target, of the rows that have it.
func (m *taskMaker) addTargets() error {
	for k, t := range m.set.Targets {
		if err := m.add(t.Name, data.Subset{Rows: t.Rows, Target: k + 1}, t.Name); err != nil {
			return err
		}
	}
	return m.checkUniqueNames()
}

// rowsByNumber groups rows by their number, which is below n.
func rowsByNumber[T int32 | float64](numbers []T, n int) [][]int32 {
	out := make([][]int32, n)
	for i, k := range numbers {
		out[int(k)] = append(out[int(k)], int32(i))
	}
	return out
}
