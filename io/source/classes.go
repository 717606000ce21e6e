package source

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
)

// Classes holds the options that divide columns into classes, for engines that code a feature by its class and its place in it.
// Classes come from one source: the columns' names, gene sets, a table of columns, or k-means.
type Classes struct {
	Names     string `yaml:"names" doc:"from the names: the text before this separator, or what the group of a regular expression with one (…) matches"`
	GMT       string `yaml:"gmt" key:"-" doc:"from a file of gene sets: name, description, genes, tab-separated"`
	File      string `yaml:"file" key:"-" doc:"from a table with a header, tab- or comma-separated, whose first column names the features"`
	Column    string `yaml:"column" doc:"column of file that holds the class; by default the second"`
	KMeans    KMeans `yaml:"kmeans" key:"-"`
	Size      []int  `yaml:"size" doc:"[least, most]: classes with so many columns; others are none"`
	Overlap   string `yaml:"overlap" doc:"a column in several classes: error, duplicate (a copy in each, named column@class), first (in the order of the file)"`
	Unclassed string `yaml:"unclassed" doc:"columns in no class: own (the class _none), drop"`
}

// KMeans clusters the columns by their values in the training rows of each fold.
type KMeans struct {
	K    int   `yaml:"k" doc:"classes, at least 2; 0: no clustering"`
	Seed int64 `yaml:"seed" doc:"of the choice of the first centroids"`
}

// Roles of the files that options of classes name.
const (
	gmtRole   = "gmt"
	classRole = "classes"
)

// Validate checks the options without the data.
func (c Classes) Validate() error {
	errs := []error{
		param.OneOf("features.classes.overlap", c.Overlap, "", "error", "duplicate", "first"),
		param.OneOf("features.classes.unclassed", c.Unclassed, "", "own", "drop"),
	}
	given := 0
	for _, is := range []bool{c.Names != "", c.GMT != "", c.File != "", c.KMeans.K != 0} {
		if is {
			given++
		}
	}
	if given > 1 {
		errs = append(errs, param.Errorf("features.classes", "classes come from one of names, gmt, file and kmeans, not from several"))
	}
	if given == 0 && (c.Column != "" || c.Size != nil || c.Overlap != "" || c.Unclassed != "" || c.KMeans.Seed != 0) {
		errs = append(errs, param.Errorf("features.classes", "it does not say where classes come from: names, gmt, file or kmeans"))
	}
	if c.KMeans.K < 0 || c.KMeans.K == 1 {
		errs = append(errs, param.Errorf("features.classes.kmeans.k", "%d, expected at least 2", c.KMeans.K))
	}
	if c.KMeans.K != 0 && (c.Size != nil || c.Overlap != "" || c.Unclassed != "") {
		errs = append(errs, param.Errorf("features.classes", "size, overlap and unclassed have no meaning for kmeans: it puts every column into one class"))
	}
	if c.Column != "" && c.File == "" && given > 0 {
		errs = append(errs, param.Errorf("features.classes.column", "it names a column of file, which is not given"))
	}
	if c.Size != nil && (len(c.Size) != 2 || c.Size[0] < 1 || c.Size[1] < c.Size[0]) {
		errs = append(errs, param.Errorf("features.classes.size", "%v, expected the least and the most number of columns, such as [15, 500]", c.Size))
	}
	if _, err := c.ofName(); err != nil {
		errs = append(errs, param.Errorf("features.classes.names", "%v", err))
	}
	return errors.Join(errs...)
}

// Named returns the files that the options name, by role.
func (c Classes) Named() map[string]Ref {
	named := map[string]Ref{gmtRole: {Path: c.GMT, At: "features.classes.gmt"}, classRole: {Path: c.File, At: "features.classes.file"}}
	maps.DeleteFunc(named, func(_ string, file Ref) bool { return file.Path == "" })
	return named
}

// Declare completes what is known before loading.
func (c Classes) Declare(d Declares) Declares {
	d.Classes = d.Classes || c.Names != "" || c.GMT != "" || c.File != "" || c.KMeans.K != 0
	d.Optional = append(slices.Clone(d.Optional), slices.Sorted(maps.Keys(c.Named()))...)
	return d
}

// Into completes a recipe.
func (c Classes) Into(r *prepare.Recipe) { r.Clusters, r.ClusterSeed = c.KMeans.K, c.KMeans.Seed }

