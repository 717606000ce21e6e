package tuples

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/source"
)

// literal expands one instance as the definition reads: template number and name of each pattern, the lowest template
// where several make the same.
func literal(table *Table, i int, templates []string) map[string]int {
	owner := map[string]int{} // pattern without its T<k>: prefix
	for k, template := range templates {
		var parts []string
		fires := true
		for p, c := range template {
			symbol := table.Tuple(i)[p]
			value := string(appendEscaped(nil, table.Text(symbol)))
			if symbol == Leaf {
				value = "*"
			}
			switch {
			case c == '1' && symbol != Leaf:
				fires = false
			case c != '0':
				parts = append(parts, fmt.Sprintf("%d=%s", p, value))
			}
		}
		pattern := strings.Join(parts, ";")
		if _, taken := owner[pattern]; fires && !taken {
			owner[pattern] = k
		}
	}
	return owner
}

// Few values, chosen so that one begins another and the rest is below or above a semicolon.
var awkward = []string{"a", "a-", "a0", "a;", "ab", "a%", "*", "", "a b", "é", "%3B", "<det", "a:b", "a|=\t\x7f"}

func randomTable(r *rand.Rand, n int) *Table {
	table := NewTuples()
	for range n {
		var tuple Tuple
		for p := range tuple {
			if r.IntN(3) > 0 {
				tuple[p] = table.Symbol([]byte(awkward[r.IntN(len(awkward))]))
			}
		}
		table.Add(tuple[:]...)
	}
	return table
}

func TestExpandIsLiteral(t *testing.T) {
	templates := source.Templates{"0002000000", "0022000000", "0021000000", "0012000000", "0000000000", "2000000001", "2000000002", "0000000000", "2222222222", "0011000000"}
	for seed := range uint64(20) {
		table := randomTable(rand.New(rand.NewPCG(seed, 1)), 200)
		set, err := Features{Templates: templates, Cutoff: 1}.Dataset(context.Background(), table)
		if err != nil {
			t.Fatal(err)
		}
		if err := set.X.Check(); err != nil {
			t.Fatal(err)
		}
		type column struct {
			template int
			name     string
		}
		seen := map[column]bool{}
		for i := range table.Len() {
			var want, got []string
			for pattern, k := range literal(table, i, templates) {
				c := column{k, fmt.Sprintf("T%d:%s", k, pattern)}
				seen[c] = true
				want = append(want, c.name)
			}
			for _, j := range set.X.Row(i).Idx {
				got = append(got, set.Features.Name(int(j)))
			}
			sort.Strings(want)
			sort.Strings(got)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, row %d: got %q, want %q", seed, i, got, want)
			}
		}
		var order []column
		for c := range seen {
			order = append(order, c)
		}
		sort.Slice(order, func(a, b int) bool {
			if order[a].template != order[b].template {
				return order[a].template < order[b].template
			}
			return order[a].name < order[b].name
		})
		if len(order) != set.Features.Len() {
			t.Fatalf("seed %d: %d columns, want %d", seed, set.Features.Len(), len(order))
		}
		for j, c := range order {
			if set.Features.Name(j) != c.name {
				t.Fatalf("seed %d, column %d: got %s, want %s", seed, j, set.Features.Name(j), c.name)
			}
		}
	}
}

func TestGroupsAreEqualTuples(t *testing.T) {
	table := randomTable(rand.New(rand.NewPCG(3, 1)), 50)
	for i := range 50 {
		record := table.Tuple(i)
		table.Add(record[:]...)
	}
	set, err := DefaultFeatures.Dataset(context.Background(), table)
	if err != nil {
		t.Fatal(err)
	}
	groups := map[Tuple]int32{}
	for i, g := range set.Groups.Of {
		if first, ok := groups[table.Tuple(i)]; ok && first != g {
			t.Errorf("row %d: group %d, an equal tuple is in %d", i, g, first)
		}
		groups[table.Tuple(i)] = g
	}
	if len(groups) != len(set.Groups.Key) {
		t.Errorf("%d groups for %d tuples", len(set.Groups.Key), len(groups))
	}
}

func TestEscapesAreReversible(t *testing.T) {
	all := make([]byte, 256)
	for k := range all {
		all[k] = byte(k)
	}
	for _, value := range append(awkward, string(all), "漢字　", "100%25") {
		written := string(appendEscaped(nil, value))
		if strings.ContainsAny(written, ";=*| \t\r\n\x00\x7f") {
			t.Errorf("%q is written %q", value, written)
		}
		if back, err := url.PathUnescape(written); err != nil || back != value {
			t.Errorf("%q is written %q and read back %q, %v", value, written, back, err)
		}
	}
}

