package draft

import (
	"bytes"
	"path/filepath"
	"strings"

	"tenfold/io/sanitize"
)

// foreign is a kind of file that nothing here reads, and the command that makes one of it that is read.
type foreign struct {
	what    string
	begins  []string // any of these bytes at offset at
	at      int
	endings []string // of names of files without such bytes
	command string   // FILE and NAME stand for the path and the path without its ending
}

var foreigners = []foreign{
	{"an R object", []string{"RDX2", "RDX3", "RDA2", "RDA3"}, 0, []string{".rdata", ".rda"}, `Rscript -e 'e <- new.env(); load("FILE", e); write.csv(get(ls(e)[1], e), "NAME.csv", row.names = FALSE)'`},
	{"an R object", []string{"X\n\x00\x00\x00", "A\n2\n", "A\n3\n"}, 0, []string{".rds"}, `Rscript -e 'write.csv(readRDS("FILE"), "NAME.csv", row.names = FALSE)'`},
	{"a Feather or Arrow file", []string{"ARROW1", "FEA1"}, 0, []string{".feather", ".arrow"}, `python3 -c 'import pandas; pandas.read_feather("FILE").to_parquet("NAME.parquet")'`},
	{"an AnnData file", nil, 0, []string{".h5ad"}, `python3 -c 'import anndata; a = anndata.read_h5ad("FILE"); a.to_df().join(a.obs).to_parquet("NAME.parquet")'`},
	{"an HDF5 file", []string{"\x89HDF\r\n\x1a\n"}, 0, []string{".h5", ".hdf5"}, `python3 -c 'import pandas; pandas.read_hdf("FILE").to_parquet("NAME.parquet")'`},
	{"a Stata file", []string{"<stata_dta>", "\x71\x01\x01\x00", "\x71\x02\x01\x00", "\x72\x01\x01\x00", "\x72\x02\x01\x00", "\x73\x02\x01\x00"}, 0, []string{".dta"}, `python3 -c 'import pandas; pandas.read_stata("FILE").to_parquet("NAME.parquet")'`},
	{"an SPSS file", []string{"$FL2", "$FL3"}, 0, []string{".sav", ".zsav"}, `python3 -c 'import pandas; pandas.read_spss("FILE").to_parquet("NAME.parquet")'`},
	{"a SAS file", []string{"\xc2\xea\x81\x60\xb3\x14\x11\xcf"}, 12, []string{".sas7bdat", ".xpt"}, `python3 -c 'import pandas; pandas.read_sas("FILE").to_parquet("NAME.parquet")'`},
	{"an SQLite database", []string{"SQLite format 3\x00"}, 0, []string{".sqlite", ".sqlite3", ".db"}, `sqlite3 -header -csv FILE 'SELECT * FROM TABLE' > NAME.csv`},
	{"an ORC file", []string{"ORC"}, 0, []string{".orc"}, `python3 -c 'import pandas; pandas.read_orc("FILE").to_parquet("NAME.parquet")'`},
	{"a Python pickle", []string{"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"}, 0, []string{".pkl", ".pickle"}, `python3 -c 'import pandas; pandas.read_pickle("FILE").to_parquet("NAME.parquet")' (reading a pickle runs what is in it: only one of your own)`},
	{"a spreadsheet", []string{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}, 0, []string{".xls", ".xlsx", ".ods", ".numbers"}, `soffice --headless --convert-to csv FILE (or save the sheet as CSV)`},
}

// wayOut returns an error that says how a file that nothing here reads becomes one that is read, nil if nothing is known of it. Its first bytes tell more than
// its name.
func wayOut(path string, begin []byte) error {
	ending := strings.ToLower(filepath.Ext(strings.TrimSuffix(path, ".gz")))
	for _, byBytes := range []bool{true, false} {
		for _, f := range foreigners {
			known := false
			for _, bytesOf := range f.begins {
				known = known || byBytes && len(begin) > f.at && bytes.HasPrefix(begin[f.at:], []byte(bytesOf))
			}
			for _, e := range f.endings {
				// An .h5ad file begins as every HDF5 file does.
				known = known || e == ending && (!byBytes || f.begins == nil)
			}
			if known {
				name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), filepath.Ext(strings.TrimSuffix(path, ".gz")))
				command := strings.NewReplacer("FILE", filepath.ToSlash(path), "NAME", name).Replace(f.command)
				return sanitize.NewLines(f.what+", which nothing here reads; this makes a file of it that is read:", "  "+command)
			}
		}
	}
	return nil
}
