package tabular

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"tenfold/engines/data"
	"tenfold/engines/data/digest"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
	"tenfold/io/tablefile"
)

// workbookOf writes a workbook with a sheet of the rows: nil is an empty cell, a time a date.
func workbookOf(tb testing.TB, rows ...[]any) string {
	tb.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for k, row := range rows {
		if err := f.SetSheetRow("Sheet1", "A"+strconv.Itoa(k+1), &row); err != nil {
			tb.Fatal(err)
		}
	}
	return bytesOf(tb, f)
}

func bytesOf(tb testing.TB, f *excelize.File) string {
	tb.Helper()
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// visit is a row of the table that all formats have.
type visit struct {
	ID     string    `parquet:"id" json:"id"`
	Group  int64     `parquet:"group" json:"group"`
	Day    int32     `parquet:"day,date" json:"-"`
	Age    *float64  `parquet:"age,optional" json:"age"`
	Weight float64   `parquet:"w" json:"w"`
	Smokes bool      `parquet:"smokes" json:"smokes"`
	Ward   *string   `parquet:"ward,optional" json:"ward,omitempty"` // a missing one has no key
	Dose   float64   `parquet:"dose" json:"dose"`
	Y      string    `parquet:"y" json:"y"`
	Text   string    `parquet:"-" json:"day"` // the day
	When   time.Time `parquet:"-" json:"-"`
}

// TestSameTable: a table has one digest, whatever format it is in: numbers, texts, missing values, truth values, dates, ids, groups.
func TestSameTable(t *testing.T) {
	var rows []visit
	icu, general := "ICU", "general, long"
	for k := range 40 {
		when := time.Date(2023, 12, 20, 0, 0, 0, 0, time.UTC).AddDate(0, 0, k)
		age := 30.25 + float64(k)/3
		v := visit{"p0" + strconv.Itoa(k), int64(k / 3), int32(when.Unix() / 86400), &age, 1 + float64(k%2), k%3 == 0, &icu, 1e-7 * float64(k), "no", when.Format(time.DateOnly), when}
		if k%2 == 0 {
			v.Ward = &general
		}
		if k%7 == 0 {
			v.Age = nil
		}
		if k%11 == 0 {
			v.Ward = nil
		}
		if k%5 < 2 {
			v.Y = "yes"
		}
		rows = append(rows, v)
	}
	names := strings.Fields("id group day age w smokes ward dose y")
	var text strings.Builder
	text.WriteString(strings.Join(names, "\t"))
	head := make([]any, len(names))
	for k, name := range names {
		head[k] = name
	}
	cells := [][]any{head}
	var lines bytes.Buffer
	for _, v := range rows {
		age, ward, row := "", "", []any{v.ID, v.Group, v.When, nil, v.Weight, v.Smokes, nil, v.Dose, v.Y}
		if v.Age != nil {
			age, row[3] = strconv.FormatFloat(*v.Age, 'g', -1, 64), *v.Age
		}
		if v.Ward != nil {
			ward, row[6] = *v.Ward, *v.Ward
		}
		text.WriteString("\n" + strings.Join([]string{v.ID, strconv.FormatInt(v.Group, 10), v.Text, age, strconv.FormatFloat(v.Weight, 'g', -1, 64), strconv.FormatBool(v.Smokes), ward, strconv.FormatFloat(v.Dose, 'g', -1, 64), v.Y}, "\t"))
		cells = append(cells, row)
		if err := json.NewEncoder(&lines).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	array, err := json.MarshalIndent(rows, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Features: defaultFeatures, Columns: Columns{ID: "id", Group: "group", Time: "day", Weight: "w", Categorical: []string{"ward"}, Codes: map[string]float64{"true": 1, "false": 0}}}
	o.Target.Column, o.Target.Positive = "y", "yes"
	commas := strings.ReplaceAll(strings.ReplaceAll(text.String(), general, `"`+general+`"`), "\t", ",")
	want := ""
	for _, c := range []struct {
		name, content string
		source.Source
	}{
		{"csv", commas, Text{Options: o, Text: tablefile.Text{Dialect: rawtext.Commas, Header: true}, Samples: inRows}},
		{"tsv", text.String(), Text{Options: o, Text: tablefile.Text{Dialect: rawtext.Tabs, Header: true}, Samples: inRows}},
		{"parquet", write(rows...), Parquet{o}},
		{"xlsx", workbookOf(t, cells...), Sheet{Options: o, Sheet: tablefile.Sheet{Header: true, Digits: tablefile.Points}}},
		{"jsonl", lines.String(), Records{Options: o, Records: tablefile.Records{Digits: tablefile.Points}}},
		{"json", string(array), Records{Options: o, Records: tablefile.Records{Digits: tablefile.Points}}},
	} {
		d, err := sourcetest.Load(c.Source, map[string]string{"all": c.content})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if digest.Identify(d); want == "" {
			want = d.Digest
		}
		if d.Digest != want || d.Rows() != 40 || d.Targets[0].Type != data.Class || d.Time[1]-d.Time[0] != 86400 {
			t.Errorf("%s: digest %s, that of csv %s\n%s", c.name, d.Digest, want, show(d))
		}
	}
}
