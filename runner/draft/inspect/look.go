// Package inspect looks at data whose format nobody has named: it detects the format by name and content, finds out how a table is
// written and what its columns are, which may be targets, ids, groups, times or texts, and how a table of samples belongs to a matrix.
// It keeps what speaks for each guess, and decides nothing. Look is the place to begin; Found has the outcome.
package inspect

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tenfold/engines/suggest"
	"tenfold/io/files"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/workbook"
)

// Formats that Look can detect, by their names in experiment files.
const (
	CSV       = "csv"
	TSV       = "tsv"
	Parquet   = "parquet"
	XLSX      = "xlsx"
	JSONL     = "jsonl"
	SVMlight  = "svmlight"
	VW        = "vw"
	ARFF      = "arff"
	NPZ       = "npz"
	MAT       = "mat"
	MTX       = "mtx"
	NIPS      = "nips"
	GCT       = "gct"
	CoNLLU    = "conllu"
	Documents = "documents"
)

// Formats lists the formats in the order in which they are shown.
func Formats() []string {
	return []string{CSV, TSV, Parquet, XLSX, JSONL, SVMlight, VW, ARFF, NPZ, MAT, MTX, NIPS, GCT, CoNLLU, Documents}
}

// Found holds what Look found out about some data.
type Found struct {
	Path            string
	Format          string
	rawtext.Dialect          // of a text table; of a sheet, the rows to skip
	Sheet, Range    string   // of a workbook, where they are not the only ones
	Asked           Asked    // what the user said of the table
	Evidence        []string // what speaks for each guess about the table
	Trailing        int      // rows that end in a delimiter that the first does not have
	Repeated        bool     // several columns share a name: the second is called name#2
	Headless        bool     // no row of the table names its columns: they are called 1, 2, ...
	Named           bool     // these columns have names that init made
	Columns         []Column // of a table, or attributes
	places          map[string]int
	Queries         *Column     // qid of the lines of an svmlight file; nil if they have none
	Labels          *Column     // of a format whose lines begin with a label
	Rows            int         // rows read
	Classes         []string    // folders of documents
	Parted          bool        // below folders of training and test documents
	Layout          string      // of their paths
	Parts           [][2]string // names of folders, and which part they are
	Elsewhere       int         // files that the layout does not fit

	Beside    string         // file beside the data: of an ARFF file, the Mulan list of the attributes that are labels; of a .data file, its .labels
	Listed    []string       // the attributes in that list
	Param     string         // the .param file beside a .data file
	Arrays    []source.Array // arrays of an .npz file by np.savez, or variables of a MAT-file
	Several   bool           // an array has several targets
	columns   int            // number of columns that the format itself counts, in the part read
	Gaps      bool           // the matrix has missing values
	longest   int            // most lines of a cell of a text table
	longestIn int            // its column

	Sample           *Joined  // the table of samples, whose columns are among those of the data
	SamplesInColumns bool     // samples are the columns of the file
	samples          []string // of expression
	kept             []bool   // rows of a table that count; nil for all

	opened    []*files.Set
	endpoints []Endpoint // nil until they are asked for
}

// Asked is what a user says of a table; the rest is guessed.
type Asked struct {
	Encoding, Decimal, Thousands, Units string
	Header                              string // yes or no
	Sheet, Range                        string // of a workbook
	Names                               []string
}

// because adds what speaks for a guess.
func (f *Found) because(format string, args ...any) {
	f.Evidence = append(f.Evidence, fmt.Sprintf(format, args...))
}

// Wide reports whether data without named columns have more of them than half the rows, as far as was read.
func (f *Found) Wide() bool {
	return f.Format == CoNLLU || f.Format == Documents || 2*f.columns > f.Rows // columns of words
}

// maxBytes limits how much of a file is read to tell its format, and the size of a list of labels.
const maxBytes = 16 << 20

