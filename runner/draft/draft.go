// Package draft writes a commented experiment file for data that package inspect has looked at, for a person to edit. A Draft holds
// the decisions; YAML writes them, with the folds, algorithms, tables and rules that suit them.
package draft

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/files"
	"tenfold/runner/draft/inspect"
)

// Draft holds the decisions that an experiment file is written from.
type Draft struct {
	inspect.Found
	Name        string
	File        string    // path of the data in the experiment file
	Labels      string    // a second file, if the format has one
	Matrix      string    // the array with the columns, if the file has several
	TargetArray string    // the array with the targets, unless a second file has them
	NameArray   string    // the array with the names of the columns; "" for none
	Groups      string    // the array with the groups of the rows; "" for none
	TestArrays  [2]string // the arrays with columns and targets of test rows, if Matrix and TargetArray are those of training rows
	Target      string    // column; "" if the format has one target, or all listed attributes are targets
	Class       bool      // whether the target is a class
	// Survival holds the two columns of a target of times until an event; nil for other targets.
	Survival *inspect.Endpoint
	ID       string // columns; "" for none
	Group    string
	Time     string
	Keep     []string // columns to use as features in any case
	Text     []string // columns of texts; nil for those that look so
	Folds    int

	Published files.Ref // where the data can be downloaded, under which terms, and their checksum
	Given     Given     // folds that a file lists
	Left      []string  // columns that whoever published the data leaves out
}

