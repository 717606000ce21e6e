package formats

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/formats/arff"
	"tenfold/io/formats/gct"
	"tenfold/io/formats/mat"
	"tenfold/io/formats/mtx"
	"tenfold/io/formats/nips"
	"tenfold/io/formats/npz"
	"tenfold/io/formats/svmlight"
	"tenfold/io/formats/tabular"
	"tenfold/io/formats/vw"
	"tenfold/io/source"
)

// content writes about n bytes.
type content func(w io.Writer, n int)

// repeat writes a text again and again, whole.
func repeat(text string) content {
	return func(w io.Writer, n int) {
		block := strings.Repeat(text, max(1, (1<<16)/len(text)))
		for ; n > 0; n -= len(block) {
			_, _ = io.WriteString(w, block[:min((n+len(text)-1)/len(text)*len(text), len(block))])
		}
	}
}

// each writes pieces 0, 1, 2, ...
func each(piece func(b []byte, k int) []byte) content {
	return func(w io.Writer, n int) {
		var b []byte
		for k := 0; n > 0; k++ {
			b = piece(b[:0], k)
			_, _ = w.Write(b)
			n -= len(b)
		}
	}
}

// numbered writes a text for each k, with k where it has %d.
func numbered(text string) content {
	before, after, _ := strings.Cut(text, "%d")
	return each(func(b []byte, k int) []byte {
		return append(strconv.AppendInt(append(b, before...), int64(k), 10), after...)
	})
}

// around puts texts before and behind.
func around(before string, c content, behind string) content {
	return func(w io.Writer, n int) {
		_, _ = io.WriteString(w, before)
		c(w, n-len(before)-len(behind))
		_, _ = io.WriteString(w, behind)
	}
}

// late makes a content when it is to be written: every process has the list of all.
func late(make func() content) content { return func(w io.Writer, n int) { make()(w, n) } }

func just(text string) content { return func(w io.Writer, _ int) { _, _ = io.WriteString(w, text) } }

// workbook is one of Excel whose sheet has these rows.
func workbook(rows content) content {
	return func(w io.Writer, n int) {
		z := zip.NewWriter(w)
		for _, part := range []struct {
			name string
			content
		}{
			{"[Content_Types].xml", just("<Types/>")},
			{"_rels/.rels", just(`<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`)},
			{"xl/workbook.xml", just(`<workbook><sheets><sheet name="S" sheetId="1" r:id="r1" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></sheets></workbook>`)},
			{"xl/_rels/workbook.xml.rels", just(`<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`)},
			{"xl/worksheets/sheet1.xml", around("<worksheet><sheetData>", rows, "</sheetData></worksheet>")},
		} {
			to, err := z.Create(part.name)
			if err == nil {
				part.content(to, n)
			}
		}
		_ = z.Close()
	}
}

// random numbers that are the same everywhere.
func random(k, below int) int { return int(data.Mix(uint64(k))>>33) % below }

// anyText is shapes of any text.
var anyText = map[string]content{
	"newlines": repeat("\n"), "one token": repeat("x"), "a row of ones": repeat("1 "), "rows of one": repeat("1\n"),
}

// reading is a format with its options, and files for it.
type reading struct {
	source   source.Source
	perByte  int    // bytes of memory that a byte may take; 0: twice what an ordinary file takes
	role     string // that the contents are of; "" for all
	ordinary content
	others   map[string]content // of other roles
	shapes   map[string]content
	any      bool // shapes of any text as well
}

// readings are all formats by name; those that begin alike are options of one.
func readings() map[string]reading {
	all := map[string]reading{}
	tables(all)
	matrices(all)
	texts(all)
	treebanks(all)
	meanings(all)
	return all
}

// cells of an ordinary table.
func cells(columns int) content {
	return each(func(b []byte, k int) []byte {
		b = strconv.AppendInt(b, int64(random(k, 2)), 10)
		for j := range columns {
			b = strconv.AppendFloat(append(b, ','), float64(random(columns*k+j, 10000))/100, 'f', 2, 64)
		}
		return append(b, '\n')
	})
}

// list is before 0 after before 1 after ...
func list(n int, before, after string) string {
	var b strings.Builder
	for k := range n {
		b.WriteString(before + strconv.Itoa(k) + after)
	}
	return b.String()
}

