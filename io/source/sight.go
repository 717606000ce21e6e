package source

import "context"

// Sight is what a reader sees of a file before anybody says what it is for.
type Sight struct {
	Rows, Columns int      // columns that some row has, or as many as the file says
	Labels        *Texts   // of the rows, as they are written; nil if they are elsewhere
	Queries       *Texts   // qid of the rows; nil if they have none
	Samples       []string // names of the rows of a matrix that has its samples in columns
	About         []About  // of the samples
	Arrays        []Array  // whose roles are unknown
	Paths         []string // of the files of a folder or an archive
}

// About is a line of texts about samples, a cell for each.
type About struct {
	Name  string
	Cells []string
}

// Array is one of a file, with numbers or texts, before it is known what it is for. Its values may be parts of the file's content.
type Array struct {
	Member  string // its name; "" for the only one
	Shape   []int  // of a vector, its length
	Texts   bool
	Refused error // why its values cannot be read; it then has no shape
	Each    func(see func(text string)) error
	Gaps    func() bool // whether a number is missing; nil if none can be
}

// Looker is implemented by a Source that can look at the file of the role all, with the reader of a run and without keeping the rows.
type Looker interface {
	Look(ctx context.Context, in Input) (Sight, error)
}
