package tabular

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/asterisk"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// table is a joined table, with what its columns are for.
type table struct {
	Join
	key             string // column of the data that has its ids, if it has one of the name that by gives; else the ids of its rows
	field, features string // places in an experiment file: of the table, and of its columns to predict from
	role, file      string
	scan            tablefile.Scanner
	header          []string
	roles           []string // of the columns, as of those of the data; columns.drop where nothing names one
	took            []claim  // of what the options claim, what is a column here
	narrowed        []claim  // and patterns of categorical columns that match features here
}

// isNamed reports whether rows are found by ids.
func (t *table) isNamed() bool { return slices.Contains(t.roles, "columns.id") }

// hasFeatures reports whether some columns are features.
func (t *table) hasFeatures() bool {
	return slices.ContainsFunc(t.roles, func(role string) bool { return role == "" || role == "columns.categorical" || role == "columns.text" })
}

// errSeen ends a scan after the names of columns.
var errSeen = errors.New("the names of columns were seen")

// openTables reads the names of the columns of the joined tables, after those that are opened already, and finds out what they are for.
// ids says whether the rows of data have ids.
func (o Options) openTables(ctx context.Context, in source.Input, ids bool, m *model, all ...*table) (_ []*table, err error) {
	for k, j := range o.Join {
		if m != nil && !in.Has(roleOf(k)) {
			continue
		}
		ids := ids || j.By != ""
		t := &table{Join: j, key: j.By, field: o.Join.field(k), features: o.Join.field(k) + ".features", role: roleOf(k), scan: j.scan(in, ids)}
		content, file, err := in.Bytes(t.role)
		if err != nil {
			return nil, err
		}
		_, err = t.scan(ctx, file, content, func(header []string) ([]tablefile.Sink, error) {
			t.header = o.Columns.distinctNames(header)
			return nil, errSeen
		})
		if !errors.Is(err, errSeen) {
			return nil, err
		}
		if t.file, err = file, t.assignRoles(unclaimed(o.claims(), all), ids, m); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if m == nil && !t.usesSome() {
			return nil, fmt.Errorf("%s: %w", file, param.Errorf(t.field, "nothing names a column of it: target and columns may, and features: [...] lists those to predict from (columns: %s)", source.Abridge(t.header)))
		}
		all = append(all, t)
	}
	return all, nil
}

// unclaimed returns the claims that no table took. A pattern that has matched in one need not match elsewhere.
func unclaimed(claims []claim, tables []*table) (left []claim) {
	for _, c := range claims {
		took := func(t *table) bool { return slices.Contains(t.took, c) }
		if slices.ContainsFunc(tables, took) {
			continue
		}
		matched := slices.ContainsFunc(tables, func(t *table) bool { return slices.Contains(t.narrowed, c) })
		c.optional = matched
		left = append(left, c)
	}
	return left
}

// assignRoles finds out what the columns are for. Names claim first, then patterns: those of targets, those of features, and * last.
func (t *table) assignRoles(claims []claim, ids bool, m *model) error {
	if name, twice := tablefile.FirstRepeated(t.header); twice {
		return fmt.Errorf("two columns are named %q; say columns: {repeated: number} to keep both", name)
	}
	t.roles = make([]string, len(t.header))
	if ids {
		t.By = cmp.Or(t.By, t.header[0])
		k := slices.Index(t.header, t.By)
		if k < 0 {
			return param.Errorf(t.field+".by", "no column %q%s (columns: %s)", t.By, suggest.DidYouMean(t.By, t.header), source.Abridge(t.header))
		}
		t.roles[k] = "columns.id"
	}
	var patterns, last []claim
	for _, c := range claims {
		switch {
		case c.option == "columns.id", c.option == "columns.drop", t.key != "" && c.pattern == t.key, m != nil && !m.asksFor(c):
		case slices.Contains(t.header, c.pattern):
			if err := t.take(c); err != nil {
				return err
			}
		case c.option == "target" && c.pattern == "*":
			last = append(last, c)
		default:
			patterns = append(patterns, c)
		}
	}
	for _, pattern := range t.Features {
		switch k := slices.Index(t.header, pattern); {
		case k >= 0 && t.roles[k] == "columns.categorical":
		case k >= 0:
			if err := (claim{option: t.features, pattern: pattern}).claimColumns(t.header, t.roles); err != nil {
				return err
			}
		default:
			patterns = append(patterns, claim{option: t.features, pattern: pattern, optional: m != nil})
		}
	}
	for _, c := range slices.Concat(patterns, last) {
		free := slices.ContainsFunc(t.header, func(name string) bool {
			return asterisk.Matches(c.pattern, name) && t.roles[slices.Index(t.header, name)] == ""
		})
		switch {
		case c.option == "columns.categorical":
			t.narrow(c)
		case c.option == t.features:
			if err := c.claimColumns(t.header, t.roles); err != nil {
				return err
			}
		case free:
			if err := t.take(c); err != nil {
				return err
			}
		}
	}
	t.settleRoles(m)
	if time, event := slices.Contains(t.roles, "target.time"), slices.Contains(t.roles, "target.event"); time != event {
		return param.Errorf("target", "of times and events, it has the column of one alone; both stand in one file (columns: %s)", source.Abridge(t.header))
	}
	return nil
}