// halves writes one content and then another.
func halves(first, second content) content {
	return func(w io.Writer, n int) { first(w, n/2); second(w, n/2) }
}

func tables(all map[string]reading) {
	const header = "@relation r\n@attribute y real\n"
	a := arff.Kind.Defaults().(arff.ARFF)
	a.Target.Column = "y"
	all["arff"] = reading{source: a, ordinary: around(header+list(20, "@attribute a", " real\n")+"@data\n", cells(20), ""), shapes: map[string]content{
		"attributes":     around(header, numbered("@attribute a%d real\n"), "@data\n1\n"),
		"levels":         around(header+"@attribute a {", numbered("%d,"), "x,y}\n@data\n1,x\n"),
		"rows of two":    around(header+"@attribute a real\n@data\n", repeat("1,1\n"), ""),
		"sparse rows":    around(header+list(1000, "@attribute a", " {a,b,c}\n")+"@data\n", repeat("{}\n"), ""),
		"missing levels": around(header+"@attribute a {"+list(1000, "", ",")+"a}\n@data\n", repeat("1,?\n"), ""),
		"long names":     around(header, halves(around("@attribute '", repeat("x"), "' {"), around("", numbered("%d,"), "a}\n@data\n1,a\n")), ""),
	}}
	a.Target.Column, a.Target.Columns = "", []string{"y*"}
	all["arff: responses"] = reading{source: a, ordinary: all["arff"].ordinary, shapes: map[string]content{
		"sparse rows": around(header+list(1000, "@attribute y", " real\n")+"@attribute a real\n@data\n", repeat("{}\n"), ""),
	}}
	csv, tsv := tabular.CSVKind.Defaults().(tabular.Text), tabular.TSVKind.Defaults().(tabular.Text)
	csv.Target.Column, tsv.Target.Column = "y", "y"
	shapes := func(d string) map[string]content {
		return map[string]content{
			"separators":  repeat(d),
			"a wide row":  around("y"+d+"a\n", repeat(d), "\n"),
			"columns":     around("y", numbered(d+"%d"), "\n1\n"),
			"rows of two": around("y"+d+"a\n", repeat("1"+d+"1\n"), ""),
			"empty cells": around("y"+list(1000, d, "")+"\n", repeat("1"+strings.Repeat(d, 1000)+"\n"), ""),
			"levels":      around("y"+d+"a\n", numbered("x%d"+d+"1\n"), ""),
			"quotes":      around("y"+d+"a\n\"", repeat(`""`), "\""+d+"1\n"),
		}
	}
	all["csv"] = reading{source: csv, perByte: 24, any: true, shapes: shapes(",")}
	lines, sheet := tabular.JSONLKind.Defaults().(tabular.Records), tabular.XLSXKind.Defaults().(tabular.Sheet)
	lines.Target.Column, sheet.Target.Column = "y", "y"
	all["jsonl"] = reading{source: lines, ordinary: each(func(b []byte, k int) []byte {
		b = strconv.AppendInt(append(b, `{"y":`...), int64(random(k, 2)), 10)
		for j := range 20 {
			b = append(strconv.AppendInt(append(b, `,"a`...), int64(j), 10), `":`...)
			b = strconv.AppendFloat(b, float64(random(20*k+j, 10000))/100, 'f', 2, 64)
		}
		return append(b, "}\n"...)
	}), any: true, shapes: map[string]content{
		"empty records": repeat("{}\n"), "keys of one record": around(`{"y":1`, numbered(`,"%d":1`), "}\n"), "a key a record": numbered("{\"y\":1,\"%d\":1}\n"),
		"one key repeated": around(`{"y":1`, repeat(`,"a":1`), "}\n"), "lists": repeat("["), "one string": around(`{"y":"`, repeat("x"), "\"}\n"), "records": repeat("{\"y\":1,\"a\":1}\n"),
	}}
	const row = "<row><c t=\"inlineStr\"><is><t>y</t></is></c><c t=\"inlineStr\"><is><t>a</t></is></c></row>"
	all["xlsx"] = reading{source: sheet, ordinary: workbook(around(row, numbered("<row><c><v>%d</v></c><c><v>1.5</v></c></row>"), "")), shapes: map[string]content{
		"empty rows": workbook(around(row, repeat("<row/>"), "")), "empty cells": workbook(around(row+"<row>", repeat("<c/>"), "</row>")),
		"numbers in a row": workbook(around(row+"<row>", repeat("<c><v>1</v></c>"), "</row>")), "names": workbook(around("<row>", numbered("<c t=\"inlineStr\"><is><t>%d</t></is></c>"), "</row>")),
		"one text": workbook(around(row+"<row><c t=\"inlineStr\"><is><t>", repeat("x"), "</t></is></c></row>")), "far cells": workbook(around(row, repeat(`<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`), "")),
		"no workbook": repeat("PK"),
	}}
	all["tsv"] = reading{source: tsv, perByte: 24, any: true, shapes: shapes("\t")}
	sideways := csv
	sideways.Samples = "columns"
	all["csv: samples: columns"] = reading{source: sideways, perByte: 24, any: true, shapes: map[string]content{
		"genes":   around("id,s1,s2\ny,1,0\n", numbered("%d,1,2\n"), ""),
		"samples": halves(around("id", numbered(",%d"), "\ny"), repeat(",1")),
	}}
	factors := csv
	factors.Columns.Categorical = []string{"*"}
	all["csv: categorical"] = reading{source: factors, perByte: 24, shapes: map[string]content{
		"levels":         around("y,a\n", numbered("1,%d\n"), ""),
		"missing levels": halves(around("y,a\n", numbered("1,%d\n"), ""), repeat("1,\n")),
		"long names":     halves(around("y,", repeat("x"), "\n"), numbered("1,%d\n")),
	}}
	named := csv
	named.Columns.ID, named.Columns.Group = "a", "b"
	all["csv: ids and groups"] = reading{source: named, perByte: 24, shapes: map[string]content{
		"distinct": around("y,a,b,c\n", each(func(b []byte, k int) []byte { return fmt.Appendf(b, "1,%d,%[1]d,1\n", k) }), ""),
	}}
	p := tabular.ParquetKind.Defaults().(tabular.Parquet)
	p.Target.Column = "Y"
	type record struct{ Y, A, B, C int32 }
	records := func(w io.Writer, rows int, value func(k int) int32) {
		f := parquet.NewGenericWriter[record](w)
		page := make([]record, 0, 1<<16)
		for k := range rows {
			if page = append(page, record{value(4 * k), value(4*k + 1), value(4*k + 2), value(4*k + 3)}); len(page) == cap(page) || k+1 == rows {
				_, _ = f.Write(page)
				page = page[:0]
			}
		}
		_ = f.Close()
	}
	all["parquet"] = reading{source: p, ordinary: func(w io.Writer, n int) { records(w, n/16, func(k int) int32 { return int32(random(k, 1000)) }) }, shapes: map[string]content{
		"one value": func(w io.Writer, n int) { records(w, n/4, func(int) int32 { return 1 }) },
	}}
	genes := func(genes, samples int, cell func(b []byte, k int) []byte) content {
		return around(fmt.Sprintf("#1.2\n%d\t%d\nNAME\tDESCRIPTION%s\n", genes, samples, list(samples, "\ts", "")), func(w io.Writer, _ int) {
			var b []byte
			for g := range genes {
				b = strconv.AppendInt(b[:0], int64(g), 10)
				b = append(b, '\t')
				for k := range samples {
					b = cell(append(b, '\t'), g*samples+k)
				}
				_, _ = w.Write(append(b, '\n'))
			}
		}, "")
	}
	labels := just("100 2 1\n# a b\n" + strings.Repeat("0 1 ", 50) + "\n")
	empty := func(b []byte, _ int) []byte { return b }
	ordinary := genes(size/600, 100, func(b []byte, k int) []byte { return strconv.AppendFloat(b, float64(random(k, 10000))/100, 'f', 2, 64) })
	all["gct"] = reading{source: gct.Kind.Defaults(), others: map[string]content{"labels": labels}, ordinary: ordinary, shapes: map[string]content{
		"claims": just("#1.2\n1000\t1000000\nNAME\tDESCRIPTION\n"), "one sample": genes(size/9, 1, empty), "empty cells": genes(size/110, 100, empty), "samples": late(func() content { return genes(1, size/9, empty) }),
	}}
	all["gct: labels"] = reading{source: gct.Kind.Defaults(), role: "labels", perByte: 24, others: map[string]content{"all": genes(3, 100, empty)}, shapes: map[string]content{
		"numbers": around("#numeric\n#a\n", repeat("1 "), "\n"), "labels": around("100 2 1\n# a b\n", repeat("0 "), "\n"), "lines": around("#numeric\n", repeat("#\n"), "\n"),
	}}
}

