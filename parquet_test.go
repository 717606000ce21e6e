package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"tenfold/io/results"
)

// renewal is a row of the table of experiments/data, with the types that a program would give its columns.
type renewal struct {
	ID       int64   `parquet:"id"`
	Customer int64   `parquet:"customer"`
	Date     int32   `parquet:"date,date"`
	Plan     string  `parquet:"plan,dict"`
	Region   string  `parquet:"region,dict"`
	Channel  string  `parquet:"channel,dict"`
	Payment  *string `parquet:"payment,optional,dict"`
	Agent    string  `parquet:"agent,dict"`
	Months   int32   `parquet:"months"`
	Fee      float64 `parquet:"fee"`
	Calls    int32   `parquet:"calls"`
	Usage    *int64  `parquet:"usage,optional"`
	Lines    int32   `parquet:"lines"`
	Churned  string  `parquet:"churned,dict"`
}

// TestParquetIsTheSame: the table as Parquet, with numbers, dates and missing values in types of their own, gives the results
// of the same table as CSV.
func TestParquetIsTheSame(t *testing.T) {
	t.Parallel()
	x := tool{t, t.TempDir()}
	dir := t.TempDir()
	table := readTable(t, "experiments/data/churn.csv")
	whole := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var rows []renewal
	for _, c := range table[1:] {
		day, err := time.Parse(time.DateOnly, c[dateColumn])
		if err != nil {
			t.Fatal(err)
		}
		fee, err := strconv.ParseFloat(c[feeColumn], 64)
		if err != nil {
			t.Fatal(err)
		}
		r := renewal{ID: whole(c[0]), Customer: whole(c[customerColumn]), Date: int32(day.Unix() / 86400), Plan: c[planColumn], Region: c[regionColumn],
			Channel: c[5], Agent: c[7], Months: int32(whole(c[monthsColumn])), Fee: fee, Calls: int32(whole(c[10])), Lines: int32(whole(c[linesColumn])), Churned: c[churnedColumn]}
		if c[paymentColumn] != "" {
			r.Payment = &c[paymentColumn]
		}
		if c[usageColumn] != "" {
			used := whole(c[usageColumn])
			r.Usage = &used
		}
		rows = append(rows, r)
	}
	if err := parquet.WriteFile(filepath.Join(dir, "churn.parquet"), rows, parquet.MaxRowsPerRowGroup(1000)); err != nil {
		t.Fatal(err)
	}
	spec, err := os.ReadFile("experiments/churn.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("format: csv", "format: parquet", "data/churn.csv", "churn.parquet").Replace(string(spec))
	if err := os.WriteFile(filepath.Join(dir, "churn.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	learned := func(spec, run string) (out []string) {
		x.ok("run", spec, "--out", run)
		tables, err := results.Read(run)
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		for i := range tables.Rows {
			r, err := tables.Whole(&tables.Rows[i])
			if err != nil {
				t.Fatal(err)
			}
			accuracy, _ := r.Metric("accuracy")
			out = append(out, fmt.Sprintf("%s %d %d %d %v", r.Algorithm, r.RowsTrain, r.RowsTest, r.Columns, accuracy))
			for _, s := range r.Outcome.Selected {
				out = append(out, fmt.Sprintf("%s %x", s.Feature, s.Coefficient))
			}
		}
		return out
	}
	csv, columns := learned("experiments/churn.yaml", filepath.Join(dir, "csv")), learned(filepath.Join(dir, "churn.yaml"), filepath.Join(dir, "parquet"))
	if !slices.Equal(csv, columns) || len(csv) < 20 {
		t.Errorf("from CSV\n%s\nfrom Parquet\n%s", strings.Join(csv, "\n"), strings.Join(columns, "\n"))
	}
}
