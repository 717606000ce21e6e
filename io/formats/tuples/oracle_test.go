package tuples

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/prepare"
	"tenfold/io/source"
)

func TestOracleJoins(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"joins": checkJoins})
}

func TestOracleFeatures(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"features": checkFeatures})
}

func TestOracleInformation(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"mi": checkInformation})
}

func checkJoins(t *testing.T, c oracle.Case) {
	var in struct{ Sentences [][][]any }
	var want struct {
		Instances [][10]*string
		Labels    []string
		Skipped   []int `json:"skipped_sentences"`
	}
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Expect, &want)
	table := NewTuples()
	joins := NewJoins(table)
	var skipped []int
	for k, sentence := range in.Sentences {
		if err := joins.Add(tokens(table, sentence)); err != nil {
			skipped = append(skipped, k)
		}
	}
	if fmt.Sprint(skipped) != fmt.Sprint(want.Skipped) {
		t.Errorf("skipped sentences: got %v, want %v", skipped, want.Skipped)
	}
	if table.Len() != len(want.Instances) {
		t.Fatalf("got %d instances, want %d", table.Len(), len(want.Instances))
	}
	for i, instance := range want.Instances {
		if got, want := table.Tuple(i), tuple(table, instance); got != want {
			t.Errorf("instance %d: got %q, want %q", i, texts(table, got), texts(table, want))
		}
		if got := table.Text(table.answer[i]); got != want.Labels[i] {
			t.Errorf("label %d: got %s, want %s", i, got, want.Labels[i])
		}
	}
}

// tokens reads rows of id, form, tag, head, relation.
func tokens(table *Table, sentence [][]any) []Token {
	position := map[any]int{0.0: 0}
	for k, row := range sentence {
		position[row[0]] = k + 1
	}
	var list []Token
	for _, row := range sentence {
		head, known := position[row[3]]
		if !known {
			head = -1
		}
		symbol := func(column int) int32 { return table.Symbol([]byte(row[column].(string))) }
		list = append(list, Token{Form: symbol(1), Tag: symbol(2), Relation: symbol(4), Head: head})
	}
	return list
}

func tuple(table *Table, values [10]*string) (tuple Tuple) {
	for p, v := range values {
		if v != nil {
			tuple[p] = table.Symbol([]byte(*v))
		}
	}
	return tuple
}

func texts(table *Table, tuple Tuple) (out [10]string) {
	for p, v := range tuple {
		out[p] = table.Text(v)
	}
	return out
}

func fill(instances [][10]*string) *Table {
	table := NewTuples()
	for _, instance := range instances {
		record := tuple(table, instance)
		table.Add(record[:]...)
	}
	return table
}

// rows gives the numbers of the rows marked, nil when none is said.
func rows(raw json.RawMessage) (list []int32) {
	var marks []bool
	if json.Unmarshal(raw, &marks) != nil {
		_ = json.Unmarshal(raw, &list)
		return list
	}
	for i, marked := range marks {
		if marked {
			list = append(list, int32(i))
		}
	}
	return list
}

func checkFeatures(t *testing.T, c oracle.Case) {
	var in struct {
		Instances [][10]*string
		Templates source.Templates
		Train     json.RawMessage
	}
	var options struct {
		Cutoff *int
		Split  *struct {
			Fraction float64
			Seed     uint64
		}
	}
	var want struct {
		Before   int `json:"patterns_before_cutoff"`
		Features []struct {
			Name     string
			Template int
			Count    int
		}
		Rows [][]int32
		Test []bool
		Unit []float64 `json:"hash_unit"`
	}
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Options, &options)
	c.Decode(t, c.Expect, &want)
	features := Features{Templates: in.Templates, Cutoff: 5}
	if options.Cutoff != nil {
		features.Cutoff = *options.Cutoff
	}
	err := features.Validate()
	var set *data.Dataset
	if err == nil {
		set, err = features.Dataset(context.Background(), fill(in.Instances))
	}
	if refusal := c.WantError(t); refusal != "" || err != nil {
		if (refusal != "") != (err != nil) {
			t.Fatalf("got error %v, want %q", err, refusal)
		}
		return
	}
	for i, u := range want.Unit {
		got := data.Uniform(set.Groups.Key[set.Groups.Of[i]], options.Split.Seed)
		oracle.Near(t, fmt.Sprintf("unit of row %d", i), got, u, 0)
		if i < len(want.Test) && (got < options.Split.Fraction) != want.Test[i] {
			t.Errorf("row %d: test is %v, want %v", i, !want.Test[i], want.Test[i])
		}
	}
	train := rows(in.Train)
	seen, err := prepare.Recipe{Cutoff: 1}.Fit(set, train)
	if err != nil {
		t.Fatal(err)
	}
	if seen.Columns() != want.Before {
		t.Errorf("patterns before the cutoff: got %d, want %d", seen.Columns(), want.Before)
	}
	prepared, err := prepare.Recipe{Cutoff: features.Cutoff}.Fit(set, train)
	if err != nil {
		t.Fatal(err)
	}
	view, counted := prepared.View(nil), prepared.View(train)
	if view.Columns() != len(want.Features) {
		t.Fatalf("got %d features, want %d", view.Columns(), len(want.Features))
	}
	for j, f := range want.Features {
		if got := view.Features().Name(j); got != f.Name {
			t.Errorf("feature %d: got %s, want %s", j, got, f.Name)
		}
		if got := counted.Matrix().Col(j).Len(); got != f.Count {
			t.Errorf("count of %s: got %d, want %d", f.Name, got, f.Count)
		}
	}
	for i, row := range want.Rows {
		if got := view.Row(i).Idx; !reflect.DeepEqual(append([]int32{}, got...), append([]int32{}, row...)) {
			t.Errorf("row %d: got %v, want %v", i, got, row)
		}
	}
}

func checkInformation(t *testing.T, c oracle.Case) {
	var in struct {
		Instances [][10]*string
		Train     json.RawMessage
	}
	options := DefaultOptions
	var given struct {
		Kappa     *float64
		TrainOnly bool `json:"train_only"`
	}
	var want struct{ MI []float64 }
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Options, &given)
	c.Decode(t, c.Expect, &want)
	options.TrainOnly = given.TrainOnly
	if given.Kappa != nil {
		options.Kappa = *given.Kappa
	}
	err := options.Validate()
	var prepared *data.Prepared
	if err == nil {
		var set *data.Dataset
		if set, err = options.Dataset(context.Background(), fill(in.Instances)); err == nil {
			prepared, err = options.Recipe().Fit(set, rows(in.Train))
		}
	}
	if refusal := c.WantError(t); refusal != "" || err != nil {
		if (refusal != "") != (err != nil) {
			t.Fatalf("got error %v, want %q", err, refusal)
		}
		return
	}
	_, got := prepared.View(nil).Target(0)
	if given.TrainOnly { // other rows have their values in all rows, where the oracle counts training rows for them, too
		got, want.MI = pick(got, rows(in.Train)), pick(want.MI, rows(in.Train))
	}
	oracle.NearAll(t, "mi", got, want.MI, c.Tol(t))
}

func pick(values []float64, rows []int32) []float64 {
	var out []float64
	for _, i := range rows {
		out = append(out, values[i])
	}
	return out
}
