package tablefile

import (
	"context"
	"strings"

	"tenfold/io/source"
	"tenfold/io/workbook"
)

// SheetView is a sheet of a workbook that is looked at.
type SheetView struct {
	Name   string
	Hidden int    // rows with values that a filter or a person has hidden
	Merged string // the first area of cells that are merged over rows; "" for none
	Values int    // cells with a value

	in   source.Input
	file string
	grid *workbook.Grid
}

// OpenSheet reads a sheet of a workbook; the only one with values for the name "". The error is SeveralSheets where there are others.
func OpenSheet(in source.Input, role, name string) (*SheetView, error) {
	content, file, err := in.Bytes(role)
	if err != nil {
		return nil, err
	}
	name, grid, err := Sheet{Sheet: name}.read(in, file, content)
	if err != nil {
		return nil, err
	}
	values := 0
	for _, row := range grid.Rows {
		values += len(row.Cells)
	}
	return &SheetView{name, grid.Hidden, grid.Merged, values, in, file, grid}, nil
}

// Begin returns the first n rows of the sheet as CSV: a line a row, whether it has values or not.
func (v *SheetView) Begin(n int) []byte {
	width := int32(0)
	for _, row := range v.grid.Rows {
		if row.Number <= n {
			width = max(width, row.Cells[len(row.Cells)-1].Column)
		}
	}
	var text strings.Builder
	line := 1
	for _, row := range v.grid.Rows {
		if row.Number > n {
			break
		}
		for ; line < row.Number; line++ {
			text.WriteString(strings.Repeat(",", int(width)) + "\n")
		}
		column := int32(0)
		for _, c := range row.Cells {
			for ; column < c.Column; column++ {
				text.WriteByte(',')
			}
			text.WriteString(`"` + strings.NewReplacer(`"`, `""`, "\n", " ", "\r", " ").Replace(v.grid.Text(c)) + `"`)
		}
		text.WriteString(strings.Repeat(",", int(width-column)) + "\n")
		line++
	}
	return []byte(text.String())
}

// Above returns the area of the table without notes below it, which begins after so many rows; "" if there are none: rows at the end with one
// text alone, where others have several of three columns or more.
func (v *SheetView) Above(skip int) string {
	t := sheetTable{Sheet: Sheet{Skip: skip}, Grid: v.grid, rows: v.grid.Rows}
	t.cut()
	n := len(t.rows)
	for n > 0 && len(t.rows[n-1].Cells) == 1 && t.rows[n-1].Cells[0].Kind == workbook.Text {
		n--
	}
	if n < 2 || n == len(t.rows) {
		return ""
	}
	if t.rows = t.rows[:n]; len(t.used()) < 3 {
		return ""
	}
	return t.area()
}

// Look hands over the cells of the table that the options name, as Text.Look does. It also returns the number of rows among them without a
// value, which are passed over.
func (v *SheetView) Look(ctx context.Context, s Sheet, bind Columns) (rows, blank int, err error) {
	s.looks = true
	t, err := s.tableIn(v.in, v.file, v.Name, v.grid)
	if err != nil {
		return 0, 0, err
	}
	rows, err = t.scan(ctx, bindTakers(bind))
	return rows, t.blank(), err
}
