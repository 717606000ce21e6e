package npz

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// npy writes an .npy file of version 1. Values is a slice of numbers of the type that dtype names, or bytes.
func npy(dtype string, values any, shape ...int) string {
	return npyOrder(dtype, "False", values, shape...)
}

func npyOrder(dtype, fortran string, values any, shape ...int) string {
	var dims strings.Builder
	for _, n := range shape {
		fmt.Fprintf(&dims, "%d, ", n)
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", dtype, fortran, dims.String())
	header += strings.Repeat(" ", 64-(10+len(header)+1)%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	if err := binary.Write(&b, binary.LittleEndian, values); err != nil {
		panic(err)
	}
	return b.String()
}

// members of a sparse .npz file, in the order in which they are written.
type members []struct{ name, content string }

func csr(rows, cols int, ptr, idx []int32, val []float32) members {
	return members{
		{"indices.npy", npy("<i4", idx, len(idx))},
		{"indptr.npy", npy("<i4", ptr, len(ptr))},
		{"format.npy", npy("|S3", []byte("csr"))},
		{"shape.npy", npy("<i8", []int64{int64(rows), int64(cols)}, 2)},
		{"data.npy", npy("<f4", val, len(val))},
	}
}

// with replaces the content of one member, or drops it when the content is empty.
func (m members) with(name, content string) members {
	var out members
	for _, f := range m {
		if f.name == name {
			f.content = content
		}
		if f.content != "" {
			out = append(out, f)
		}
	}
	return out
}

func (m members) zip(method uint16) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range m {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: method})
		if err == nil {
			_, err = w.Write([]byte(f.content))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}
