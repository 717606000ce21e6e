package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/engines/prepare"
	"tenfold/io/planfile"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner/method/declaration"
	"tenfold/runner/metric"
)

// FileName is the name of the frozen plan in a run's folder.
const FileName = planfile.Name

// frozenSchema is the version of the plan file.
const frozenSchema = 1

// Frozen is a plan as it is written into the run's folder before anything runs: what the results are made from, and all
// that rendering them again needs.
type Frozen struct {
	Schema     int             `json:"schema"`
	Path       string          `json:"path"` // of the experiment file, as it was given
	Name       string          `json:"name"`
	Title      string          `json:"title,omitempty"`
	Seed       int64           `json:"seed"`
	Experiment string          `json:"experiment"` // the document after --set, YAML
	Methods    []FrozenMethod  `json:"methods,omitempty"`
	Datasets   []FrozenSet     `json:"datasets"`
	Stages     []FrozenCell    `json:"stages,omitempty"` // that cells build on
	Skipped    []FrozenSkip    `json:"skipped,omitempty"`
	CellCount  int             `json:"cell_count"`
	UnitCount  int             `json:"unit_count"` // of the cells
	Cells      []FrozenCell    `json:"cells"`
	Metrics    []string        `json:"metrics,omitempty"`
	Defined    metric.Set      `json:"defined,omitempty"` // metrics that the experiment file defines
	Budget     *FrozenBudget   `json:"budget,omitempty"`
	Sections   json.RawMessage `json:"sections,omitempty"` // of the file; they belong to reports and the gate
}

// FrozenMethod is a program that the experiment file declares as an engine.
type FrozenMethod struct {
	Name  string               `json:"name"`
	Is    declaration.Identity `json:"is"`
	Lacks string               `json:"lacks,omitempty"` // why it could not run
}

// FrozenBudget holds how many points algorithms may tune over, and how many those that tune use.
type FrozenBudget struct {
	Tuned int           `json:"tuned"`
	Spent []FrozenSpent `json:"spent,omitempty"`
}

// FrozenSpent holds the number of points that an algorithm tunes over, the largest over its grid.
type FrozenSpent struct {
	Algorithm string `json:"algorithm"`
	Points    int    `json:"points"`
}

// FrozenSkip is a cell of the file that is not fitted.
type FrozenSkip struct {
	Dataset   string      `json:"dataset"`
	Algorithm string      `json:"algorithm"`
	Grid      []GridValue `json:"grid,omitempty"`
	Why       string      `json:"why"`
	Where     []string    `json:"where,omitempty"` // globs of the data sets that the algorithm runs on, this one not among them
}

// FrozenSet is a data set of the plan, or a task of a family.
type FrozenSet struct {
	Name         string          `json:"name"`
	Family       string          `json:"family,omitempty"`
	Task         string          `json:"task,omitempty"`
	FamilyDigest string          `json:"whole,omitempty"` // digest of the family's data
	Format       string          `json:"format"`
	Digest       string          `json:"digest"`
	Rows         int             `json:"rows"`
	Columns      int             `json:"columns"`
	Entries      int             `json:"entries"`
	Account      account.Account `json:"account"` // of the files; for a task, of those of its family
	Targets      []string        `json:"targets"`
	Facts        []data.Fact     `json:"facts,omitempty"`
	Folds        []FrozenFold    `json:"folds"`
}

// FrozenFold is one split of a data set's rows; Train and Test are numbers of rows.
type FrozenFold struct {
	Repeat int    `json:"repeat"`
	Fold   int    `json:"fold"`
	Train  int    `json:"train"`
	Test   int    `json:"test"`
	Digest string `json:"digest"`
}

