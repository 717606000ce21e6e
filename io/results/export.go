package results

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"tenfold/io/sanitize"
)

// TableNames returns the Parquet files of a run that Export can write, without extension; results comes first.
func TableNames() []string {
	files := []string{ResultsFile, MetricsFile, SelectionsFile, PathsFile, PredictionsFile, CurvesFile, ClustersFile, SimilarFile}
	for i, name := range files {
		files[i] = strings.TrimSuffix(name, ".parquet")
	}
	return files
}

// Export writes one table of a run as CSV (RFC 4180): names of columns, then the rows in their order. NULL and an empty text are
// both an empty cell. Numbers have enough digits to be read back exactly, times are RFC 3339 in UTC. The file must match its
// checksum.
func Export(out sanitize.CSV, dir, name string) error {
	t, err := openTable(filepath.Join(dir, name+".parquet"))
	if err != nil {
		return err
	}
	return errors.Join(t.protect(func() error { return t.writeCSV(out) }), t.close())
}

func (t *table) writeCSV(out sanitize.CSV) error {
	if err := t.verifyChecksum(); err != nil {
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
	if err := out.Write(record); err != nil {
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
				if err := out.Write(record); err != nil {
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
	return out.Flush()
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
