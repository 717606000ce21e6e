package folds

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"tenfold/engines/data"
)

// Kind is a way to divide rows.
type Kind struct {
	Name, Doc string
	// divide makes the folds of one repeat. s is normalised; seed is for kinds that draw.
	divide func(s Spec, d *data.Dataset, seed uint64) ([]Fold, error)
}

// Alias is another name for a kind.
type Alias struct{ Name, Doc string }

// Aliases stand for kfold with a modifier.
func Aliases() []Alias {
	return []Alias{
		{"stratified", "kfold with stratify: the classes have the same shares in every fold"},
		{"grouped", "kfold with by: rows of a group stay together"},
		{"repeated", "kfold with repeats: the split is drawn again"},
	}
}

// Kinds lists the kinds in the order in which they are shown.
func Kinds() []Kind {
	return []Kind{
		{"kfold", "every row is tested once in each repeat", kfold},
		{"holdout", "a share of the rows (or whole groups, by a hash of the group and the seed) is tested once", holdout},
		{"given", "files for training and test, a column whose values name the folds, or a file that lists them", givenFolds},
		{"time", "blocks at the end of time, each after training on what came before", timeFolds},
	}
}

// kindNames returns the names and aliases of kinds.
func kindNames() []string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
	}
	for _, a := range Aliases() {
		names = append(names, a.Name)
	}
	return names
}

// kindOf returns the kind of a normalised, valid spec.
func (s Spec) kindOf() Kind {
	all := Kinds()
	return all[slices.IndexFunc(all, func(k Kind) bool { return k.Name == s.Kind })]
}

// Tests returns how many test parts a normalised spec makes over all repeats; known is false if only the data can tell.
func (s Spec) Tests() (n int, known bool) {
	switch {
	case s.Kind == "given" && (s.Column != "" || s.File.Path != ""):
		return 0, false
	case s.Kind == "kfold" || s.Kind == "time":
		return s.K * s.Repeats, true
	}
	return s.Repeats, true
}

// holdout tests a share of the rows once. With by, a group is tested if its uniform number, a hash of its text and the
// seed, is below the share: independent of row order and of other groups.
func holdout(s Spec, d *data.Dataset, seed uint64) ([]Fold, error) {
	n := d.Rows()
	test := make([]bool, n)
	tested := roundCount(s.Test*float64(n)/shareBase(s.Test, n), n)
	if s.By == "" && tested < 1 {
		return nil, fmt.Errorf("holdout: test %v of %d rows is less than one row; a number of rows will do, too", s.Test, n)
	}
	switch {
	case s.By != "":
		for i := range test {
			test[i] = data.Uniform(d.Groups.Key[d.Groups.Of[i]], seed) < s.Test
		}
	case s.Stratify:
		for _, i := range evenly(byStratum(&d.Targets[0], permutation(n, seed)), tested, seed) {
			test[i] = true
		}
	default:
		for _, i := range permutation(n, seed)[:tested] {
			test[i] = true
		}
	}
	return []Fold{foldOfTest(test)}, nil
}

// shareBase returns the number that test is divided by to give a share.
func shareBase(test float64, n int) float64 {
	if test >= 1 {
		return float64(n)
	}
	return 1
}

func roundCount(x float64, n int) int { return min(n, int(x+0.5)) }

// byStratum sorts rows by the strata of a target, and keeps the order within a stratum.
func byStratum(t *data.Target, rows []int32) []int32 {
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(t.Stratum(int(a)), t.Stratum(int(b))) })
	return rows
}

// MostFrequent returns the number of rows of the most frequent stratum of a target.
func MostFrequent(t data.Target) int {
	n := make([]int, t.Strata())
	for k := range t.Values {
		n[t.Stratum(k)]++
	}
	return slices.Max(append(n, 0))
}

// evenly returns count rows at equal distances, from a random place on (systematic sampling): a level whose rows are adjacent gets
// its share rounded up or down, and every row is equally likely.
func evenly(rows []int32, count int, seed uint64) []int32 {
	out := make([]int32, count)
	if count > 0 {
		from := rand.New(rand.NewPCG(seed, 0x6576656e)).IntN(len(rows))
		for i := range out {
			out[i] = rows[(i*len(rows)+from)/count]
		}
	}
	return out
}

// kfold tests every row once. Rows are dealt to the folds by turns in a drawn order, if stratified level by level: the first
// row of a level goes to the fold after that of the last row of the level before. So the sizes of folds differ by at most
// one, and so do the numbers of rows that they have of a level. Whole groups go, largest first, to the fold that needs them
// most.
func kfold(s Spec, d *data.Dataset, seed uint64) ([]Fold, error) {
	n := d.Rows()
	number := make([]int32, n)
	if s.By != "" {
		if err := dealGroups(number, s, d, seed); err != nil {
			return nil, err
		}
		return foldsByNumber(number, s.K), nil
	}
	if s.K > n {
		return nil, fmt.Errorf("%d folds of %d rows, expected at most as many as rows", s.K, n)
	}
	deck := permutation(n, seed)
	if s.Stratify {
		if most := MostFrequent(d.Targets[0]); most < s.K {
			return nil, fmt.Errorf("%d stratified folds: no label has a row for each, the most frequent has %d", s.K, most)
		}
		deck = byStratum(&d.Targets[0], deck)
	}
	for position, i := range deck {
		number[i] = int32(position % s.K)
	}
	return foldsByNumber(number, s.K), nil
}

