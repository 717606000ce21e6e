package data

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/data/account"
)

// AddColumns accounts for the columns of a further file that stand beside those of the data set.
func (d *Dataset) AddColumns(columns account.Tally) {
	d.Account = d.Accounts()
	d.Account.Columns.Add(columns)
}

// LeaveRows accounts for rows of the data set that are left out for a reason, with the levels of their responses if those are the only
// target. It does not leave them out: Select does.
func (d *Dataset) LeaveRows(why string, rows []int32) {
	p := account.Part{What: why, Count: len(rows)}
	if len(d.Targets) == 1 && d.Targets[0].Type == Class && d.Targets[0].Numbers == nil {
		p.Levels = d.Targets[0].countLevels(rows)
	}
	d.Account.Rows.LeavePart(p)
}

// countLevels counts the levels of some rows, the most frequent first, up to account.MaxNamed.
func (t *Target) countLevels(rows []int32) (counts []account.LevelCount) {
	restricted := t.onRows(rows)
	n := make([]int, len(t.Levels))
	for _, v := range restricted.Values {
		n[int(v)]++
	}
	for l, rows := range n {
		if rows > 0 {
			counts = append(counts, account.LevelCount{Level: t.Levels[l], Rows: rows})
		}
	}
	slices.SortStableFunc(counts, func(a, b account.LevelCount) int { return b.Rows - a.Rows })
	return counts[:min(len(counts), account.MaxNamed)]
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
func (d *Dataset) Accounts() account.Account {
	a := d.Account
	a.Rows.Used = d.Rows()
	if a.Rows.Found == 0 {
		a.Rows.Found = a.Rows.Used + a.Rows.Others()
	}
	if a.Columns.Found == 0 {
		a.Columns.Used = d.Features.Len()
		a.Columns.Found = a.Columns.Used + a.Columns.Others()
	}
	return a
}

// checkAccount returns an error unless every row and every column that the reader found is accounted for.
func (d *Dataset) checkAccount() error {
	a := d.Accounts()
	for _, t := range []struct {
		counted string
		account.Tally
	}{{"rows", a.Rows}, {"columns", a.Columns}} {
		if n := t.Used + t.Others(); n != t.Found {
			return fmt.Errorf("%d %s are accounted for, and %d were found", n, t.counted, t.Found)
		}
	}
	return nil
}

// Without returns the account after columns of the matrix are left out for a reason. A column of a file that became several columns, one
// a level or one a class, is left out if all of them are.
func (d *Dataset) Without(why string, left func(j int) bool) account.Account {
	a := d.Accounts()
	names := d.fileColumns(left)
	a.Columns.Used -= len(names)
	a.Columns.Leave(why, names...)
	if c := &a.Columns.Constant; c.Count > len(c.Names) && len(names) > 0 {
		*c = account.Part{} // which of them are left is not known
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
	column := fileColumn{d.Features.Name(j), -1}
	if c := d.Features.Class(j); c >= 0 {
		column.name = strings.TrimSuffix(column.name, "@"+d.Features.Classes()[c])
	}
	if d.Factor != nil && d.Factor[j] >= 0 {
		column.name, _, _ = strings.Cut(column.name, "=")
		column.factor = d.Factor[j]
	}
	return column
}

// AccountFacts says in words what the account's text says.
func AccountFacts(a account.Account) []Fact {
	return []Fact{{"rows", a.Rows.String()}, {"columns", a.Columns.String()}}
}