// take claims columns for an option of the data set.
func (t *table) take(c claim) error {
	t.took = append(t.took, c)
	return c.claimColumns(t.header, t.roles)
}

// narrow makes features that a pattern matches categorical.
func (t *table) narrow(c claim) {
	for k, name := range t.header {
		if t.roles[k] == t.features && asterisk.Matches(c.pattern, name) {
			t.roles[k] = c.option
			t.narrowed = append(t.narrowed, c)
		}
	}
}

// settleRoles ends the assignment: what has no role is left out.
func (t *table) settleRoles(m *model) {
	for k, role := range t.roles {
		switch role {
		case "":
			t.roles[k] = "columns.drop"
		case t.features:
			t.roles[k] = ""
		}
	}
	if m != nil {
		m.dropUnknown(t.header, t.roles)
	}
}

// usesSome reports whether some column besides that of the ids is used.
func (t *table) usesSome() bool {
	return slices.ContainsFunc(t.roles, func(role string) bool { return role != "columns.drop" && role != "columns.id" })
}

// joinTables adds to the rows of data what the tables have. Rows find those of a table by a column of the data, in which several may have the
// same value, or by their ids. main is the frame that read them; nil if they come from a matrix.
func (o Options) joinTables(ctx context.Context, in source.Input, d *data.Dataset, tables []*table, m *model, main *frame) (*data.Dataset, error) {
	if main == nil {
		main = &frame{}
	}
	for _, t := range tables {
		f := frame{in: in, table: t, responsesElsewhere: true, featuresElsewhere: !t.hasFeatures(), model: m}
		here, there := data.Numbers(d.Rows()), data.Numbers(d.Rows())
		facts := d.Facts
		if t.isNamed() {
			keys := d.IDs
			if key := main.keys[t.key]; key != nil {
				keys = key.ids
			}
			if keys == nil {
				return nil, param.Errorf(t.field+".by", "the rows of data have no ids to join %q with; name their column in columns.id", t.By)
			}
			ids, err := t.readIDs(ctx, in)
			if err != nil {
				return nil, err
			}
			if here, there, f.kept, err = t.match(keys, ids, m != nil); err != nil {
				return nil, fmt.Errorf("%s: %w", t.file, err)
			}
			facts = append(facts, t.account(d.Rows(), there, f.kept, o.Columns.Group == "" && m == nil)...)
		}
		other, err := f.readFiles(ctx, in, o, t.scan, t.role)
		if err != nil {
			return nil, err
		}
		if !t.isNamed() && other.Rows() != d.Rows() {
			return nil, fmt.Errorf("%s: %d rows, expected %d, one for each row of data; to join by ids, name their columns in %s.by and columns.id", t.file, other.Rows(), d.Rows(), t.field)
		}
		if len(here) < d.Rows() {
			d.LeaveRows("without a partner in "+t.file, data.Difference(data.Numbers(d.Rows()), here))
			d = d.Select(here)
			main.selectRows(here)
		}
		d.Facts = append(facts, other.Facts...)
		if err := merge(in, d, other.Select(there), t.file); err != nil {
			return nil, err
		}
		if err := main.addTexts(d, &f, there, o); err != nil {
			return nil, fmt.Errorf("%s: %w", t.file, err)
		}
		d.AddColumns(other.Account.Columns)
	}
	return d, nil
}

// readIDs reads the ids of the rows.
func (t *table) readIDs(ctx context.Context, in source.Input) ([]string, error) {
	content, file, err := in.Bytes(t.role)
	if err != nil {
		return nil, err
	}
	ids := &identities{joined: true}
	rows, err := t.scan(ctx, file, content, func(header []string) ([]tablefile.Sink, error) {
		sinks := make([]tablefile.Sink, len(header))
		sinks[slices.Index(t.roles, "columns.id")] = ids
		return sinks, nil
	})
	if err == nil && rows == 0 {
		err = fmt.Errorf("%s: no rows, only the names of columns", file)
	}
	return ids.ids, err
}