// ofName returns the function that finds the class in a column's name, "" for none.
func (c Classes) ofName() (func(name string) string, error) {
	e, err := regexp.Compile(c.Names)
	switch {
	case err == nil && e.NumSubexp() == 1:
		return func(name string) string {
			if m := e.FindStringSubmatch(name); m != nil {
				return m[1]
			}
			return ""
		}, nil
	case strings.Contains(c.Names, "("):
		return nil, fmt.Errorf("%q, expected a separator, or a regular expression with one group", c.Names)
	}
	return func(name string) string {
		if before, _, found := strings.Cut(name, c.Names); found {
			return before
		}
		return ""
	}, nil
}

// Apply divides the columns of a loaded data set into classes. Gene sets and tables refer to them by name, or by known if it is not
// nil. Classes of k-means are left to the recipe.
func (c Classes) Apply(in Input, d *data.Dataset, known []string) (*data.Dataset, error) {
	if known == nil {
		known = make([]string, d.Features.Len())
		for j := range known {
			known[j] = d.Features.Name(j)
		}
	}
	m := members{classes: make([][]int32, len(known)), implied: NewImplied(in)}
	var err error
	switch given := c.Names + c.GMT + c.File; {
	case given != "" && len(known) == 0:
		return nil, param.Errorf("features.classes", "the data has no columns to divide into classes")
	case c.Names != "":
		err = c.fromNames(&m, d.Features)
	case c.GMT != "":
		err = m.fromGMT(in, known)
	case c.File != "":
		err = m.fromTable(in, c.Column, known)
	default:
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	if err := m.keepSizes(c.Size); err != nil {
		return nil, err
	}
	return c.divideColumns(d, m)
}

func (c Classes) fromNames(m *members, features *data.Features) error {
	classOf, err := c.ofName()
	if err != nil {
		return err
	}
	for j := range m.classes {
		if class := classOf(features.Name(j)); class != "" {
			m.classes[j] = []int32{m.classNumber(class)}
		}
	}
	if len(m.names) == 0 {
		return param.Errorf("features.classes.names", "%q gives no column a class (columns: %s)", c.Names, Abridge(someNames(features)))
	}
	return nil
}

func someNames(features *data.Features) []string {
	some := make([]string, min(3, features.Len()))
	for j := range some {
		some[j] = features.Name(j)
	}
	return some
}

// divideColumns makes the columns that the options for overlaps and columns without a class ask for, each with its class.
func (c Classes) divideColumns(d *data.Dataset, m members) (*data.Dataset, error) {
	var names []string
	var from, class []int32
	unclassed, several := 0, 0
	add := func(j int, name string, k int32) {
		names, from, class = append(names, name), append(from, int32(j)), append(class, k)
	}
	for j, classes := range m.classes {
		name := d.Features.Name(j)
		switch {
		case len(classes) == 0:
			if unclassed++; c.Unclassed != "drop" {
				add(j, name, -1)
			}
			continue
		case len(classes) == 1 || c.Overlap == "first":
			add(j, name, classes[0])
		case c.Overlap == "duplicate":
			for _, k := range classes {
				add(j, name+"@"+m.names[k], k)
			}
		default:
			return nil, m.checkOverlap(d.Features)
		}
		if len(classes) > 1 {
			several++
		}
	}
	if len(from) == 0 {
		return nil, errors.New("no column is in a class, and unclassed: drop leaves none")
	}
	d.Facts = append(d.Facts, data.Fact{Name: "classes of columns", Value: fmt.Sprint(len(m.names))}, data.Fact{Name: "columns in several classes", Value: fmt.Sprint(several)})
	return c.assignClasses(d, m.names, names, from, class, unclassed), nil
}

// assignClasses assigns the columns their classes; columns in none get the class _none.
func (c Classes) assignClasses(d *data.Dataset, classes, names []string, from, class []int32, unclassed int) *data.Dataset {
	where := ", left out"
	if unclassed > 0 && c.Unclassed != "drop" {
		where = ", in the class " + data.None
		none := slices.Index(classes, data.None)
		if none < 0 {
			none = len(classes)
			classes = append(classes, data.None)
		}
		for k := range class {
			if class[k] < 0 {
				class[k] = int32(none)
			}
		}
	}
	if unclassed > 0 {
		d.Facts = append(d.Facts, data.Fact{Name: "columns in no class" + where, Value: fmt.Sprint(unclassed)})
	}
	d.Account = d.Accounts() // before copies of columns count
	features := data.NewFeatures(names).WithClasses(class, classes)
	if unclassed == 0 || c.Unclassed != "drop" {
		if len(from) == d.Features.Len() {
			d.Features = features
			return d
		}
		return d.Spread(from, features)
	}
	taken := make([]bool, d.Features.Len())
	for _, j := range from {
		taken[j] = true
	}
	d.Account = d.Without("in no class", func(j int) bool { return !taken[j] })
	return d.Spread(from, features)
}