// zipped is a zip archive of members, the first of them of n bytes.
func zipped(members map[string]content) content {
	return func(w io.Writer, n int) {
		z := zip.NewWriter(w)
		for name, c := range members {
			f, _ := z.Create(name)
			c(f, n)
		}
		_ = z.Close()
	}
}

// npy is an array of n bytes of ones.
func npy(kind, shape string) content {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, shape)
	return func(w io.Writer, n int) {
		_, _ = io.WriteString(w, "\x93NUMPY\x01\x00"+string(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))+header)
		repeat("\x01")(w, n)
	}
}

// matlab is a MAT-file of matrices.
func matlab(matrices ...[]byte) content {
	head := bytes.Repeat([]byte{' '}, 124)
	return just(string(append(head, 0, 1, 'I', 'M')) + string(bytes.Join(matrices, nil)))
}

// element is a data element of a MAT-file.
func element(kind uint32, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, kind), uint32(len(body)))
	return append(append(b, body...), make([]byte, (8-len(body)%8)%8)...)
}

// variable is a matrix of some class; values are elements.
func variable(name string, class, rows, columns uint32, values ...[]byte) []byte {
	words := func(words ...uint32) (b []byte) {
		for _, word := range words {
			b = binary.LittleEndian.AppendUint32(b, word)
		}
		return b
	}
	return element(14, bytes.Join(append([][]byte{element(6, words(class, 0)), element(5, words(rows, columns)), element(1, []byte(name))}, values...), nil))
}

