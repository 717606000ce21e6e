package sealed

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// ReadRecords reads a file with flat columns, which must match its checksum, as texts: begin gets the names of the columns and returns
// what gets each row, in one buffer for all.
func ReadRecords(path string, begin func(names []string) (func(record []string) error, error), end func() error) error {
	t, err := Open(path)
	if err != nil {
		return err
	}
	return errors.Join(t.Protect(func() error { return t.readRecords(begin, end) }), t.Close())
}

func (t *Table) readRecords(begin func(names []string) (func(record []string) error, error), end func() error) error {
	if err := t.VerifyChecksum(); err != nil {
		return err
	}
	columns := t.Schema().Fields()
	record := make([]string, len(columns))
	for i, c := range columns {
		if !c.Leaf() || c.Repeated() {
			return fmt.Errorf("column %s is not flat", c.Name())
		}
		record[i] = c.Name()
	}
	add, err := begin(record)
	if err != nil {
		return err
	}
	buffer := make([]parquet.Row, 256)
	for _, group := range t.RowGroups() {
		rows := group.Rows()
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				for i, v := range row {
					record[i] = cellText(columns[i], v)
				}
				if err := add(record); err != nil {
					return errors.Join(err, rows.Close())
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return errors.Join(err, rows.Close())
			}
		}
		if err := rows.Close(); err != nil {
			return err
		}
	}
	return end()
}

// cellText formats a value for CSV.
func cellText(c parquet.Field, v parquet.Value) string {
	if v.IsNull() {
		return ""
	}
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.FormatBool(v.Boolean())
	case parquet.Int32:
		return strconv.FormatInt(int64(v.Int32()), 10)
	case parquet.Int64:
		if logical := c.Type().LogicalType(); logical != nil && isTimestamp(logical.Value) {
			return time.UnixMicro(v.Int64()).UTC().Format(time.RFC3339Nano)
		}
		return strconv.FormatInt(v.Int64(), 10)
	case parquet.Float:
		return strconv.FormatFloat(float64(v.Float()), 'g', -1, 32)
	case parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	}
	return string(v.ByteArray())
}

func isTimestamp(value format.LogicalTypeValue) bool {
	_, is := value.(*format.TimestampType)
	return is
}