// A chain in either direction: as deep as the sentence is long.
func TestDeepTrees(t *testing.T) {
	const n = 20000
	for name, head := range map[string]func(k int) int{
		"to the right": func(k int) int { return k - 1 },
		"to the left":  func(k int) int { return (k + 1) % (n + 1) },
		"flat":         func(k int) int { return min(k-1, 1) },
	} {
		table := NewTuples()
		joins := NewJoins(table)
		sentence := make([]Token, n)
		for k := range sentence {
			sentence[k].Head = head(k + 1)
		}
		if err := joins.Add(sentence); err != nil || table.Len() != n-1 {
			t.Errorf("%s: %d joins, want %d; %v", name, table.Len(), n-1, err)
		}
	}
}

func TestBadTrees(t *testing.T) {
	table := NewTuples()
	joins := NewJoins(table)
	for _, heads := range [][]int{{-1}, {2}, {1}, {2, 1}, {0, 3, 4, 2}, {0, 1, 9}} {
		sentence := make([]Token, len(heads))
		for k, h := range heads {
			sentence[k].Head = h
		}
		if err := joins.Add(sentence); err == nil {
			t.Errorf("heads %v were accepted", heads)
		}
	}
	if table.Len() != 0 {
		t.Errorf("%d joins were added", table.Len())
	}
	if err := joins.Add([]Token{{Head: 0}, {Head: 1}, {Head: 0}}); err != nil || table.Len() != 1 {
		t.Errorf("after bad trees: %d joins, want 1; %v", table.Len(), err)
	}
}

func TestOptionErrors(t *testing.T) {
	with := func(change func(*Options)) Options {
		o := DefaultOptions
		change(&o)
		return o
	}
	templates := func(list ...string) Options {
		return with(func(o *Options) { o.Features.Templates = list })
	}
	for _, c := range []struct {
		options Options
		field   string
	}{
		{templates(), "features.templates"},
		{templates("020002000"), "features.templates"},
		{templates("0200020000", "02000200000"), "features.templates"},
		{templates("0200020003"), "features.templates"},
		{templates("pairs"), "features.templates"},
		{templates("02000é000"), "features.templates"},
		{with(func(o *Options) { o.Features.Cutoff = 0 }), "features.cutoff"},
		{with(func(o *Options) { o.Kappa = -1 }), "kappa"},
		{with(func(o *Options) { o.Target = source.Target{Name: "relations"} }), "target"},
		{with(func(o *Options) { o.Target = source.Target{Column: "y"} }), "target"},
		{with(func(o *Options) { o.Target.Type = "class" }), "target.type"},
		{with(func(o *Options) { o.Target.Positive = ">obj" }), "target.positive"},
	} {
		var bad *param.FieldError
		if err := c.options.Validate(); !errors.As(err, &bad) || bad.Field != c.field {
			t.Errorf("%+v: got %v, want an error about %s", c.options, err, c.field)
		}
	}
	if err := templates("0000000000").Validate(); err != nil {
		t.Errorf("the template of zeros: %v", err)
	}
	if err := DefaultOptions.Validate(); err != nil {
		t.Errorf("defaults: %v", err)
	}
	if _, err := DefaultOptions.Dataset(context.Background(), NewTuples()); err == nil {
		t.Error("a table without instances was accepted")
	}
}

func TestTargets(t *testing.T) {
	table := NewTuples()
	joins := NewJoins(table)
	token := func(form, relation string, head int) Token {
		return Token{Form: table.Symbol([]byte(form)), Relation: table.Symbol([]byte(relation)), Head: head}
	}
	for range 3 {
		if err := joins.Add([]Token{token("we", "nsubj", 2), token("see", "root", 0), token("it", "obj", 2)}); err != nil {
			t.Fatal(err)
		}
	}
	options := DefaultOptions
	options.Target.Name = Relation
	set, err := options.Dataset(context.Background(), table)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Check(); err != nil {
		t.Error(err)
	}
	want := data.Target{Name: Relation, Type: data.Class, Levels: []string{"<nsubj", ">obj"}, Values: []float64{1, 0, 1, 0, 1, 0}}
	if got := set.Targets[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	options.Target.Name, options.TrainOnly = Information, true
	if set, err = options.Dataset(context.Background(), table); err != nil || set.Targets[0].Pairs == nil || set.Targets[0].Values != nil {
		t.Errorf("train_only must leave the values to the folds: %+v, %v", set.Targets, err)
	}
	if err := set.Check(); err != nil {
		t.Error(err)
	}
}
