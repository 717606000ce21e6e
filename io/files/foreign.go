package files

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"tenfold/io/sanitize"
	"tenfold/io/source"
)

// foreign is a kind of file that nothing here reads, and the command that makes one of it that is read.
type foreign struct {
	what    string
	begins  []string // any of these bytes at offset at
	offset  int
	endings []string // of names of files without such bytes
	command string   // FILE and NAME stand for the path and the path without its ending, "FILE" and "NAME" for the same in quotes
}

var foreigners = []foreign{
	{"an R object", []string{"RDX2\n", "RDX3\n", "RDA2\n", "RDA3\n"}, 0, []string{".rdata", ".rda"}, `Rscript -e 'e <- new.env(); load("FILE", e); write.csv(get(ls(e)[1], e), "NAME.csv", row.names = FALSE)'`},
	{"an R object", []string{"X\n\x00\x00\x00", "A\n2\n", "A\n3\n"}, 0, []string{".rds"}, `Rscript -e 'write.csv(readRDS("FILE"), "NAME.csv", row.names = FALSE)'`},
	{"a Feather or Arrow file", []string{"ARROW1", "FEA1"}, 0, []string{".feather", ".arrow"}, `python3 -c 'import pandas; pandas.read_feather("FILE").to_parquet("NAME.parquet")'`},
	{"an AnnData file", nil, 0, []string{".h5ad"}, `python3 -c 'import anndata; a = anndata.read_h5ad("FILE"); a.to_df().join(a.obs).to_csv("NAME.csv", index_label="id")'`},
	{"an HDF5 file", []string{"\x89HDF\r\n\x1a\n"}, 0, []string{".h5", ".hdf5"}, `python3 -c 'import pandas; pandas.read_hdf("FILE").to_csv("NAME.csv", index=False)'`},
	{"a Stata file", []string{"<stata_dta>", "\x71\x01\x01\x00", "\x71\x02\x01\x00", "\x72\x01\x01\x00", "\x72\x02\x01\x00", "\x73\x02\x01\x00"}, 0, []string{".dta"}, `python3 -c 'import pandas; pandas.read_stata("FILE").to_csv("NAME.csv", index=False)'`},
	{"an SPSS file", []string{"$FL2", "$FL3"}, 0, []string{".sav", ".zsav"}, `Rscript -e 'write.csv(foreign::read.spss("FILE", to.data.frame = TRUE), "NAME.csv", row.names = FALSE)'`},
	{"a SAS file", []string{"\xc2\xea\x81\x60\xb3\x14\x11\xcf"}, 12, []string{".sas7bdat"}, `python3 -c 'import pandas; pandas.read_sas("FILE", encoding="latin-1").to_csv("NAME.csv", index=False)'`},
	{"a SAS transport file", []string{"HEADER RECORD*******LIB"}, 0, []string{".xpt"}, `python3 -c 'import pandas; pandas.read_sas("FILE", format="xport", encoding="latin-1").to_csv("NAME.csv", index=False)'`},
	{"an SQLite database", []string{"SQLite format 3\x00"}, 0, []string{".sqlite", ".sqlite3", ".db"}, `sqlite3 -header -csv FILE 'SELECT * FROM TABLE' > NAME.csv`},
	{"an ORC file", []string{"ORC"}, 0, []string{".orc"}, `python3 -c 'import pandas; pandas.read_orc("FILE").to_parquet("NAME.parquet")'`},
	{"a Python pickle", []string{"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"}, 0, []string{".pkl", ".pickle"}, `python3 -c 'import pandas; pandas.read_pickle("FILE").to_csv("NAME.csv", index=False)' (reading a pickle runs what is in it: only one of your own)`},
	{"a workbook of an old Excel, or one with a password", []string{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}, 0, []string{".xls"}, `soffice --headless --convert-to xlsx FILE (or open it and save it as .xlsx, without a password)`},
	{"an OpenDocument spreadsheet", []string{"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"}, 30, []string{".ods"}, `soffice --headless --convert-to xlsx FILE (or open it and save it as .xlsx)`},
	{"a spreadsheet", nil, 0, []string{".xlsb", ".numbers"}, `soffice --headless --convert-to xlsx FILE (or open it and save it as .xlsx)`},
	{"a file packed by xz", []string{"\xfd7zXZ\x00"}, 0, []string{".xz"}, `unxz --keep FILE`},
	{"a file packed by bzip2", []string{"BZh91AY&SY"}, 0, []string{".bz2"}, `bunzip2 --keep FILE`},
	{"a file packed by Zstandard", []string{"\x28\xb5\x2f\xfd"}, 0, []string{".zst"}, `unzstd FILE`},
}

