package inspect

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tenfold/io/formats/tabular"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Joined is a table of samples beside the data.
type Joined struct {
	rawtext.Dialect // of a text
	Format          string
	Path            string
	By              string   // its column with the ids
	ID              string   // column of the data with the ids; "" where it has the name of By, or the ids are no column
	IDs, Names      string   // files beside a matrix: of the ids, and of the names of its columns
	Annotations     []string // columns of data on their side that are no samples
	Unnamed         bool     // some rows of data on their side have no name
	Shared          bool     // rows of the data share rows of the table, by a column of the name of By
	Alone, Others   int      // rows of the data, and of the table, without a partner
}

// reading is a way to find ids in the data.
type reading struct {
	what   string // in words
	ids    []string
	across bool   // they are the names of columns
	column string // they are its values
	shared bool   // by several rows each
}

// JoinTable finds out how a table of samples belongs to the data, and gives its columns to the data.
func (f *Found) JoinTable(ctx context.Context, table *Found) error {
	readings, err := f.readings()
	if err != nil {
		return err
	}
	if table.Format != CSV && table.Format != TSV && table.Format != Parquet {
		return fmt.Errorf("%s: format %s, expected a table of samples: csv, tsv or parquet", table.Path, table.Format)
	}
	if f.Format == GCT { // what the matrix itself says of samples
		f.Columns = nil
	}
	table.Columns[0].Name = strings.TrimSpace(strings.TrimPrefix(table.Columns[0].Name, "#")) // as its reader has it
	best, by, most, also := reading{}, "", 0, ""
	for _, r := range readings {
		for k := range table.Columns {
			c := &table.Columns[k]
			if len(c.Levels) < c.Known() || c.Known() == 0 || r.shared && c.Name != r.column {
				continue
			}
			n := countShared(r.ids, c.Levels)
			switch {
			case n > most && !(r.shared && most > 0):
				best, by, most, also = r, c.Name, n, ""
			case n == most && n > 0 && r.across != best.across:
				also = r.what
			}
		}
	}
	switch {
	case most == 0:
		var tried []string
		near := ""
		for _, r := range readings {
			if r.shared { // of a column that the table need not have
				continue
			}
			tried = append(tried, r.what+" ("+source.Abridge(r.ids[:min(3, len(r.ids))])+")")
			for k := range table.Columns {
				near = cmp.Or(near, tabular.Nearly(r.ids, table.Columns[k].Levels))
			}
		}
		return fmt.Errorf("%s: no column with another value in each row has ids of %s; looked for were its %s%s", table.Path, f.Path, strings.Join(tried[:min(3, len(tried))], ", "), near)
	case also != "":
		return fmt.Errorf("%s: are its samples the %s, or the %s? Of both, %d are values of %q in %s. Write samples: and join: yourself", f.Path, best.what, also, most, by, table.Path)
	}
	j := &Joined{Path: table.Path, Format: table.Format, Dialect: table.Dialect, By: by, Shared: best.shared}
	where := fmt.Sprintf("%q", by)
	if by == "" {
		where = "the first column"
	}
	what := "they are the samples"
	if best.shared {
		what = "rows with the same value share its row there"
	}
	f.because("%d of %d %s are values of %s in %s: %s", most, len(best.ids), best.what, where, filepath.Base(table.Path), what)
	if best.column != by {
		j.ID = best.column
	}
	ids := best.ids
	if best.across && f.Columns != nil {
		ids = f.readSideways(j, best.ids, table.Column(by).Levels)
	}
	j.Alone, j.Others = len(ids)-countShared(ids, table.Column(by).Levels), len(table.Column(by).Levels)-most
	if j.Alone > 0 {
		f.because("%d of %d samples have no row in %s, such as %s: they are left out", j.Alone, len(ids), filepath.Base(table.Path), firstMissing(ids, table.Column(by).Levels))
	}
	if j.Others > 0 {
		f.because("%d of %d rows of %s have no sample here, such as %s: they are left out", j.Others, table.Rows, filepath.Base(table.Path), firstMissing(table.Column(by).Levels, ids))
		if err := table.keepRows(ctx, by, ids); err != nil {
			return err
		}
	}
	f.take(table, j, best, most)
	return nil
}