// deflated is a compressed element.
func deflated(matrix []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(matrix)
	_ = z.Close()
	return append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 15), uint32(b.Len())), b.Bytes()...)
}

func matrices(all map[string]reading) {
	s := svmlight.Kind.Defaults().(svmlight.SVMLight)
	ordinary := each(func(b []byte, k int) []byte {
		b = strconv.AppendInt(b, int64(random(k, 2)), 10)
		for j := range 10 {
			b = strconv.AppendInt(append(b, ' '), int64(40*j+random(50*k+j, 40)+1), 10)
			b = append(append(b, ":."...), byte('1'+random(k+j, 9)))
		}
		return append(b, '\n')
	})
	all["svmlight"] = reading{source: s, any: true, ordinary: ordinary, shapes: map[string]content{
		"entries": repeat("1 1:1\n"), "each a query": numbered("1 qid:%d\n"), "colons": repeat(":"), "zeros": around("1", numbered(" %d:0"), "\n"), "one row": around("1", numbered(" %d:2"), "\n"),
		"falling":     around("1", each(func(b []byte, k int) []byte { return fmt.Appendf(b, " %d:2", 8999999-k) }), "\n"),
		"a far index": just("1 5000000:1\n"), "beyond": just("1 60000000:1\n"),
	}}
	s.Target.Name = "class"
	all["svmlight: classes"] = reading{source: s, ordinary: ordinary, shapes: map[string]content{"one": repeat("1\n"), "distinct": numbered("%d\n")}}
	all["vw"] = reading{source: vw.Kind.Defaults(), any: true, ordinary: each(func(b []byte, k int) []byte { return words(fmt.Appendf(b, "%d |f", random(k, 2)), k) }), shapes: map[string]content{
		"bars": around("1 ", repeat("|"), "\n"), "empty rows": repeat("1 |\n"), "features": around("1 |", numbered(" %d"), "\n"), "a feature": around("1 |", repeat(" a"), "\n"),
		"namespaces": around("1 ", numbered("|%d a"), "\n"), "a word a row": numbered("1 | %d\n"), "long names": halves(around("1 |", repeat("x"), ""), numbered(" %d")),
	}}
	m := mtx.Kind.Defaults()
	const coordinates, array = "%%MatrixMarket matrix coordinate real general\n", "%%MatrixMarket matrix array real general\n"
	lines := func(head, line string, n int) content {
		return late(func() content { return just(head + strings.Repeat(line, n)) })
	}
	thousand := map[string]content{"all_y": lines("", "1\n", 1000)}
	all["mtx"] = reading{source: m, others: thousand, ordinary: func(w io.Writer, n int) {
		n /= 13
		_, _ = fmt.Fprintf(w, "%s1000 %d %d\n", coordinates, n, n)
		for k := range n {
			_, _ = fmt.Fprintf(w, "%d %d 0.5\n", random(k, 1000)+1, k+1)
		}
	}, shapes: map[string]content{
		"columns": just(coordinates + "1000 5000000 0\n"), "rows": just(coordinates + "60000000 2 0\n"), "both": just(array + "2000000000 2000000000\n"), "entries": just(coordinates + "9 9 2000000000000\n"),
		"one place": lines(fmt.Sprintf("%s1000 1000 %d\n", coordinates, size/6), "1 1 1\n", size/6), "a row": lines(fmt.Sprintf("%s1000 %d\n", array, size/2000), "1 ", size/2000*1000), "a line": around(coordinates+"2 2 1\n", repeat("1 "), "\n"),
	}}
	const rows, each = size / 790, 200
	all["nips"] = reading{source: nips.Kind.Defaults(), any: true, others: map[string]content{"all_y": lines("", "1\n", rows)}, ordinary: func(w io.Writer, _ int) {
		for i := range rows {
			var b []byte
			for j := range each {
				b = strconv.AppendInt(append(b, ' '), int64(random(each*i+j, 1000)), 10)
			}
			_, _ = w.Write(append(b, '\n'))
		}
	}, shapes: map[string]content{
		"columns": repeat("1 2\n1\n"), "one row": numbered("%d "), "values": repeat("1:1\n"), "a far index": just("9000000\n1 2\n"), "blank lines": around("1:1\n", repeat("\n"), ""),
	}}
	targets := map[string]content{"all_y": func(w io.Writer, _ int) { npy("|i1", "1000,")(w, 1000) }}
	ones := npy("|i1", fmt.Sprintf("1000, %d", size/1000))
	all["npz"] = reading{source: npz.Kind.Defaults(), others: targets, ordinary: func(w io.Writer, _ int) {
		const rows, each = 1000, size / 12000
		ptr, idx, val := []int{0}, []int32{}, []float64{}
		for i := range rows {
			for j := range each {
				idx, val = append(idx, int32(j)), append(val, float64(i+j))
			}
			ptr = append(ptr, len(idx))
		}
		_ = npz.WriteSparse(w, sparse.New(each, ptr, idx, val))
	}, shapes: map[string]content{
		"bytes":  func(w io.Writer, _ int) { ones(w, size/1000*1000) },
		"claims": npy("<f8", "2000000000, 2000000000"), "columns": npy("|b1", "1, 0"),
		"a bomb": zipped(map[string]content{"format.npy": npy("|S3", ""), "data.npy": func(w io.Writer, n int) { repeat("\x00")(w, 16*n) }}),
	}}
	y := func() []byte { return variable("Y", 6, 1000, 1, element(2, make([]byte, 1000))) }
	const columns = size / 8000
	all["mat"] = reading{source: mat.Kind.Defaults(), ordinary: late(func() content {
		numbers := make([]byte, 8000*columns)
		for k := 0; k < len(numbers); k += 8 {
			binary.LittleEndian.PutUint64(numbers[k:], math.Float64bits(float64(k+1)))
		}
		return matlab(y(), variable("X", 6, 1000, columns, element(9, numbers)))
	}), shapes: map[string]content{
		"bytes": late(func() content {
			return matlab(y(), variable("X", 6, 1000, 8*columns, element(2, bytes.Repeat([]byte{1}, 8000*columns))))
		}),
		"claims": late(func() content {
			return matlab(y(), variable("X", 5, 2000000000, 1, element(5, nil), element(5, make([]byte, 8)), element(9, nil)))
		}),
		"a bomb": late(func() content {
			return matlab(y(), deflated(variable("X", 6, 1000, 16*columns, element(9, make([]byte, 16*8000*columns)))))
		}),
	}}
}

// words appends a dozen words, few of them often, and ends the line.
func words(b []byte, k int) []byte {
	for j := range 12 {
		k := 12*k + j
		b = strconv.AppendInt(append(append(b, ' '), "word"[:1+random(k, 4)]...), int64(random(k+1<<40, 1<<(2+2*random(k, 7)))), 36)
	}
	return append(b, '\n')
}
