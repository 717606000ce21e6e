package cli_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tenfold/io/strictyaml/messagetest"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"
	"golang.org/x/tools/txtar"
)

// TestErrors holds what the tool says of mistakes that users make: testdata/errors has an archive an area, and a case a mistake. What stands before the first case of an archive is files that every case of it begins with; a case is
//
//	-- case: a cell that is no number --
//	data.csv: 1.5 => one          changes the first such text of a file (\n and \t as in Go)
//	$ tenfold validate spec.yaml
//	exit 2
//	spec.yaml:5:5: "one" …        the standard error: lines in full, or their facts (messagetest)
//
// Lines before the first $, and those of a $ without tenfold, make files: see prepare. A command without an exit line has to
// succeed, whatever it says.
// go test ./runner/cli -run TestErrors -update writes the facts of what the tool says now, and the whole text where the whole text
// stood; read the difference as a user would. Texts in full are those of the mistakes that people make most.
//
// All that is said must show a share of the error texts in the code: see checkErrorsShown.
func TestErrors(t *testing.T) {
	archives, err := filepath.Glob("runner/cli/testdata/errors/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	t.Setenv("TENFOLD_DATA", "")
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("PATH", t.TempDir()) // no cluster, no git
	said, cases, played := strings.Builder{}, 0, 0
	for _, path := range archives {
		all, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all.Files {
			if strings.HasPrefix(f.Name, "case: ") {
				cases++ // of a filter on the command line, too
			}
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			var shared []txtar.File
			for i, f := range all.Files {
				if name, ok := strings.CutPrefix(f.Name, "case: "); ok {
					t.Run(name, func(t *testing.T) {
						played++
						all.Files[i].Data = mistake(t, shared, string(f.Data), &said)
					})
				} else {
					shared = append(shared, f)
				}
			}
			if *updateDocs {
				if err := os.WriteFile(path, txtar.Format(all), 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if played == cases {
		checkErrorsShown(t, said.String())
	}
}

// suggestion is what was given, and what a message proposes in its place.
var suggestion = regexp.MustCompile(`"([^"\n]*)"[^"\n]*; did you mean "([^"\n]*)"`)

// mistake plays a case in a folder of its own and returns it with what the tool said, of which the whole goes to all.
func mistake(t *testing.T, shared []txtar.File, script string, all io.Writer) (played []byte) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "home"))
	for _, f := range shared {
		put(t, f.Name, string(f.Data))
	}
	steps := strings.Split("\n"+strings.TrimRight(script, "\n"), "\n$ ")
	for line := range strings.Lines(steps[0]) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			prepare(t, line)
			played = fmt.Appendln(played, line)
		}
	}
	for _, step := range steps[1:] {
		command, want, expects := strings.Cut(step, "\n")
		played = fmt.Appendf(played, "$ %s\n", command)
		args, ok := strings.CutPrefix(command, "tenfold ")
		if !ok {
			prepare(t, command)
			continue
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		var out, errs bytes.Buffer
		code := run(ctx, &out, &errs, argumentsOf(args))
		stop()
		said := strings.TrimRight(fmt.Sprintf("exit %d\n%s", code, strings.ReplaceAll(errs.String(), dir, "$DIR")), "\n")
		for _, m := range suggestion.FindAllStringSubmatch(said, -1) {
			if m[1] == m[2] {
				t.Errorf("tenfold %s: suggests what was given: %s", args, m[0])
			}
		}
		switch {
		case !expects && code != 0:
			t.Fatalf("tenfold %s: %s", args, said)
		case expects && !messagetest.Match(want, said) && !*updateDocs:
			t.Errorf("tenfold %s\ngot  %s\nwant %s", args, said, want)
		}
		if expects {
			fmt.Fprintln(all, said)
			played = fmt.Appendln(played, messagetest.Renewed(want, said))
		}
	}
	return append(played, '\n')
}

// argumentsOf are the arguments of a command; quotes hold blanks together.
func argumentsOf(line string) (out []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// prepare makes or changes a file of a case:
//
//	NAME: old => new         the first old in it becomes new
//	NAME = text              a file of this text
//	remove NAME              folder NAME
//	cut NAME BYTES           leaves so many bytes of it
//	gzip NAME                makes NAME.gz of it
//	zip NAME MEMBER...       an archive of files
//	npy NAME TYPE SHAPE NUMBER...
//	mat NAME VARIABLE:CLASS:SHAPE:NUMBERS...  a MAT-file of full arrays, CLASS by its number
//	parquet NAME             makes NAME.parquet of a file of comma-separated cells: numbers, or text
//	workbook NAME SHEET...   makes NAME.xlsx of such a file, which may have formulas (=1/0), with so many equal sheets
func prepare(t *testing.T, line string) {
	t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	args := strings.Fields(rest)
	plain := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\xff`, "\xff", `\0`, "\x00", `\\`, `\`, `\x71\x01\x01`, "\x71\x01\x01", `\x80\x04`, "\x80\x04", `\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1`, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1").Replace
	if name, text, ok := strings.Cut(line+" ", " = "); ok && !strings.Contains(name, ": ") {
		text = strings.TrimSuffix(text, " ")
		put(t, name, plain(text))
		return
	}
	if name, ok := strings.CutSuffix(verb, ":"); ok {
		was, is, ok := strings.Cut(rest, " =>")
		content, err := os.ReadFile(name)
		if was = plain(was); err != nil || !ok || !strings.Contains(string(content), was) {
			t.Fatalf("%s: %v, or there is no such text", line, err)
		}
		put(t, name, strings.Replace(string(content), was, plain(strings.TrimPrefix(is, " ")), 1))
		return
	}
	made := map[string]func(*testing.T, []string) error{
		"remove": func(_ *testing.T, a []string) error { return os.RemoveAll(a[0]) },
		"folder": func(_ *testing.T, a []string) error { return os.MkdirAll(a[0], 0o755) },
		"cut": func(_ *testing.T, a []string) error {
			n, err := strconv.ParseInt(a[1], 10, 64)
			if err != nil {
				return err
			}
			return os.Truncate(a[0], n)
		},
		"gzip": gzipped, "zip": zipped, "npy": numpy, "mat": matlab, "parquet": columnar, "workbook": sheets,
	}[verb]
	if made == nil || len(args) == 0 {
		t.Fatalf("%q: expected a change of a file", line)
	}
	if err := made(t, args); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
}

func gzipped(t *testing.T, args []string) error {
	content, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	put(t, args[0]+".gz", b.String())
	return nil
}

func zipped(t *testing.T, args []string) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range args[1:] {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	put(t, args[0], b.String())
	return nil
}

// numpy writes an array of version 1.
func numpy(t *testing.T, args []string) error {
	var b bytes.Buffer
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }", args[1], args[2])
	fmt.Fprintf(&b, "\x93NUMPY\x01\x00")
	if err := binary.Write(&b, binary.LittleEndian, uint16(len(header)+1)); err != nil {
		return err
	}
	b.WriteString(header + "\n")
	for _, text := range args[3:] {
		if size, ok := strings.CutPrefix(args[1], "|S"); ok { // without zeros after it
			if size != strconv.Itoa(len(text)) {
				return fmt.Errorf("%q is not as long as %s says", text, args[1])
			}
			b.WriteString(text)
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		var value any = math.Float64bits(x)
		switch args[1] {
		case "<i8":
			value = int64(x)
		case "<i4":
			value = int32(x)
		}
		if err := binary.Write(&b, binary.LittleEndian, value); err != nil {
			return err
		}
	}
	put(t, args[0], b.String())
	return nil
}

// matlab writes arrays of doubles, by columns; those of a class that is none of numbers have no content.
func matlab(t *testing.T, args []string) error {
	b := append(bytes.Repeat([]byte(" "), 124), 0, 1, 'I', 'M')
	element := func(kind uint32, body []byte) []byte {
		out := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, kind), uint32(len(body)))
		for out = append(out, body...); len(out)%8 > 0; {
			out = append(out, 0)
		}
		return out
	}
	for _, arg := range args[1:] {
		parts := strings.Split(arg, ":")
		class, err := strconv.ParseUint(parts[1], 10, 32)
		if err != nil {
			return err
		}
		var shape, values []byte
		for d := range strings.SplitSeq(parts[2], "x") {
			n, err := strconv.ParseUint(d, 10, 32)
			if err != nil {
				return err
			}
			shape = binary.LittleEndian.AppendUint32(shape, uint32(n))
		}
		for text := range strings.SplitSeq(parts[3], ",") {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return err
			}
			values = binary.LittleEndian.AppendUint64(values, math.Float64bits(x))
		}
		flags := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(class)), 0)
		body := slices.Concat(element(6, flags), element(5, shape), element(1, []byte(parts[0])))
		if class >= 6 && class <= 15 {
			body = append(body, element(9, values)...)
		}
		b = append(b, element(14, body)...)
	}
	put(t, args[0], string(b))
	return nil
}

// sheets writes a workbook: a cell is a number where it reads as one.
func sheets(t *testing.T, args []string) error {
	content, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	f := excelize.NewFile()
	defer f.Close()
	if err := f.SetSheetName("Sheet1", args[1]); err != nil {
		return err
	}
	for _, sheet := range args[1:] {
		if _, err := f.NewSheet(sheet); err != nil {
			return err
		}
		for i, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
			for j, text := range strings.Split(line, ",") {
				at, err := excelize.CoordinatesToCellName(j+1, i+1)
				if err != nil {
					return err
				}
				set := func(sheet, cell string) error { return f.SetCellValue(sheet, cell, text) }
				if x, no := strconv.ParseFloat(text, 64); no == nil {
					set = func(sheet, cell string) error { return f.SetCellValue(sheet, cell, x) }
				} else if formula, ok := strings.CutPrefix(text, "="); ok {
					set = func(sheet, cell string) error { return f.SetCellFormula(sheet, cell, formula) }
				}
				if err := set(sheet, at); text != "" && err != nil {
					return err
				}
			}
		}
	}
	return f.SaveAs(args[0] + ".xlsx")
}

// columnar writes a table: a column is of numbers where every cell is one, and of text otherwise.
func columnar(t *testing.T, args []string) error {
	content, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var cells [][]string
	for line := range strings.Lines(string(content)) {
		cells = append(cells, strings.Split(strings.TrimSpace(line), ","))
	}
	group, numbers := parquet.Group{}, map[string]bool{}
	for k, name := range cells[0] {
		numbers[name] = !slices.ContainsFunc(cells[1:], func(row []string) bool { _, err := strconv.ParseFloat(row[k], 64); return err != nil })
		group[name] = parquet.String()
		if numbers[name] {
			group[name] = parquet.Leaf(parquet.DoubleType)
		}
	}
	var b bytes.Buffer
	schema := parquet.NewSchema("table", group)
	w := parquet.NewGenericWriter[any](&b, schema)
	for _, row := range cells[1:] {
		var values parquet.Row
		for k, leaf := range schema.Columns() {
			at := slices.Index(cells[0], leaf[0])
			v := parquet.ByteArrayValue([]byte(row[at]))
			if numbers[leaf[0]] {
				x, _ := strconv.ParseFloat(row[at], 64)
				v = parquet.DoubleValue(x)
			}
			values = append(values, v.Level(0, 0, k))
		}
		if _, err := w.WriteRows([]parquet.Row{values}); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	put(t, args[0]+".parquet", b.String())
	return nil
}
