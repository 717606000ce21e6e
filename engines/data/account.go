package data

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

	Constant Part `json:"constant,omitzero"` // features among those used that have one value (constant.go)
}

// Part is what has one role, or is unused for one reason.
type Part struct {
	What   string       `json:"what"`
	Count  int          `json:"count"`
	Names  []string     `json:"names,omitempty"`  // of the first, up to mostNamed; nil if they have none
	Levels []LevelCount `json:"levels,omitempty"` // of rows: the most frequent levels of their response, up to mostNamed
}

// LevelCount is the number of rows of a level.
type LevelCount struct {
	Level string `json:"level"`
	Rows  int    `json:"rows"`
}

// mostNamed is the maximum number of names of a part.
const mostNamed = 10

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
	q.Names = slices.Concat(q.Names, p.Names[:min(len(p.Names), mostNamed-len(q.Names))])
	if q.Levels == nil { // a reason has one list of rows
		q.Levels = p.Levels
	}
	return parts
}

// AddColumns accounts for the columns of a further file that stand beside those of the data set.
func (d *Dataset) AddColumns(columns Tally) {
	d.Account = d.Accounts()
	d.Account.Columns.Add(columns)
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

// others returns how many things are not used as rows or features.
func (t Tally) others() (n int) {
	for _, p := range slices.Concat(t.Roles, t.Unused) {
		n += p.Count
	}
	return n
}

// LeaveRows accounts for rows of the data set that are left out for a reason, with the levels of their responses if those are the only
// target. It does not leave them out: Select does.
func (d *Dataset) LeaveRows(why string, rows []int32) {
	p := Part{What: why, Count: len(rows)}
	if len(d.Targets) == 1 && d.Targets[0].Type == Class && d.Targets[0].Numbers == nil {
		p.Levels = d.Targets[0].countLevels(rows)
	}
	d.Account.Rows.Unused = addPart(d.Account.Rows.Unused, p)
}

// countLevels counts the levels of some rows, the most frequent first, up to mostNamed.
func (t *Target) countLevels(rows []int32) (counts []LevelCount) {
	at := t.onRows(rows)
	n := make([]int, len(t.Levels))
	for _, v := range at.Values {
		n[int(v)]++
	}
	for l, rows := range n {
		if rows > 0 {
			counts = append(counts, LevelCount{t.Levels[l], rows})
		}
	}
	slices.SortStableFunc(counts, func(a, b LevelCount) int { return b.Rows - a.Rows })
	return counts[:min(len(counts), mostNamed)]
}

// Difference returns the numbers of all that are not among some; both rise.
func Difference(all, some []int32) []int32 {
	out := make([]int32, 0, len(all)-len(some))
	for _, i := range all {
		if len(some) > 0 && some[0] == i {
			some = some[1:]
			continue
		}
		out = append(out, i)
	}
	return out
}

// Accounts returns the account of the data set, complete: what its reader did not count is what there is, and what was left out.
func (d *Dataset) Accounts() Account {
	a := d.Account
	a.Rows.Used = d.Rows()
	if a.Rows.Found == 0 {
		a.Rows.Found = a.Rows.Used + a.Rows.others()
	}
	if a.Columns.Found == 0 {
		a.Columns.Used = d.Features.Len()
		a.Columns.Found = a.Columns.Used + a.Columns.others()
	}
	return a
}

// checkAccount returns an error unless every row and every column that the reader found is accounted for.
func (d *Dataset) checkAccount() error {
	a := d.Accounts()
	for _, t := range []struct {
		of string
		Tally
	}{{"rows", a.Rows}, {"columns", a.Columns}} {
		if n := t.Used + t.others(); n != t.Found {
			return fmt.Errorf("%d %s are accounted for, and %d were found", n, t.of, t.Found)
		}
	}
	return nil
}

// Without returns the account after columns of the matrix are left out for a reason. A column of a file that became several columns, one
// a level or one a class, is left out if all of them are.
func (d *Dataset) Without(why string, left func(j int) bool) Account {
	a := d.Accounts()
	names := d.fileColumns(left)
	a.Columns.Used -= len(names)
	a.Columns.Leave(why, names...)
	if c := &a.Columns.Constant; c.Count > len(c.Names) && len(names) > 0 {
		*c = Part{} // which of them are left is not known
	} else {
		c.Names = slices.DeleteFunc(slices.Clone(c.Names), func(name string) bool { return slices.Contains(names, name) })
		c.Count = len(c.Names)
	}
	return a
}

// fileColumns returns the names of the columns of files of which all columns of the matrix are of some kind, in order.
func (d *Dataset) fileColumns(is func(j int) bool) (names []string) {
	var columns []fileColumn // in order
	kept := map[fileColumn]bool{}
	for j := range d.Features.Len() {
		c := d.columnOfFile(j)
		if _, seen := kept[c]; !seen {
			columns, kept[c] = append(columns, c), false
		}
		kept[c] = kept[c] || !is(j)
	}
	for _, c := range columns {
		if !kept[c] {
			names = append(names, c.name)
		}
	}
	return names
}

// fileColumn is a column of a file.
type fileColumn struct {
	name   string
	factor int32 // -1 for none
}

// columnOfFile returns the column of a file that column j of the matrix comes from.
func (d *Dataset) columnOfFile(j int) fileColumn {
	of := fileColumn{d.Features.Name(j), -1}
	if c := d.Features.Class(j); c >= 0 {
		of.name = strings.TrimSuffix(of.name, "@"+d.Features.Classes()[c])
	}
	if d.Factor != nil && d.Factor[j] >= 0 {
		of.name, _, _ = strings.Cut(of.name, "=")
		of.factor = d.Factor[j]
	}
	return of
}

// Complete reports whether everything has a use.
func (a Account) Complete() bool {
	return len(a.Rows.Unused)+len(a.Columns.Unused)+a.Columns.Constant.Count == 0
}

// Facts says in words what String says.
func (a Account) Facts() []Fact {
	return []Fact{{"rows", a.Rows.String()}, {"columns", a.Columns.String()}}
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
	var of []string
	for _, name := range p.Names {
		if name == "" {
			name = `""`
		}
		of = append(of, name)
	}
	for _, l := range p.Levels {
		of = append(of, fmt.Sprintf("%d %s", l.Rows, l.Level))
	}
	text := fmt.Sprintf("%d %s", p.Count, p.What)
	switch {
	case p.Names != nil && p.Count > len(p.Names):
		text = fmt.Sprintf("%s: %d such as ", p.What, p.Count)
	case p.Names != nil:
		text = p.What + ": "
	case len(of) > 0:
		text += ": "
	}
	if len(p.Levels) == mostNamed {
		of = append(of, "…")
	}
	return text + strings.Join(of, ", ")
}