// take makes the columns of the table columns of the data.
func (f *Found) take(table *Found, j *Joined, r reading, rows int) {
	if r.across && f.Columns != nil {
		f.columns = f.Rows - f.Columns[0].Missing
		f.Repeated = len(f.Columns[0].Levels) < f.Columns[0].Known()
		for k := range f.Columns[1:] {
			f.Gaps = f.Gaps || f.Columns[k+1].Missing > 0 && !slices.Contains(j.Annotations, f.Columns[k+1].Name)
		}
		f.Columns = nil
	}
	if f.Format == MTX {
		j.IDs, j.Names = besideMatrix(f.Path, "barcodes", "cells", "samples", "ids"), besideMatrix(f.Path, "features", "genes", "names")
		if r.across {
			f.Turn()
		}
	}
	for _, c := range table.Columns {
		if f.Column(c.Name) == nil && c.Name != j.By {
			c.Joined = true
			f.Columns = append(f.Columns, c)
		}
	}
	if r.shared {
		rows = 0
		for _, id := range table.Column(j.By).Levels {
			rows += f.Column(r.column).levels[id]
		}
	}
	f.Rows, f.Sample, f.endpoints = rows, j, nil
	f.SamplesInColumns = r.across && f.Format != GCT
	for _, e := range f.Endpoints() {
		f.because("%s and %s are times and how they ended: a target of survival; beside one of them as the target, the other would give it away", e.Time, e.Event)
	}
	for _, evidence := range table.Evidence {
		f.because("%s: %s", filepath.Base(table.Path), evidence)
	}
}

// readings returns the ways to find ids in the data.
func (f *Found) readings() (all []reading, err error) {
	switch f.Format {
	case CSV, TSV, Parquet:
		if len(f.Columns) > 1 && f.Format != Parquet {
			all = append(all, reading{what: "columns after the first", ids: f.Names()[1:], across: true})
		}
		for k := range f.Columns {
			c := &f.Columns[k]
			named := k == 0 || idName.MatchString(c.Name) || entityIDName.MatchString(c.Name) || groupName.MatchString(c.Name)
			if c.Missing == 0 && len(c.Levels) == c.Rows && (!c.IsNumber() || c.whole && named) {
				all = append(all, reading{what: fmt.Sprintf("values of %q", c.Name), ids: c.Levels, column: c.Name})
			}
		}
		for k := range f.Columns { // after those in which each row has another value
			c := &f.Columns[k]
			if c.Missing == 0 && !c.sampled && c.Repeats() && (!c.IsNumber() || c.whole) {
				all = append(all, reading{what: fmt.Sprintf("values of %q", c.Name), ids: c.Levels, column: c.Name, shared: true})
			}
		}
	case GCT:
		all = append(all, reading{what: "samples of the matrix", ids: f.samples, across: true})
	case MTX:
		path := besideMatrix(f.Path, "barcodes", "cells", "samples", "ids")
		if path == "" {
			return nil, fmt.Errorf("%s: the names of its samples are in no file beside it, such as barcodes.tsv; name it as ids: under files, and write join: yourself", f.Path)
		}
		ids, err := readFirstCells(path)
		if err != nil {
			return nil, err
		}
		if len(ids) != f.columns && len(ids) != f.Rows {
			return nil, fmt.Errorf("%s: %d names, expected one for each of the %d rows or of the %d columns of %s", path, len(ids), f.Rows, f.columns, f.Path)
		}
		all = append(all, reading{what: "names in " + filepath.Base(path), ids: ids, across: len(ids) == f.columns})
	default:
		return nil, fmt.Errorf("--join: of format %s, init does not find the ids of the rows; write join: {file: FILE, by: COLUMN} yourself", f.Format)
	}
	return all, nil
}

// annotationName matches names of columns that say something of genes and the like.
var annotationName = regexp.MustCompile(`(?i)^(ids?|.*[ ._]ids?|entrez.*|.*_id|gene.*|chr(om.*)?|start|stop|end|strand|length|width|score|position|pos|cytoband|description|.*name|q[-_. ]?value|pep|charge|mass)$|\[kda\]`)

