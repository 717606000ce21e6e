// Package account says what becomes of every row and column of the files of a data set: an Account, where to begin, has two tallies of
// what is used, what has a role, and what is left out and why. Readers fill it in; package data compares it with the data set.
package account

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Account says what becomes of every row and every column that the files of a data set have. A reader counts what it finds there, and
// says of what it does not use why; Check compares the two. It is no part of the digest.
type Account struct {
	Rows    Tally `json:"rows"`
	Columns Tally `json:"columns"`
}

// Tally accounts for rows, or for columns: what is found is used, has a role, or is unused.
type Tally struct {
	Found  int    `json:"found"`            // in the files; 0 if the reader does not count: then it is the sum of the others
	Used   int    `json:"used"`             // as rows of the data set, or as features
	Roles  []Part `json:"roles,omitempty"`  // used for something else, such as the target and the ids
	Unused []Part `json:"unused,omitempty"` // in the order in which they were left out

	Constant Part `json:"constant,omitzero"` // features among those used that have one value (data.Dataset.FindConstant)
}

// Part is what has one role, or is unused for one reason.
type Part struct {
	What   string       `json:"what"`
	Count  int          `json:"count"`
	Names  []string     `json:"names,omitempty"`  // of the first, up to MaxNamed; nil if they have none
	Levels []LevelCount `json:"levels,omitempty"` // of rows: the most frequent levels of their response, up to MaxNamed
}

// LevelCount is the number of rows of a level.
type LevelCount struct {
	Level string `json:"level"`
	Rows  int    `json:"rows"`
}

// MaxNamed is the maximum number of names of a part.
const MaxNamed = 10

// Role adds things of a role, such as "target".
func (t *Tally) Role(role string, names ...string) {
	t.Roles = addPart(t.Roles, Part{What: role, Count: len(names), Names: names})
}

// Leave adds things that are left out for a reason, such as "dropped".
func (t *Tally) Leave(why string, names ...string) {
	t.Unused = addPart(t.Unused, Part{What: why, Count: len(names), Names: names})
}

// LeaveNumber adds n things without names that are left out for a reason, which follows their number in words, such as "without a response".
func (t *Tally) LeaveNumber(why string, n int) {
	t.Unused = addPart(t.Unused, Part{What: why, Count: n})
}

// LeavePart adds a part that is left out.
func (t *Tally) LeavePart(p Part) { t.Unused = addPart(t.Unused, p) }

// addPart returns the parts with one more, united with that of the same name, without changing the list.
func addPart(parts []Part, p Part) []Part {
	if p.Count == 0 {
		return parts
	}
	parts = slices.Clone(parts)
	k := slices.IndexFunc(parts, func(q Part) bool { return q.What == p.What })
	if k < 0 {
		k = len(parts)
		parts = append(parts, Part{What: p.What})
	}
	q := &parts[k]
	q.Count += p.Count
	q.Names = slices.Concat(q.Names, p.Names[:min(len(p.Names), MaxNamed-len(q.Names))])
	if q.Levels == nil { // a reason has one list of rows
		q.Levels = p.Levels
	}
	return parts
}

// Add adds the tally of a further file.
func (t *Tally) Add(other Tally) {
	t.Found, t.Used = t.Found+other.Found, t.Used+other.Used
	for _, p := range other.Roles {
		t.Roles = addPart(t.Roles, p)
	}
	for _, p := range other.Unused {
		t.Unused = addPart(t.Unused, p)
	}
}

// Others returns how many things are not used as rows or features.
func (t Tally) Others() (n int) {
	for _, p := range slices.Concat(t.Roles, t.Unused) {
		n += p.Count
	}
	return n
}

// Complete reports whether everything has a use.
func (a Account) Complete() bool {
	return len(a.Rows.Unused)+len(a.Columns.Unused)+a.Columns.Constant.Count == 0
}

// String returns such as "rows: 150 of 153 (3 without a response); columns: 4 of 6 (target: class; id: Id)".
func (a Account) String() string {
	return fmt.Sprintf("rows: %v; columns: %v", a.Rows, a.Columns)
}

func (t Tally) String() string {
	text := strconv.Itoa(t.Used)
	if t.Used < t.Found {
		var parts []string
		for _, p := range slices.Concat(t.Roles, t.Unused) {
			parts = append(parts, p.String())
		}
		text += fmt.Sprintf(" of %d (%s)", t.Found, strings.Join(parts, "; "))
	}
	if t.Constant.Count > 0 {
		text += ", " + t.Constant.String()
	}
	return text
}

func (p Part) String() string {
	var members []string
	for _, name := range p.Names {
		if name == "" {
			name = `""`
		}
		members = append(members, name)
	}
	for _, l := range p.Levels {
		members = append(members, fmt.Sprintf("%d %s", l.Rows, l.Level))
	}
	text := fmt.Sprintf("%d %s", p.Count, p.What)
	switch {
	case p.Names != nil && p.Count > len(p.Names):
		text = fmt.Sprintf("%s: %d such as ", p.What, p.Count)
	case p.Names != nil:
		text = p.What + ": "
	case len(members) > 0:
		text += ": "
	}
	if len(p.Levels) == MaxNamed {
		members = append(members, "…")
	}
	return text + strings.Join(members, ", ")
}