// Look reads a file, of gene expression the beginning, or lists a folder or an archive of documents. It detects the format if format is "".
// What it returns is to be closed.
func Look(ctx context.Context, path, format string, asked Asked) (*Found, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f := &Found{Path: path, Format: format, Asked: asked}
	if info.IsDir() {
		if format != "" && format != Documents {
			return nil, fmt.Errorf("%s is a folder; of format %s a file was expected", path, format)
		}
		f.Format = Documents
		return f, f.lookAtRest(ctx)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: a device, a pipe or a socket; a regular file was expected", path)
	}
	begin, err := readBeginning(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.Format == "" {
		f.Format = detectFormat(path, begin)
	}
	switch f.Format {
	case CSV, TSV, Parquet, XLSX, JSONL:
		return f, cmp.Or(f.lookAtTable(ctx), f.checkUTF8())
	case ARFF: // its errors have the place
		return f, cmp.Or(f.lookAtAttributes(), f.checkUTF8())
	}
	if lookers[f.Format] != nil {
		return f, cmp.Or(f.lookAtRest(ctx), f.checkUTF8())
	}
	return nil, fmt.Errorf("%s: %w", path, f.refuse(begin))
}

// lookAtTable reads a whole table, with its reader.
func (f *Found) lookAtTable(ctx context.Context) error {
	in, err := f.open(map[string]string{"all": f.Path})
	if err != nil {
		return err
	}
	switch f.Format {
	case Parquet:
		return f.lookAtParquet(ctx, in)
	case XLSX:
		return f.lookAtSheet(ctx, in)
	case JSONL:
		return f.lookAtRecords(ctx, in)
	}
	content, _, err := in.Bytes("all")
	if err != nil {
		return err
	}
	return f.lookAtText(ctx, content)
}

// checkUTF8 returns an error if a name cannot stand in an experiment file.
func (f *Found) checkUTF8() error {
	if !utf8.ValidString(f.Path) {
		return fmt.Errorf("the path %q is no UTF-8", f.Path)
	}
	for k, c := range f.Columns {
		if !utf8.ValidString(c.Name) {
			return fmt.Errorf("%s: the name of column %d, %q, is no UTF-8", f.Path, k+1, c.Name)
		}
	}
	return nil
}

// refuse says why a file cannot be looked at.
func (f *Found) refuse(begin []byte) error {
	if f.Format == "" {
		if err := cmp.Or(files.WayOut(f.Path, begin), wayOfCompanion(f.Path)); err != nil {
			return err
		}
		return fmt.Errorf("its format is not clear; name it with --format (can be looked at: %s; all of them: tenfold describe format)", strings.Join(Formats(), ", "))
	}
	if near := suggest.DidYouMean(f.Format, Formats()); near != "" {
		return fmt.Errorf("unknown format %q%s", f.Format, near)
	}
	return fmt.Errorf("files of format %s cannot be looked at (can be: %s); begin with an example from tenfold describe format %s", f.Format, strings.Join(Formats(), ", "), f.Format)
}

// companions are files that belong to others, by their endings: what they are, and how they are used.
var companions = map[string]string{
	".cls":   "the classes of the samples of a GCT file: tenfold init FILE.gct --labels",
	".xml":   "perhaps Mulan's list of the labels of an ARFF file: tenfold init FILE.arff --labels",
	".gmt":   "sets of genes: features: {classes: {gmt: FILE}} in an experiment on expression",
	".chip":  "the genes of probes: files: {chip: FILE} and collapse: max in an experiment on a GCT file",
	".param": "the types of a .data file: tenfold init FILE.data",
}

// wayOfCompanion says of a file without rows of its own what it is for; nil if it may be data.
func wayOfCompanion(path string) error {
	if what := companions[strings.ToLower(filepath.Ext(strings.TrimSuffix(path, ".gz")))]; what != "" {
		return errors.New(what)
	}
	return nil
}

var dataName = regexp.MustCompile(`(?i)\.(csv|tsv|tab|parquet|xlsx|xlsm|jsonl|ndjson|svm|svmlight|libsvm|vw|arff|npz|npy|mat|mtx|data|gct|conllu)(\.gz)?$`)

// IsData reports whether path is an existing file with the extension of a format that Look knows.
func IsData(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && dataName.MatchString(path)
}

// readBeginning reads and decompresses the beginning of a file, in whole lines.
func readBeginning(path string) ([]byte, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	packed := bufio.NewReader(in)
	var r io.Reader = packed
	if magic, _ := packed.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		if r, err = gzip.NewReader(packed); err != nil {
			return nil, err
		}
	}
	begin, err := io.ReadAll(io.LimitReader(r, maxBytes))
	switch {
	case err != nil:
		return nil, err
	case len(begin) == 0:
		return nil, errors.New("it is empty")
	case len(begin) == maxBytes:
		begin = begin[:bytes.LastIndexByte(begin, '\n')+1]
	}
	return begin, nil
}