// Given is a file that lists folds, and whose these are, as a sentence. Its path is "" where there is none.
type Given struct {
	File files.Ref
	Why  string
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// NameOf derives the name of an experiment from the path of its data.
func NameOf(path string) string {
	base := filepath.Base(path)
	for ext := filepath.Ext(base); ext != "" && ext != base; ext = filepath.Ext(base) {
		base = strings.TrimSuffix(base, ext)
	}
	return cmp.Or(strings.Trim(notInNames.ReplaceAllString(strings.ToLower(base), "-"), "-"), "experiment")
}

// targetLevels returns the levels of the target; nil if unknown.
func (d *Draft) targetLevels() []string {
	if c := d.Column(d.Target); d.Target != "" && c != nil {
		if d.Separator() != "" {
			return []string{"0", "1"} // of each label
		}
		return c.Levels
	}
	switch {
	case d.Found.Labels != nil:
		return d.Found.Labels.Levels
	case d.Classes != nil:
		return d.Classes
	}
	return nil
}

// Several reports whether there are several targets: all listed attributes, or the columns of an array.
func (d *Draft) Several() bool {
	return d.Found.Several || d.Target == "" && d.listed() != nil
}

// listed returns the attributes in the list, which are all targets unless Target names one; none of them is a feature.
func (d *Draft) listed() []string {
	if d.Format == inspect.ARFF && d.Labels != "" {
		return d.Listed
	}
	return nil
}

// isBinary reports whether the target has two classes.
func (d *Draft) isBinary() bool { return d.Class && !d.Several() && len(d.targetLevels()) == 2 }

// Dropped is a column that is left out.
type Dropped struct{ Name, Why string }

// Features returns the columns to predict from, except those of texts, and those that are left out.
func (d *Draft) Features() (numbers, categorical []string, dropped []Dropped) {
	for i := range d.Columns {
		c := &d.Columns[i]
		if d.hasRole(c) || d.isTextFeature(c) || c.Joined && !slices.Contains(d.Keep, c.Name) { // nothing names the latter
			continue
		}
		why := d.dropReason(c)
		switch {
		case why != "":
			dropped = append(dropped, Dropped{c.Name, why})
		case c.IsNumber():
			numbers = append(numbers, c.Name)
		default:
			categorical = append(categorical, c.Name)
		}
	}
	numbers = slices.DeleteFunc(numbers, func(name string) bool { // the name of another column's level
		column, level, is := strings.Cut(name, "=")
		is = is && slices.Contains(categorical, column) && slices.Contains(d.Column(column).Levels, level)
		if is {
			dropped = append(dropped, Dropped{name, "a level of " + column + " has that name"})
		}
		return is
	})
	return numbers, categorical, dropped
}

// dropReason says why a column is no feature, "" if it is one.
func (d *Draft) dropReason(c *inspect.Column) string {
	switch {
	case c.Refused != "":
		return "it " + c.Refused
	case c.Name == "" && c.IsCounter():
		return "it has no name, and counts the rows"
	case c.Name == "":
		return "it has no name"
	case c.IsIndex() && !slices.Contains(d.Keep, c.Name):
		return "the index that pandas writes"
	case c.Known() == 0:
		return "no values"
	case slices.Contains(d.Keep, c.Name):
		return ""
	case slices.Contains(d.Left, c.Name):
		return "left out where the data were published"
	case d.Survival != nil && d.EndpointOf(c.Name) != nil:
		return "of another end point"
	case c.IsCounter():
		return "it counts the rows"
	case c.Text:
		return "declared to be text"
	case c.IsDate():
		return "dates"
	case c.IsID():
		return "another value in every row"
	case c.Rises():
		return "it rises from row to row"
	case c.Unwieldy() && 2*c.Numbers > c.Known():
		return fmt.Sprintf("numbers, but for such as %q", c.Odd)
	case c.Unwieldy():
		return fmt.Sprintf("%d different texts", len(c.Levels))
	}
	return ""
}

// positiveLevel guesses the positive one of two levels: yes rather than no, 1 rather than 0, what the column is named after, else the
// later one.
func (d *Draft) positiveLevel() string {
	levels := slices.Clone(d.targetLevels())
	slices.Sort(levels)
	for _, l := range levels {
		if slices.Contains([]string{"yes", "true", "1", "+1", "positive", "pos", "y", "t", "case", strings.ToLower(d.Target)}, strings.ToLower(l)) {
			return l
		}
	}
	return levels[len(levels)-1]
}

// Usable returns the number of rows with a value of the target; 0 if unknown.
func (d *Draft) Usable() int {
	c := d.Column(d.Target)
	if c == nil || d.Target == "" {
		return d.Rows
	}
	return c.Known()
}

// Divided returns the folds: section, and the reason for it in words.
func (d *Draft) Divided() (text, why string) {
	by := ""
	if d.Group != "" {
		by = ", by: " + yamlScalar(d.Group)
	}
	switch {
	case d.Given.File.Path != "":
		return "{kind: given, file: " + yamlRef(d.Given.File) + "}", d.Given.Why
	case d.Parted:
		return "given", "The folders of training and of test documents are kept apart."
	case d.TestArrays[0] != "":
		return "given", "The arrays of training and of test rows are kept apart."
	case d.Time != "":
		share := min(0.1, 0.5/float64(d.Folds))
		test := fmt.Sprintf("%.2g", share)
		least := 1 // of the rows of a block: it begins with the first row of its time, so that with fewer it might have none
		if c := d.Column(d.Time); c != nil {
			least = max(least, c.Most())
		}
		if share*float64(d.Usable()) < float64(least) && d.Usable() > 0 {
			test = strconv.Itoa(least)
		}
		return fmt.Sprintf("{kind: time, column: %s, k: %d, test: %s%s}", yamlScalar(d.Time), d.Folds, test, by),
			fmt.Sprintf("The last rows in time are tested, in %d blocks; training is on what came before each.", d.Folds)
	case d.Group != "":
		return fmt.Sprintf("{kind: kfold, k: %d%s}", d.Folds, by), fmt.Sprintf("Every row is tested once, and rows of the same %s are never on both sides.", d.Group)
	case d.Survival != nil:
		return fmt.Sprintf("{kind: kfold, k: %d, stratify: true}", d.Folds), "Every row is tested once; events have the same share in every fold."
	case d.repeatsTexts():
		return fmt.Sprintf("{kind: kfold, k: %d, by: text}", d.Folds), "Every row is tested once, and equal texts are never on both sides."
	case d.Class && !d.Several() && d.Separator() == "":
		return fmt.Sprintf("{kind: kfold, k: %d, stratify: true}", d.Folds), "Every row is tested once; the classes have the same shares in every fold."
	}
	return fmt.Sprintf("{kind: kfold, k: %d}", d.Folds), "Every row is tested once."
}