// match returns the rows of data that have a partner, the place of each among the rows of the table that have one, and which those are.
// new says that the rows are new: the table may then have others.
func (t *table) match(data, ids []string, new bool) (here, there []int32, kept []bool, err error) {
	row := make(map[string]int, len(ids))
	for r, id := range ids {
		row[id] = r
	}
	kept = make([]bool, len(ids))
	var alone, others []string
	for i, id := range data {
		if r, ok := row[id]; ok {
			here, kept[r] = append(here, int32(i)), true
		} else {
			alone = append(alone, id)
		}
	}
	place, n := make([]int32, len(ids)), int32(0)
	for r, is := range kept {
		if place[r] = n; is {
			n++
		} else {
			others = append(others, ids[r])
		}
	}
	for _, i := range here {
		there = append(there, place[row[data[i]]])
	}
	var bad []string
	if len(alone) > 0 && t.Unmatched != dropEither {
		bad = append(bad, fmt.Sprintf("it has no row for %d of %d rows of data: %s", len(alone), len(data), source.Abridge(alone)))
	}
	if len(others) > 0 && t.Unmatched != dropEither && t.Unmatched != dropJoined && !new {
		bad = append(bad, fmt.Sprintf("the data has none for %d of its %d rows: %s", len(others), len(ids), source.Abridge(others)))
	}
	switch {
	case len(here) == 0:
		return nil, nil, nil, param.Errorf(t.field+".by", "no value of %q is the id of a row of data: they are such as %q, the ids such as %q%s; by: names another column of the table, columns.id of the data", t.By, ids[0], data[0], Nearly(data, ids))
	case len(bad) > 0 && len(alone) == 0:
		return nil, nil, nil, param.Errorf(t.field, "%s; unmatched: %s leaves them out", bad[0], dropJoined)
	case len(bad) > 0:
		return nil, nil, nil, param.Errorf(t.field, "%s; unmatched: %s leaves out either", strings.Join(bad, "; "), dropEither)
	}
	return here, there, kept, nil
}

// Nearly says, in words for a message, that ids would be among others without their signs and capitals; "" if they would not.
func Nearly(ids, others []string) string {
	plain := func(id string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("-_. :", r) {
				return -1
			}
			return r
		}, strings.ToLower(id))
	}
	have := map[string]string{}
	for _, id := range others {
		have[plain(id)] = id
	}
	for _, id := range ids {
		if like, ok := have[plain(id)]; ok {
			return fmt.Sprintf(" (%q and %q differ in signs or capitals alone)", like, id)
		}
	}
	return ""
}

// account says how many rows were joined, how many had no partner, and how many share one: rows of the table, each in there, by its place
// among those that are kept. alone says that no column groups the rows.
func (t *table) account(rows int, there []int32, kept []bool, alone bool) []data.Fact {
	partners := 0
	for _, is := range kept {
		if is {
			partners++
		}
	}
	facts := []data.Fact{{Name: "rows joined with " + t.file, Value: fmt.Sprint(len(there))}}
	if n := rows - len(there); n > 0 {
		facts = append(facts, data.Fact{Name: "rows left out, that " + t.file + " does not have", Value: fmt.Sprint(n)})
	}
	if n := len(kept) - partners; n > 0 {
		facts = append(facts, data.Fact{Name: "rows of " + t.file + " left out, that the data does not have", Value: fmt.Sprint(n)})
	}
	partnersOf, shared := make([]int, partners), 0
	for _, r := range there {
		partnersOf[r]++
	}
	for _, n := range partnersOf {
		if n > 1 {
			shared++
		}
	}
	if shared > 0 {
		facts = append(facts, data.Fact{Name: "rows of " + t.file + " that several rows of data share", Value: fmt.Sprintf("%d of %d", shared, partners)})
	}
	if shared > 0 && alone && t.key != "" {
		facts = append(facts, data.Fact{Name: "warning", Value: fmt.Sprintf("rows of data share rows of %s, and folds may have such rows on both sides: columns: {group: %[2]s} and folds: {by: %[2]s} keep them together", t.file, t.key)})
	}
	return facts
}

// merge adds to a data set what another one of the same rows has.
func merge(in source.Input, d, other *data.Dataset, file string) error {
	d.Targets = append(d.Targets, other.Targets...)
	if other.Groups != nil {
		d.Groups = other.Groups
	}
	if other.Time != nil {
		d.Time = other.Time
	}
	if other.Weight != nil {
		d.Weight = other.Weight
	}
	if other.Exposure != nil {
		d.Exposure = other.Exposure
	}
	if other.Features.Len() == 0 {
		return nil
	}
	return appendColumns(in, d, other, file)
}
