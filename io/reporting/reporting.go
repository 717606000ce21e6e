// Package reporting is what the command line asks of reports: the runs that a request names, what it wants of them, and how an
// answer says what kind of failure it is. The command line asks a Reporter, reports/commands answers, and neither imports the other.
package reporting

import (
	"encoding/json"
	"io"
	"net/http"

	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/io/strictyaml"
)

// Reporter renders the files of a finished run and judges them against baselines.
type Reporter interface {
	// Sections returns a pointer to a new struct for the report: and gate: sections of a file.
	Sections() any
	// Render writes report.md, report.html and figures into the run's folder from its Parquet files, and returns the
	// comparison tables as text. The error is Partly where only some tables or figures could not be made.
	Render(dir string, a About) (tables string, err error)
	// Tables writes the tables that o asks for.
	Tables(w io.Writer, dir string, a About, o Override) error
	// Baseline returns an error if the file exists and is no valid baseline. Of planned fits, outdated names the data sets whose
	// results cannot be compared with it, and why.
	Baseline(path string, planned []results.Label) (outdated []string, err error)
	// Check compares a run with its baseline by the rules of its file.
	Check(g Gated) (Verdict, error)
	// Accept records a run as its baseline and sums up what changed.
	Accept(g Gated) (summary string, err error)
	// Verdicts writes the verdicts of Check as text, details (text with what passed), markdown, json (an object for each
	// experiment), junit (with the mistakes in files) or github.
	Verdicts(w io.Writer, format string, found []Verdict, wrong strictyaml.Mistakes) error
	// Annotate writes GitHub workflow commands that show mistakes at their places in files.
	Annotate(w io.Writer, wrong strictyaml.Mistakes) error
	// Diff compares two runs; some reports whether anything could be compared.
	Diff(w io.Writer, c Compared) (some bool, err error)
	// Serve returns a handler of pages on runs.
	Serve(s Served) http.Handler
}

// About describes a run to a report, besides its results.
type About struct {
	Name, Title string
	Spec        string // path of the experiment file
	Metrics     []string
	Sections    json.RawMessage // of the frozen plan
	Data        []SetFacts
	Methods     []MethodFacts
	Cells       int // planned; 0 when unknown
	Skipped     []Skipped
	Budget      Budget
}

// Budget is how many points algorithms might tune over, and how many they did.
type Budget struct {
	Tuned int // at most; 0 where there is no budget
	Spent []Spent
}

// Spent is the points that an algorithm tuned over.
type Spent struct {
	Algorithm string
	Points    int
}

// Skipped is a cell of the experiment file that the file says to leave out.
type Skipped struct {
	Dataset, Algorithm string
	Grid               []results.Param
	Why                string
	Where              []string // globs of the data sets that the algorithm runs on, where the data set is none of them; else nil
}

// MethodFacts describes a program that is an engine of the run.
type MethodFacts struct {
	Name  string
	Facts []data.Fact // command, version, digests of its code
}

// SetFacts describes one data set of a run.
type SetFacts struct {
	Name         string
	Family, Task string // "" where it is no task
	Folds        int    // planned, repeats included; 0 when unknown
	Facts        []data.Fact
}

// RawCSV is the format csv for programs: texts that spreadsheets would take for formulas stay as they are.
const RawCSV = "raw csv"

// Override holds the command line flags that replace parts of the file's report section.
type Override struct {
	Format, Rows, Columns, Metric string
	Filter                        map[string]string
}

// Narrows reports whether any flag asks for tables other than those of the file.
func (o Override) Narrows() bool { return o.Rows+o.Columns+o.Metric != "" || len(o.Filter) > 0 }

// Gated is a finished run and the baseline that it is compared with.
type Gated struct {
	About
	Dir      string
	Planned  []results.Label       // all fits of the plan, in its order, whether they ran or not
	Judged   []results.Label       // one fit of each chosen cell; nil where all cells are judged
	Stages   []*results.Row        // outcomes of the stages that the fits build on
	RanNow   map[string]bool       // keys of the fits that this command ran
	Fresh    bool                  // other fits do not count
	Strict   bool                  // check: a gate that became weaker since the baseline was accepted fails
	Expected string                // accept: reason for which failed fits are expected to fail; "" for none
	Baseline string                // path of the recorded baseline, which need not exist
	Line     func(path string) int // line of a path in the experiment file, such as gate.0
}

// Verdict is the gate's finding on one experiment.
type Verdict interface {
	Finding() Finding
}

// Finding is the worst that a gate found.
type Finding int

// The findings of a gate.
const (
	Pass       Finding = iota
	Regression         // a rule is broken
	Unfinished         // something that a rule or the baseline asks for is not there
)

// Compared names two runs to compare.
type Compared struct {
	DirA, DirB string
	A, B       About
	Metrics    []string // to compare; none means those of A
	Format     string
	All        bool // also show what is equal
}

// Served is the set of runs that pages show, and how the pages are reached.
type Served struct {
	Runs   func() []ServedRun // called anew for each page
	Host   string             // that is listened on
	Public bool               // reachable from other machines
}

// ServedRun is a run's folder; its plan is read on demand.
type ServedRun struct {
	Dir     string
	Brief   func() (Brief, error)
	Planned func() ([]results.Label, error) // all fits of the plan, in its order
}

// Brief is a plan without the list of its fits.
type Brief struct {
	About
	Units int
	Text  string // of the experiment file, after --set
}

// Partly is the error of a Reporter that made everything except some tables or figures.
type Partly struct{ Err error }

func (p Partly) Error() string { return p.Err.Error() }
func (p Partly) Unwrap() error { return p.Err }

// Invalid is the error of a Reporter whose input is at fault, not the tool.
type Invalid struct{ Err error }

func (e Invalid) Error() string { return e.Err.Error() }
func (e Invalid) Unwrap() error { return e.Err }

// Incomplete is the error of a Reporter to which results are missing, or that could not compare them.
type Incomplete struct{ Err error }

func (e Incomplete) Error() string { return e.Err.Error() }
func (e Incomplete) Unwrap() error { return e.Err }
