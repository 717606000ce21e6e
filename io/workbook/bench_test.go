package workbook

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkRead(b *testing.B) {
	var rows strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&rows, `<row r="%d">`, i+1)
		for j := range 10 {
			fmt.Fprintf(&rows, `<c r="%s" s="0"><v>%v</v></c>`, NameOf(j, i+1), float64(i*j)/7)
		}
		rows.WriteString("</row>")
	}
	content := bookOf(b, rows.String())
	b.SetBytes(int64(rows.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(content); err != nil {
			b.Fatal(err)
		}
	}
}