// dealGroups gives each group, largest first and equal sizes in the order of their hash, to the fold whose squared
// deviation from equal shares (of rows, or of every class if stratified) grows least; on ties to the fold with the fewest
// rows, then the lowest.
func dealGroups(number []int32, s Spec, d *data.Dataset, seed uint64) error {
	groups := len(d.Groups.Key)
	if s.K > groups {
		return fmt.Errorf("%d folds of %d groups (%s), expected at most as many as groups", s.K, groups, d.Groups.Name)
	}
	level, levels := func(int) int { return 0 }, 1
	if s.Stratify {
		level, levels = d.Targets[0].Stratum, d.Targets[0].Strata()
	}
	members := make([][]int, groups) // rows of each group by level
	size := make([]int, groups)
	for i, g := range d.Groups.Of {
		if members[g] == nil {
			members[g] = make([]int, levels)
		}
		members[g][level(i)]++
		size[g]++
	}
	deal := make([]int, groups)
	for g := range deal {
		deal[g] = g
	}
	slices.SortStableFunc(deal, func(a, b int) int {
		return cmp.Or(cmp.Compare(size[b], size[a]), slices.Compare(members[b], members[a]),
			cmp.Compare(data.Uniform(d.Groups.Key[a], seed), data.Uniform(d.Groups.Key[b], seed)), cmp.Compare(a, b))
	})
	rows := make([]int, s.K)
	held := make([][]int, s.K)
	for f := range held {
		held[f] = make([]int, levels)
	}
	fold := make([]int32, groups)
	for _, g := range deal {
		best, bestCost := 0, 0
		for f := range held {
			cost := 0 // growth of Σ held², up to the constant Σ members²
			for l, m := range members[g] {
				cost += 2 * held[f][l] * m
			}
			if f == 0 || cost < bestCost || cost == bestCost && rows[f] < rows[best] {
				best, bestCost = f, cost
			}
		}
		fold[g] = int32(best)
		rows[best] += size[g]
		for l, m := range members[g] {
			held[best][l] += m
		}
	}
	for i, g := range d.Groups.Of {
		number[i] = fold[g]
	}
	return nil
}

// givenFolds takes the division from the data: files for training and test, or a column whose values name the folds. A
// column with just the values train and test gives one fold.
func givenFolds(s Spec, d *data.Dataset, _ uint64) ([]Fold, error) {
	if s.Column == "" {
		if d.Part == nil {
			return nil, fmt.Errorf("given: the data set has no training and test files; name a column")
		}
		test := make([]bool, d.Rows())
		for i, p := range d.Part {
			test[i] = p == 1
		}
		return []Fold{foldOfTest(test)}, nil
	}
	if d.Groups == nil || d.Groups.Name != s.Column {
		return nil, fmt.Errorf("given by column %q: declare it as the data set's columns: {group: %s}", s.Column, s.Column)
	}
	k := len(d.Groups.Key)
	if train, test := slices.Index(d.Groups.Key, data.Key("train")), slices.Index(d.Groups.Key, data.Key("test")); k == 2 && train >= 0 && test >= 0 {
		in := make([]bool, d.Rows())
		for i, g := range d.Groups.Of {
			in[i] = int(g) == test
		}
		return []Fold{foldOfTest(in)}, nil
	}
	if k < 2 || k > 1000 {
		return nil, fmt.Errorf("given by column %q: it has %d values, expected 2 to 1000 folds", s.Column, k)
	}
	return foldsByNumber(d.Groups.Of, k), nil
}

// timeFolds tests K consecutive blocks at the end of time, each after training on the rows before it: without the gap,
// within the window, and with by without the rows of groups that the block has, too. Rows of equal time stay together: a
// block begins with the first row of its time, and has at least one time.
func timeFolds(s Spec, d *data.Dataset, _ uint64) ([]Fold, error) {
	if d.Time == nil {
		return nil, fmt.Errorf("time: the data set has no time column; declare columns: {time: NAME}")
	}
	n := d.Rows()
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(d.Time[a], d.Time[b]) })
	block := roundCount(s.Test*float64(n)/shareBase(s.Test, n), n)
	if block < 1 {
		return nil, fmt.Errorf("time: test %v of %d rows is less than one row; a number of rows will do, too", s.Test, n)
	}
	if block*s.K >= n {
		return nil, fmt.Errorf("time: %d blocks of %d test rows leave no training rows of %d", s.K, block, n)
	}
	starts := append(make([]int, s.K), n) // of the blocks, and the end of the last one
	for b := s.K - 1; b >= 0; b-- {
		start := min(n-(s.K-b)*block, starts[b+1]-1)
		for start > 0 && d.Time[rows[start-1]] == d.Time[rows[start]] {
			start--
		}
		if start <= 0 {
			return nil, fmt.Errorf("time: rows of one time stay together, and %d blocks of at least %d of the %d rows leave none before them to train on; expected fewer blocks, or smaller ones", s.K, block, n)
		}
		starts[b] = start
	}
	var out []Fold
	for b := range s.K {
		from, to := starts[b], starts[b+1]
		last, since := s.Gap.startBefore(d, rows, from, d.Time[rows[from]])
		first := 0
		if s.Window != (Span{}) {
			first, _ = s.Window.startBefore(d, rows, last, since)
		}
		f := Fold{Train: slices.Clone(rows[first:last]), Test: slices.Clone(rows[from:to])}
		if s.By != "" {
			f.Train = dropTestGroups(d.Groups, f)
		}
		slices.Sort(f.Train)
		slices.Sort(f.Test)
		out = append(out, f)
	}
	return out, nil
}

// dropTestGroups returns the training rows of a fold whose groups have no test row.
func dropTestGroups(g *data.Groups, f Fold) []int32 {
	tested := make([]bool, len(g.Key))
	for _, i := range f.Test {
		tested[g.Of[i]] = true
	}
	return slices.DeleteFunc(f.Train, func(i int32) bool { return tested[g.Of[i]] })
}