// WayOut returns an error that says how a file that nothing here reads becomes one that is read, nil if nothing is known of it. Its first
// bytes tell more than its name.
func WayOut(path string, begin []byte) error {
	if err := Foreign(path, begin); err != nil {
		return err
	}
	if bytes.HasPrefix(begin, zipMagic) {
		return zipWayOut(path, begin)
	}
	for _, f := range foreigners {
		for _, e := range f.endings {
			if e == endingOf(path) {
				return f.instead(path)
			}
		}
	}
	return nil
}

// Foreign returns what WayOut does, by the first bytes alone, and of no archive. Bytes that a text may begin with count where there are zeros behind them.
func Foreign(path string, begin []byte) error {
	text := bytes.IndexByte(begin[:min(len(begin), 1<<16)], 0) < 0
	for _, f := range foreigners {
		for _, magic := range f.begins {
			letters := !strings.ContainsFunc(magic, func(c rune) bool { return c < ' ' || c > '~' })
			if text && letters || len(begin) <= f.offset || !bytes.HasPrefix(begin[f.offset:], []byte(magic)) {
				continue
			}
			if f.what == "an HDF5 file" && endingOf(path) == ".h5ad" { // which begins as every HDF5 file does
				continue
			}
			return f.instead(path)
		}
	}
	return nil
}

// Instead returns err, which reading files of some roles gave; or, on one line, what WayOut says of the first of them that nothing here reads.
func Instead(in source.Input, err error, roles ...string) error {
	if err == nil {
		return nil
	}
	for _, role := range roles {
		if content, name, unread := in.Bytes(role); unread == nil {
			if foreign := Foreign(name, content); foreign != nil {
				return fmt.Errorf("%s: %s", name, strings.Replace(foreign.Error(), "\n ", "", 1))
			}
		}
	}
	return err
}

// endingOf returns the ending of a name in lower case, without .gz.
func endingOf(path string) string {
	return strings.ToLower(filepath.Ext(strings.TrimSuffix(path, ".gz")))
}

// instead says what makes another file of one.
func (f foreign) instead(path string) error {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), filepath.Ext(strings.TrimSuffix(path, ".gz")))
	path = filepath.ToSlash(path)
	inCode := strings.NewReplacer(`\`, `\\`, `"`, `\"`, `'`, `'\''`)
	command := strings.NewReplacer(`"FILE"`, `"`+inCode.Replace(path)+`"`, `"NAME.`, `"`+inCode.Replace(name)+".", "FILE", shellWord(path), "NAME.csv", shellWord(name+".csv")).Replace(f.command)
	return sanitize.NewLines(f.what+", which nothing here reads; this makes a file of it that is read:", "  "+command)
}

// shellWord returns a text as one word of a shell.
func shellWord(text string) string {
	if !strings.ContainsFunc(text, func(c rune) bool {
		return !strings.ContainsRune("-_./+:@%,", c) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// zipWayOut lists the files of a zip archive.
func zipWayOut(file string, content []byte) error {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil
	}
	var names []string
	for _, member := range z.File {
		if !isHidden(member.Name) && !strings.HasSuffix(member.Name, "/") {
			names = append(names, member.Name)
		}
	}
	return sanitize.NewLines(fmt.Sprintf("a zip archive of %s (%s); an experiment file says which with {path: ..., member: ...}; or unpack it, and look at that:", countFiles(len(names)), source.Abridge(names)),
		"  unzip "+shellWord(filepath.ToSlash(file)))
}

func countFiles(n int) string {
	if n == 1 {
		return "one file"
	}
	return fmt.Sprintf("%d files", n)
}
