package source

import "context"

// Sight is what a reader sees of a file before anybody says what it is for.
type Sight struct {
	Rows, Columns int    // columns that some row has, or as many as the file says
	Labels        *Texts // of the rows, as they are written; nil if they are elsewhere
	Queries       *Texts // qid of the rows; nil if they have none
}

// Looker is implemented by a Source that can look at the file of the role all, with the reader of a run and without keeping the rows.
type Looker interface {
	Look(ctx context.Context, in Input) (Sight, error)
}