// FrozenCell is a cell of the plan with its units, and the ingredients of keys that all its units share.
type FrozenCell struct {
	Key           string         `json:"key"`
	Dataset       string         `json:"dataset"`
	Algorithm     string         `json:"algorithm"`
	Stage         string         `json:"stage,omitempty"`
	StageIs       string         `json:"stage_revision,omitempty"` // with the stage, as it is part of keys
	Grid          []GridValue    `json:"grid,omitempty"`
	KeySchema     int            `json:"key_schema"`
	DatasetDigest string         `json:"dataset_digest"`
	Recipe        prepare.Recipe `json:"recipe"`
	Engine        string         `json:"engine"`
	Revision      int            `json:"revision"`
	Params        string         `json:"params"`
	Inner         string         `json:"inner,omitempty"`
	Path          string         `json:"path,omitempty"` // sizes at which its fits return models
	Metrics       int            `json:"metrics,omitempty"`
	Units         []FrozenUnit   `json:"units"`
}

// GridValue is one coordinate of a cell.
type GridValue struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Stands reports whether the cell has the same data set, algorithm, stage and grid point as now.
func (c *FrozenCell) Stands(now *Cell) bool {
	grid := now.Units[0].Label.Grid
	return c.Dataset == now.Set.Name && c.Algorithm == now.Algorithm.Name && c.Stage == now.Stage && len(c.Grid) == len(grid) && sharedCoordinates(c.Grid, grid) == len(grid)
}

// FrozenUnit is a unit of work.
type FrozenUnit struct {
	Unit       string   `json:"unit"`
	Repeat     int      `json:"repeat"`
	Fold       int      `json:"fold"`
	FoldDigest string   `json:"fold_digest"`
	Seed       int64    `json:"seed"`
	After      []string `json:"after,omitempty"`
}

// Ingredients returns what the key of a unit of the cell is made of.
func (c *FrozenCell) Ingredients(u FrozenUnit) Ingredients {
	return Ingredients{
		Schema: c.KeySchema, Dataset: c.DatasetDigest, Recipe: c.Recipe, Engine: c.Engine, Revision: c.Revision, Params: c.Params,
		Path: c.Path, Metrics: c.Metrics, Inner: c.Inner, Stage: c.StageIs, Fold: u.FoldDigest, Seed: u.Seed, After: u.After,
	}
}

// Freeze returns the plan in the form that is written. sections are stored as they are, for their owners to read again.
func (p *Plan) Freeze(sections any) (*Frozen, error) {
	f := &Frozen{
		Schema: frozenSchema, Path: p.File.Path, Name: p.File.Name, Title: p.File.Title, Seed: p.File.Seed, Experiment: string(p.File.Text), Metrics: p.reportedMetrics(), Defined: p.File.Defined,
	}
	var err error
	if f.Sections, err = json.Marshal(sections); err != nil {
		return nil, err
	}
	for _, d := range p.File.Methods {
		f.Methods = append(f.Methods, FrozenMethod{d.Name, d.Known, d.Lacks})
	}
	for _, s := range p.Sets {
		f.Datasets = append(f.Datasets, freezeSet(s))
	}
	for _, s := range p.Skipped {
		skip := FrozenSkip{Dataset: s.Dataset, Algorithm: s.Algorithm, Why: s.Why, Where: s.Where}
		for _, g := range s.Grid {
			skip.Grid = append(skip.Grid, GridValue(g))
		}
		f.Skipped = append(f.Skipped, skip)
	}
	f.Budget = p.freezeBudget()
	f.Stages, f.Cells = freezeCells(p.Stages), freezeCells(p.Cells)
	f.CellCount = len(f.Cells)
	for _, c := range f.Cells {
		f.UnitCount += len(c.Units)
	}
	return f, nil
}

func (p *Plan) freezeBudget() *FrozenBudget {
	if p.File.Budget.Tuned == 0 {
		return nil
	}
	b := &FrozenBudget{Tuned: p.File.Budget.Tuned}
	for _, a := range p.File.Algorithms {
		i := slices.IndexFunc(b.Spent, func(s FrozenSpent) bool { return s.Algorithm == a.Name })
		switch {
		case i >= 0:
			b.Spent[i].Points = max(b.Spent[i].Points, a.Tuned.Points)
		case a.Tuned.Points > 0:
			b.Spent = append(b.Spent, FrozenSpent{a.Name, a.Tuned.Points})
		}
	}
	return b
}

