package svmlight

import (
	"bytes"
	"context"
	"fmt"
	"runtime"

	"tenfold/engines/numeric/parallel"
	"tenfold/io/source"
)

// readFile appends the rows of one file: in blocks, where there is disk space for what would not fit in memory.
func (r *reader) readFile(ctx context.Context, file string, content []byte) error {
	if r.room == nil {
		return r.readBlock(ctx, file, 0, content)
	}
	const most = 8 // bytes of memory for one of the text
	for before := 0; len(content) > 0; {
		end := lineEnd(content, int(min(r.room.Limit/most, int64(len(content)))))
		if err := r.readBlock(ctx, file, before, content[:end]); err != nil {
			return err
		}
		if err := r.x.Spill(); err != nil {
			return err
		}
		before += bytes.Count(content[:end], []byte("\n"))
		content = content[end:]
	}
	return ctx.Err()
}

// readBlock appends the rows of some lines; before is the number of lines of the file before them. Large blocks are read in
// pieces at the same time. A piece that does not follow on what is before it, or that has an error, is read again in its
// turn: so all is as if the file were read line by line.
func (r *reader) readBlock(ctx context.Context, file string, before int, content []byte) error {
	return r.readPieces(ctx, file, before, splitLines(content, min(runtime.GOMAXPROCS(0), len(content)/smallest)))
}

func (r *reader) readPieces(ctx context.Context, file string, before int, pieces [][]byte) error {
	if len(pieces) == 1 {
		return r.readLines(ctx, file, before, pieces[0])
	}
	ahead := make([]reader, len(pieces))
	errs := make([]error, len(pieces))
	var wait parallel.Group
	for k, piece := range pieces {
		ahead[k] = reader{base: r.base, labels: source.Labels{Type: r.labels.Type}, columns: r.columns}
		wait.Go(func() { errs[k] = ahead[k].readLines(ctx, file, 0, piece) })
	}
	wait.Wait()
	rows, entries := 0, 0
	for k := range ahead {
		rows, entries = rows+ahead[k].rows, entries+ahead[k].x.NNZ()
	}
	r.x.Grow(rows, entries)
	r.labels.Grow(rows)
	for k, piece := range pieces {
		if errs[k] != nil || !r.appendRows(&ahead[k]) {
			if err := r.readLines(ctx, file, before, piece); err != nil {
				return err
			}
		}
		ahead[k] = reader{}
		before += bytes.Count(piece, []byte("\n"))
	}
	return nil
}

// smallest piece worth a goroutine, in bytes.
const smallest = 1 << 20

// lineEnd returns the end of the line that has the byte at a place, or the last byte.
func lineEnd(content []byte, from int) int {
	from = min(from, len(content)-1)
	if end := bytes.IndexByte(content[from:], '\n'); end >= 0 {
		return from + end + 1
	}
	return len(content)
}

// splitLines cuts the content after line ends into about n pieces, at least one.
func splitLines(content []byte, n int) (pieces [][]byte) {
	for ; n > 1; n-- {
		share := len(content) / n
		end := bytes.IndexByte(content[share:], '\n')
		if end < 0 {
			break
		}
		pieces = append(pieces, content[:share+end+1])
		content = content[share+end+1:]
	}
	return append(pieces, content)
}

// readLines appends the rows of some lines; before is the number of lines of the file before them.
func (r *reader) readLines(ctx context.Context, file string, before int, content []byte) error {
	if !r.looks {
		rows := bytes.Count(content, []byte("\n")) + 1
		r.x.Grow(rows, bytes.Count(content, []byte(":")))
		r.labels.Grow(rows)
	}
	for number := before + 1; len(content) > 0; number++ {
		line := content
		if end := bytes.IndexByte(content, '\n'); end >= 0 {
			line, content = content[:end], content[end+1:]
		} else {
			content = nil
		}
		if number%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.readRow(line); err != nil {
			return fmt.Errorf("%s:%d: %w", file, number, err)
		}
	}
	return ctx.Err()
}

// appendRows appends the rows of another reader, unless one of the two has groups and the other none.
func (r *reader) appendRows(next *reader) bool {
	if next.rows == 0 {
		return true
	}
	if r.rows == 0 {
		r.grouped = next.grouped
	}
	if next.grouped != r.grouped {
		return false
	}
	r.rows += next.rows
	r.x.Append(&next.x)
	r.labels.Append(&next.labels)
	r.qid.Append(&next.qid)
	return true
}
