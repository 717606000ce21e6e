package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"
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

// TestSameTableIsTheSame: the table as Parquet or a sheet of Excel, with numbers, dates and missing values in types of their own, as records
// of JSON, with line ends of Windows, or packed, gives the results of the same table as CSV, draws and digest included.
func TestSameTableIsTheSame(t *testing.T) {
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
	book := excelize.NewFile()
	defer book.Close()
	row := func(n int, cells []any) {
		if err := book.SetSheetRow("Sheet1", "A"+strconv.Itoa(n), &cells); err != nil {
			t.Fatal(err)
		}
	}
	var records bytes.Buffer
	names := make([]any, len(table[0]))
	for k, name := range table[0] {
		names[k] = name
	}
	row(1, names)
	var rows []renewal
	for n, c := range table[1:] {
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
		var usage any
		if r.Usage != nil {
			usage = *r.Usage
		}
		row(n+2, []any{r.ID, r.Customer, day, r.Plan, r.Region, r.Channel, c[paymentColumn], r.Agent, r.Months, r.Fee, r.Calls, usage, r.Lines, r.Churned})
		record := map[string]any{"id": r.ID, "customer": r.Customer, "date": c[dateColumn], "plan": r.Plan, "region": r.Region, "channel": r.Channel, "payment": r.Payment, "agent": r.Agent,
			"months": r.Months, "fee": r.Fee, "calls": r.Calls, "lines": r.Lines, "churned": r.Churned}
		if r.Usage != nil { // no key where it is missing
			record["usage"] = *r.Usage
		}
		records.WriteString("{")
		for k, name := range table[0] {
			value, ok := record[name]
			if !ok {
				continue
			}
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if k > 0 {
				records.WriteString(", ")
			}
			fmt.Fprintf(&records, "%q: %s", name, text)
		}
		records.WriteString("}\n")
	}
	if err := errors.Join(book.SaveAs(filepath.Join(dir, "churn.xlsx")), os.WriteFile(filepath.Join(dir, "churn.jsonl"), records.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile(filepath.Join(dir, "churn.parquet"), rows, parquet.MaxRowsPerRowGroup(1000)); err != nil {
		t.Fatal(err)
	}
	spec, err := os.ReadFile("experiments/churn.yaml")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile("experiments/data/churn.csv")
	if err != nil {
		t.Fatal(err)
	}
	windows := strings.ReplaceAll(string(content), "\n", "\r\n")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write([]byte(windows))
	if err := errors.Join(err, w.Close(), os.WriteFile(filepath.Join(dir, "unix.csv"), content, 0o644), os.WriteFile(filepath.Join(dir, "windows.csv"), []byte("\ufeff"+windows), 0o644),
		os.WriteFile(filepath.Join(dir, "churn.csv.gz"), packed.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	want := ""
	for name, edit := range map[string]*strings.Replacer{
		"csv":     strings.NewReplacer("data/churn.csv", "unix.csv"),
		"parquet": strings.NewReplacer("format: csv", "format: parquet", "data/churn.csv", "churn.parquet"),
		"xlsx":    strings.NewReplacer("format: csv", "format: xlsx", "data/churn.csv", "churn.xlsx"),
		"jsonl":   strings.NewReplacer("format: csv", "format: jsonl", "data/churn.csv", "churn.jsonl"),
		"windows": strings.NewReplacer("data/churn.csv", "windows.csv"),
		"packed":  strings.NewReplacer("data/churn.csv", "churn.csv.gz"),
	} {
		text := edit.Replace(string(spec))
		if text == string(spec) {
			t.Fatalf("%s: the experiment is as it was", name)
		}
		path := filepath.Join(dir, name+".yaml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, _ := x.ok("run", path, "--out", filepath.Join(dir, name))
		digest := out[strings.LastIndex(out, "digest "):]
		if want == "" {
			want = digest
		}
		if digest != want {
			t.Errorf("%s: %s, another way of the same table %s", name, digest, want)
		}
	}
	if out, _ := x.ok("diff", filepath.Join(dir, "csv"), filepath.Join(dir, "parquet")); strings.Contains(out, "not the same data") {
		t.Errorf("diff: %s", out)
	}
}