func freezeCells(cells []*Cell) (out []FrozenCell) {
	for _, c := range cells {
		in := c.Units[0].Ingredients
		cell := FrozenCell{
			Key: c.Key, Dataset: c.Set.Name, Algorithm: c.Algorithm.Name, Stage: c.Stage, StageIs: in.Stage, KeySchema: in.Schema, DatasetDigest: in.Dataset,
			Recipe: in.Recipe, Engine: in.Engine, Revision: in.Revision, Params: in.Params, Path: in.Path, Metrics: in.Metrics, Inner: in.Inner,
		}
		for _, g := range c.Units[0].Label.Grid {
			cell.Grid = append(cell.Grid, GridValue(g))
		}
		for _, u := range c.Units {
			cell.Units = append(cell.Units, FrozenUnit{
				Unit: u.Label.Unit, Repeat: int(u.Label.Repeat), Fold: int(u.Label.Fold),
				FoldDigest: u.Ingredients.Fold, Seed: u.Ingredients.Seed, After: u.Ingredients.After,
			})
		}
		out = append(out, cell)
	}
	return out
}

// reportedMetrics returns the metrics that reports show: those of the file, or the usual ones for the types of its targets.
func (p *Plan) reportedMetrics() []string {
	if len(p.File.Metrics) > 0 {
		return p.File.Metrics
	}
	var out []string
	for _, s := range p.Sets {
		for _, m := range metric.Usual(s.Targets[0].Type) {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

func freezeSet(s *Set) FrozenSet {
	out := FrozenSet{
		Name: s.Name, Family: s.Family(), Task: s.Task, Format: s.Format, Digest: s.Digest,
		Rows: s.Shape.Rows, Columns: s.Shape.Columns, Entries: s.Shape.Entries, Account: s.Account, Facts: s.Data.Facts,
	}
	if words := s.Divided(); words != "" { // for the report
		out.Facts = append(slices.Clip(out.Facts), data.Fact{Name: "warning", Value: words})
	}
	if words := s.OneSided(); words != "" {
		out.Facts = append(slices.Clip(out.Facts), data.Fact{Name: "warning", Value: words})
	}
	if words := s.rareLevels(); words != "" {
		out.Facts = append(slices.Clip(out.Facts), data.Fact{Name: "rare levels", Value: words})
	}
	out.Facts = append(slices.Clip(out.Facts), s.missingFacts()...)
	if s.Task != "" {
		out.FamilyDigest = s.Data.Digest
	}
	for _, t := range s.Targets {
		out.Targets = append(out.Targets, t.Name)
	}
	for _, split := range s.Splits {
		d := split.Fold
		out.Folds = append(out.Folds, FrozenFold{Repeat: d.Repeat, Fold: d.ID, Train: len(d.Train), Test: len(d.Test), Digest: d.Digest})
	}
	return out
}

// rareLevels names the levels of a class with too few rows for one in every fold; "" if there are none.
func (s *Set) rareLevels() string {
	f := s.Folds.Normalised()
	if f.Kind != "kfold" || s.Task != "" || len(s.Data.Targets) == 0 || s.Data.Targets[0].Type != data.Class {
		return ""
	}
	t := &s.Data.Targets[0]
	rows := make([]int, len(t.Levels))
	for _, v := range t.Values {
		rows[int(v)]++
	}
	var rare []string
	for l, n := range rows {
		if n > 0 && n < f.K {
			rare = append(rare, fmt.Sprintf("%s (%d)", t.Levels[l], n))
		}
	}
	if len(rare) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: fewer rows than the %d folds, so that some test parts have none of them", source.Abridge(rare), f.K)
}

// Provenance returns what result files record of the plan.
func (f *Frozen) Provenance() results.Provenance {
	p := results.Provenance{Spec: f.Experiment, SpecPath: f.Path}
	for _, s := range f.Datasets {
		p.Data = append(p.Data, results.Set{Name: cmp.Or(s.Family, s.Name), Digest: cmp.Or(s.FamilyDigest, s.Digest)})
	}
	p.Data = slices.Compact(p.Data) // the tasks of a family are one data set
	return p
}

// Labels returns the labels of all units of the cells, in order.
func (f *Frozen) Labels() []results.Label {
	sets := map[string]*FrozenSet{}
	for i := range f.Datasets {
		sets[f.Datasets[i].Name] = &f.Datasets[i]
	}
	var out []results.Label
	for _, c := range f.Cells {
		l := results.Label{
			Experiment: f.Name, Dataset: c.Dataset, Algorithm: c.Algorithm, Engine: c.Engine, Revision: int32(c.Revision), Stage: c.Stage,
			Cell: c.Key, Params: c.Params, DatasetDigest: c.DatasetDigest,
		}
		if s := sets[c.Dataset]; s != nil {
			l.Family, l.Task = s.Family, s.Task
		}
		for _, g := range c.Grid {
			l.Grid = append(l.Grid, results.Param(g))
		}
		for _, u := range c.Units {
			l.Unit, l.Repeat, l.Fold, l.FoldDigest, l.Seed = u.Unit, int32(u.Repeat), int32(u.Fold), u.FoldDigest, u.Seed
			out = append(out, l)
		}
	}
	return out
}

// Write stores the plan in a run's folder atomically.
func (f *Frozen) Write(dir string) error {
	b, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return planfile.Write(dir, append(b, '\n'))
}

// ReadFrozen reads the plan of an earlier run. It returns nil, without an error, if there is none.
func ReadFrozen(dir string) (*Frozen, error) {
	b, err := planfile.Read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseFile(dir, b)
}

// parseFile parses the content of the plan file in dir.
func parseFile(dir string, content []byte) (*Frozen, error) {
	f, err := ParseFrozen(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, FileName), err)
	}
	return f, nil
}

// ParseFrozen reads a plan as Write wrote it, without the checksum.
func ParseFrozen(content []byte) (*Frozen, error) {
	f := new(Frozen)
	err := json.Unmarshal(content, f)
	switch {
	case f.Schema != 0 && f.Schema != frozenSchema:
		err = fmt.Errorf("it is a plan of format %d, this tenfold reads %d", f.Schema, frozenSchema)
	case err != nil:
		err = fmt.Errorf("damaged: %w", err)
	case f.Schema == 0:
		err = errors.New("it has no schema: not a plan of tenfold")
	default:
		return f, nil
	}
	return nil, fmt.Errorf("%w; tenfold run writes it anew, and fits nothing again", err)
}

// About lists the data set's shape, its folds and what its reader measured, for people.
func (s FrozenSet) About() []data.Fact {
	account := data.AccountFacts(s.Account)
	facts := slices.Clip(account)
	if s.Task != "" || s.Account.Rows.Found == 0 { // a plan without an account
		facts = []data.Fact{{Name: "rows", Value: fmt.Sprint(s.Rows)}}
	}
	facts = append(facts, data.Fact{Name: "columns before preparation", Value: fmt.Sprint(s.Columns)}, data.Fact{Name: "entries", Value: fmt.Sprint(s.Entries)})
	if len(s.Folds) > 0 {
		f := s.Folds[0]
		text := fmt.Sprintf("%d; the first has %d training and %d test rows", len(s.Folds), f.Train, f.Test)
		if len(s.Folds) == 1 {
			text = fmt.Sprintf("1, %d training and %d test rows", f.Train, f.Test)
		}
		if left := s.Rows - f.Train - f.Test; left > 0 { // by a gap, a window, groups, train_fraction
			text += fmt.Sprintf(", %d in neither", left)
		}
		facts = append(facts, data.Fact{Name: "folds", Value: text})
	}
	if s.Task == "" {
		return append(facts, s.Facts...)
	}
	for _, f := range slices.Concat(account, s.Facts) { // its reader knew of no tasks
		facts = append(facts, data.Fact{Name: f.Name + ", of the whole data set", Value: f.Value})
	}
	return facts
}