var (
	svmlightLine = regexp.MustCompile(`^[-+]?[0-9.]+([eE][-+]?[0-9]+)?(\s+qid:[0-9]+)?(\s+[0-9]+:[-+0-9.eE]+)*\s*(#.*)?$`)
	vwLine       = regexp.MustCompile(`^([^|,\t]*[ \t])?('[^|,\s]*)?\|[^|]`)
	gctVersion   = regexp.MustCompile(`^#1\.[23][ \t]*\r?\n`)
	conlluLine   = regexp.MustCompile(`^[0-9]+([-.][0-9]+)?\t([^\t]*\t){8}[^\t]*$`)
)

// endings are the formats that the ending of a name speaks for.
var endings = map[string]string{
	".csv": CSV, ".tsv": TSV, ".tab": TSV, ".parquet": Parquet, ".xlsx": XLSX, ".xlsm": XLSX, ".jsonl": JSONL, ".ndjson": JSONL, ".json": JSONL, ".svm": SVMlight, ".svmlight": SVMlight, ".libsvm": SVMlight, ".vw": VW, ".arff": ARFF,
	".npz": NPZ, ".npy": NPZ, ".mat": MAT, ".mtx": MTX, ".gct": GCT, ".conllu": CoNLLU,
}

// detectFormat detects a format by the beginning of a file, or else by its name; "" if neither suffices.
func detectFormat(path string, begin []byte) string {
	name := strings.ToLower(strings.TrimSuffix(filepath.Base(path), ".gz"))
	ending := endings[filepath.Ext(name)]
	begin = bytes.TrimPrefix(begin, []byte("\ufeff"))
	lines := firstLines(begin)
	all := func(re *regexp.Regexp) bool {
		return len(lines) > 0 && !slices.ContainsFunc(lines, func(l string) bool { return !re.MatchString(l) })
	}
	zipped := bytes.HasPrefix(begin, []byte("PK\x03\x04"))
	if ending == XLSX && !zipped || ending == JSONL && !startsRecord(begin) { // the name of another format
		ending = ""
	}
	switch {
	case bytes.HasPrefix(begin, []byte("PAR1")):
		return Parquet
	case isArchive(begin):
		return Documents
	case files.Foreign(path, begin) != nil, wayOfCompanion(name) != nil:
		return ""
	case zipped && (ending == XLSX || workbook.Is(begin)):
		return XLSX
	case zipped && ending == NPZ, bytes.HasPrefix(begin, []byte("\x93NUMPY")):
		return NPZ
	case bytes.HasPrefix(begin, []byte("MATLAB ")), ending == MAT:
		return MAT
	case bytes.HasPrefix(begin, []byte("%%MatrixMarket")):
		return MTX
	case filepath.Ext(name) == ".data" && beside(path, ".labels") != "":
		return NIPS
	case gctVersion.Match(begin):
		return GCT
	case rawtext.LikelyEncoding(begin[:min(len(begin), 1<<16)]) == rawtext.UTF16:
		return cmp.Or(ending, CSV)
	case bytes.IndexByte(begin, 0) >= 0: // not a text
		return ending
	case regexp.MustCompile(`(?im)^@relation\s`).Match(begin):
		return ARFF
	case startsRecord(begin):
		return JSONL
	case all(conlluLine):
		return CoNLLU
	case all(svmlightLine) && strings.Contains(strings.Join(lines, "\n"), ":"):
		return SVMlight
	case all(vwLine):
		return VW
	case ending != "":
		return ending
	}
	most := func(signs string) bool { // of the first lines have one of these signs
		n := 0
		for _, l := range lines {
			if strings.ContainsAny(l, signs) {
				n++
			}
		}
		return 2*n > len(lines)
	}
	switch {
	case most("\t"):
		return TSV
	case most(",;"), rawtext.DividedByBlanks(begin):
		return CSV
	}
	return ""
}

// isArchive reports whether a file begins as an archive of tar does.
func isArchive(begin []byte) bool { return len(begin) > 262 && string(begin[257:262]) == "ustar" }

var record = regexp.MustCompile(`^\s*(\[\s*)?\{\s*["}]`)

// startsRecord reports whether a file begins as records of JSON do.
func startsRecord(begin []byte) bool { return record.Match(begin) }

// firstLines returns the first lines that are neither blank nor comments.
func firstLines(begin []byte) (lines []string) {
	for line := range strings.Lines(string(begin[:min(len(begin), 1<<16)])) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	if len(begin) > 1<<16 && len(lines) > 1 {
		lines = lines[:len(lines)-1] // it may be cut
	}
	return lines[:min(len(lines), 20)]
}
