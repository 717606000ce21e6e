package files

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"tenfold/io/host/hosttest"
	"testing"
)

func TestWayOut(t *testing.T) {
	for _, c := range []struct{ path, begin, want string }{
		{"a.rds", "X\n\x00\x00\x00", `Rscript -e 'write.csv(readRDS("a.rds"), "a.csv", row.names = FALSE)'`},
		{"a.rds", "\x1f\x8b", "an R object"}, // by its name
		{"a.bin", "RDX3\nX", `load("a.bin", e)`},
		{"a.txt", "A\n3\n262", "an R object"},
		{"dir/a b.feather", "ARROW1\x00\x00", `pandas.read_feather("dir/a b.feather").to_parquet("a b.parquet")`},
		{"a.h5ad", "\x89HDF\r\n\x1a\n\x00", "an AnnData file"},
		{"a.h5", "\x89HDF\r\n\x1a\n\x00", "an HDF5 file"},
		{"it's.dta", "<stata_dta><header>\x00", `pandas.read_stata("it'\''s.dta").to_csv("it'\''s.csv", index=False)`},
		{"a.dta", "\x72\x02\x01\x00", "a Stata file"},
		{"a.sav", "$FL2@(#) SPSS\x00", "an SPSS file"},
		{"a.sas7bdat", strings.Repeat("\x00", 12) + "\xc2\xea\x81\x60\xb3\x14\x11\xcf", "a SAS file"},
		{"a.xpt", "HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!000000\x00", "a SAS transport file"},
		{"a b.db", "SQLite format 3\x00", `sqlite3 -header -csv 'a b.db' 'SELECT * FROM TABLE' > 'a b.csv'`},
		{"a.orc", "ORC\x00", "an ORC file"},
		{"a.pkl", "\x80\x04\x95", "a Python pickle"},
		{"a.xlsx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "soffice --headless --convert-to xlsx a.xlsx"},
		{"a.ods", "PK\x03\x04" + strings.Repeat("\x00", 26) + "mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet"},
		{"a.xlsb", "?", "a spreadsheet"},
		{"a.csv.xz", "\xfd7zXZ\x00", "unxz --keep a.csv.xz"},
		{"a.csv", "ORC,y\n1,2\n", ""},
		{"a.csv", "$FL2,y\n1,2\n", ""},
		{"a.csv", "", ""},
	} {
		err := WayOut(c.path, []byte(c.begin))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %s", c.path, err, c.want)
		}
	}
}

// TestWaysOutWork: what is said for a file makes a table of it, with the versions of Python and pandas that are here.
func TestWaysOutWork(t *testing.T) {
	t.Parallel()
	python := hosttest.Find(t, "Python with pandas", []string{"-c", "import pandas"}, "python3", "/usr/bin/python3")
	dir := t.TempDir()
	run := func(command string) (string, error) {
		cmd := exec.Command("sh", "-c", strings.Replace(command, "python3", python, 1))
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	makers := `
import pandas, sqlite3
d = pandas.DataFrame({"x": [1.5, 2.5], "y": ["no", "yes"]})
for make in [lambda: d.to_stata("a b.dta", write_index=False), lambda: d.to_pickle("a.pkl"), lambda: d.to_hdf("a.h5", key="k"), lambda: d.to_feather("a.feather"), lambda: d.to_orc("a.orc"), lambda: d.to_sql("TABLE", sqlite3.connect("a.db"), index=False)]:
    try: make()
    except ImportError as e: print(e)
`
	if out, err := run("python3 -c '" + makers + "'"); err != nil {
		t.Fatal(out)
	}
	all, tables := "", []string(nil)
	for _, name := range []string{"a b.dta", "a.pkl", "a.h5", "a.feather", "a.orc", "a.db"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Logf("%s cannot be made here", name)
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		said := WayOut(name, content)
		if said == nil {
			t.Errorf("%s: nothing is known of it", name)
			continue
		}
		_, command, _ := strings.Cut(said.Error(), "\n  ")
		command, _, _ = strings.Cut(command, " (reading")
		if code, ok := strings.CutPrefix(command, "python3 -c '"); ok { // all at once: pandas takes long to start
			all += strings.TrimSuffix(strings.ReplaceAll(code, `'\''`, "'"), "'") + "\n"
			tables = append(tables, strings.TrimSuffix(name, filepath.Ext(name)))
			continue
		}
		if _, err := exec.LookPath("sqlite3"); err != nil {
			continue
		}
		if out, err := run(strings.Replace(command, "FROM TABLE", `FROM "TABLE"`, 1)); err != nil { // a name that nobody would take
			t.Errorf("%s: %s: %s", name, command, out)
			continue
		}
		tables = append(tables, strings.TrimSuffix(name, filepath.Ext(name)))
	}
	if out, err := exec.Command(python, "-c", "import os; os.chdir("+strconv.Quote(dir)+")\n"+all).CombinedOutput(); err != nil {
		t.Fatalf("%s: %s", all, out)
	}
	for _, name := range tables {
		csv, err := os.ReadFile(filepath.Join(dir, name+".csv"))
		if _, parquet := os.Stat(filepath.Join(dir, name+".parquet")); parquet != nil && (err != nil || strings.Join(strings.Fields(string(csv)), " ") != "x,y 1.5,no 2.5,yes") {
			t.Errorf("%s: %v, %q", name, err, csv)
		}
	}
	if len(tables) == 0 {
		t.Error("no file was made")
	}
}