// readSideways divides the columns of a table on its side into samples, which it returns, and annotations: texts, what comes before the
// first sample, and what has a name for it.
func (f *Found) readSideways(j *Joined, names, ids []string) (samples []string) {
	known := map[string]bool{}
	for _, id := range ids {
		known[id] = true
	}
	seen := false
	for k := range f.Columns[1:] {
		c := &f.Columns[k+1]
		seen = seen || known[c.Name]
		if !known[c.Name] && (!seen || c.Known() > 0 && !c.IsNumber() || annotationName.MatchString(c.Name)) {
			j.Annotations = append(j.Annotations, c.Name)
		} else {
			samples = append(samples, c.Name)
		}
	}
	if len(j.Annotations) > 0 {
		f.because("columns that are no samples: %s", source.Abridge(j.Annotations))
	}
	j.Unnamed = f.Columns[0].Missing > 0
	return samples
}

// keepRows looks at the table again, without the rows that have no partner.
func (f *Found) keepRows(ctx context.Context, by string, ids []string) error {
	have := map[string]bool{}
	for _, id := range ids {
		have[id] = true
	}
	var kept []bool
	for _, id := range f.Column(by).Levels {
		kept = append(kept, have[id])
	}
	again := Found{Path: f.Path, Format: f.Format, Asked: f.Asked, kept: kept}
	if err := again.lookAtTable(ctx); err != nil {
		return err
	}
	again.Columns[0].Name = f.Columns[0].Name
	*f = again
	return nil
}

// countShared returns how many of the ids are among others.
func countShared(ids, others []string) (n int) {
	have := make(map[string]bool, len(others))
	for _, id := range others {
		have[id] = true
	}
	for _, id := range ids {
		if have[id] {
			n++
		}
	}
	return n
}

func firstMissing(ids, others []string) string {
	for _, id := range ids {
		if !slices.Contains(others, id) {
			return id
		}
	}
	return ""
}

// besideMatrix returns the path of a file beside matrix.mtx: of that name, or with it in place of matrix in a longer one.
func besideMatrix(path string, names ...string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".mtx")
	for _, name := range names {
		for _, stem := range []string{strings.Replace(base, "matrix", name, 1), name} {
			for _, ending := range []string{".tsv", ".tsv.gz", ".txt", ".txt.gz", ".csv"} {
				file := filepath.Join(filepath.Dir(path), stem+ending)
				if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && file != path {
					return file
				}
			}
		}
	}
	return ""
}

// readFirstCells returns what is before the first tab of each line.
func readFirstCells(path string) (cells []string, err error) {
	begin, err := readBeginning(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for line := range strings.Lines(string(begin)) {
		cell, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		cells = append(cells, cell)
	}
	return cells, nil
}

var (
	featureName = regexp.MustCompile(`(?i)^#? ?(genes?|symbols?|gene[_ .-]?(ids?|names?|symbols?)|hugo_symbol|probe(set)?([_ .-]?id)?|id_ref|otu([_ ]?id)?|asv([_ ]?id)?|taxon|feature([_ .-]?id)?|(majority )?proteins?([_ ]ids?)?|ensembl.*|transcript.*|refseq|cpg|markers?|snps?|metabolites?|compounds?)$`)
	sampleName  = regexp.MustCompile(`^(GSM|TCGA|SRR|ERR|DRR)[-_.]?[0-9A-Z]`)
)

// Sideways says what speaks for features in the rows of a table and samples in its columns; "" if nothing does.
func (f *Found) Sideways() string {
	if (f.Format != CSV && f.Format != TSV) || len(f.Columns) < 4 {
		return ""
	}
	first, numbers, others, samples := &f.Columns[0], 0, 0, 0
	for k := range f.Columns[1:] {
		c := &f.Columns[k+1]
		switch {
		case annotationName.MatchString(c.Name):
			continue
		case c.IsNumber():
			numbers++
		}
		others++
		if sampleName.MatchString(c.Name) {
			samples++
		}
	}
	named := featureName.MatchString(first.Name)
	if first.IsNumber() || 10*len(first.Levels) < 9*first.Known() || first.Known() < 3 || others < 3 || 10*numbers < 8*others || !named && 2*samples < others {
		return ""
	}
	return fmt.Sprintf("%q has %d different texts in %d rows, and %d of the other %d columns, such as %s, are numbers", first.Name, len(first.Levels), first.Rows, numbers, others, source.Abridge(f.Names()[1:min(4, len(f.Columns))]))
}
