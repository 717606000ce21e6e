package host

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"sort"
	"strings"
)

// maxObject limits the bytes of a commit, and of what it is packed as a change of.
const maxObject = 1 << 20

var errObject = errors.New("an object that is not understood")

// newHash returns the hash function whose sums have so many bytes, with the header of an object written to it.
func newHash(sum int, kind string, size int64) hash.Hash {
	h := sha1.New()
	if sum == sha256.Size {
		h = sha256.New()
	}
	fmt.Fprintf(h, "%s %d\x00", kind, size)
	return h
}

// objectID returns the hash, of so many bytes, by which git knows an object.
func objectID(sum int, kind string, content []byte) []byte {
	h := newHash(sum, kind, int64(len(content)))
	h.Write(content)
	return h.Sum(nil)
}

// treeOf returns the hash of a commit's tree.
func (r repository) treeOf(commit []byte) ([]byte, error) {
	content, err := r.looseCommit(commit)
	if errors.Is(err, fs.ErrNotExist) {
		content, err = r.packedCommit(commit)
	}
	if err != nil {
		return nil, err
	}
	line, _, _ := bytes.Cut(content, []byte("\n"))
	tree, err := hex.DecodeString(strings.TrimPrefix(string(line), "tree "))
	if err == nil && !bytes.Equal(objectID(len(commit), "commit", content), commit) {
		err = errObject
	}
	return tree, err
}

// looseCommit reads a commit from a file of its own.
func (r repository) looseCommit(id []byte) ([]byte, error) {
	name := hex.EncodeToString(id)
	f, err := r.common.Open("objects/" + name[:2] + "/" + name[2:])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := inflate(f)
	_, content, _ = bytes.Cut(content, []byte{0})
	return content, err
}

func inflate(r io.Reader) ([]byte, error) {
	z, err := zlib.NewReader(r)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(z, maxObject+1))
	if err == nil && len(content) > maxObject {
		err = errObject
	}
	return content, err
}

// packedCommit reads a commit from the pack that has it.
func (r repository) packedCommit(id []byte) ([]byte, error) {
	entries, err := r.common.ReadDir("objects/pack")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, isIndex := strings.CutSuffix(e.Name(), ".idx")
		if !isIndex {
			continue
		}
		index, err := r.common.Open("objects/pack/" + e.Name())
		if err != nil {
			return nil, err
		}
		offset, found := findInPack(index, id)
		index.Close()
		if found {
			f, err := r.common.Open("objects/pack/" + name + ".pack")
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return readPacked(f, offset, 0)
		}
	}
	return nil, errObject
}

// packIndex begins an index of a pack, in version 2; the numbers of objects by their first byte follow.
const packIndex = "\xfftOc\x00\x00\x00\x02"

// findInPack returns where a pack has an object, by the pack's index. O(log objects).
func findInPack(index io.ReaderAt, id []byte) (offset int64, found bool) {
	var head [len(packIndex) + 4*256]byte
	if n, _ := index.ReadAt(head[:], 0); n < len(head) || string(head[:len(packIndex)]) != packIndex {
		return 0, false
	}
	upTo := func(first int) int64 { return int64(binary.BigEndian.Uint32(head[len(packIndex)+4*first:])) }
	var begin int64
	if id[0] > 0 {
		begin = upTo(int(id[0]) - 1)
	}
	field := make([]byte, len(id))
	read := func(from int64, bytes int) []byte { // zeros beyond the end
		clear(field)
		index.ReadAt(field[:bytes], int64(len(head))+from)
		return field[:bytes]
	}
	n, sum := upTo(255), int64(len(id))
	k := begin + int64(sort.Search(int(max(0, upTo(int(id[0]))-begin)), func(k int) bool {
		return bytes.Compare(read((begin+int64(k))*sum, len(id)), id) >= 0
	}))
	if !bytes.Equal(read(k*sum, len(id)), id) {
		return 0, false
	}
	const far = 1 << 31 // marks the number of a place with 8 bytes
	offset = int64(binary.BigEndian.Uint32(read(n*(sum+4)+k*4, 4)))
	if offset&far != 0 {
		offset = int64(binary.BigEndian.Uint64(read(n*(sum+8)+(offset&^far)*8, 8)))
	}
	return offset, true
}

// maxDeltas limits the objects of which each is packed as a delta of the next.
const maxDeltas = 250

// Types of packed objects.
const (
	typeCommit      = 1
	typeOffsetDelta = 6 // of the object that begins so many bytes before
)

// readPacked reads a commit at a place in a pack.
func readPacked(pack io.ReaderAt, offset int64, deltas int) ([]byte, error) {
	if offset < 0 || deltas > maxDeltas {
		return nil, errObject
	}
	in := bufio.NewReader(io.NewSectionReader(pack, offset, math.MaxInt64-offset))
	first, err := in.ReadByte()
	if err == nil && first&0x80 != 0 { // the rest of its size follows
		_, err = binary.ReadUvarint(in)
	}
	if err != nil {
		return nil, err
	}
	switch first >> 4 & 7 {
	case typeCommit:
		return inflate(in)
	case typeOffsetDelta:
		back, err := readOffset(in)
		if err != nil || back == 0 {
			return nil, errObject
		}
		delta, err := inflate(in)
		if err != nil {
			return nil, err
		}
		base, err := readPacked(pack, offset-back, deltas+1)
		if err != nil {
			return nil, err
		}
		return applyDelta(base, delta)
	}
	return nil, errObject
}

// readOffset reads a number of groups of seven bits, the highest first; each group that another one follows counts one more.
func readOffset(in io.ByteReader) (n int64, err error) {
	for n < 1<<48 {
		b, err := in.ReadByte()
		if n += int64(b & 0x7f); err != nil || b&0x80 == 0 {
			return n, err
		}
		n = (n + 1) << 7
	}
	return 0, errObject
}

// applyDelta returns what a delta makes of base: copies of its parts, and new bytes.
func applyDelta(base, delta []byte) (out []byte, err error) {
	in := bytes.NewReader(delta)
	for range 2 { // the sizes before and after
		if _, err := binary.ReadUvarint(in); err != nil {
			return nil, errObject
		}
	}
	for in.Len() > 0 && len(out) <= maxObject {
		op, _ := in.ReadByte()
		if op&0x80 == 0 {
			added := make([]byte, op)
			if _, err := io.ReadFull(in, added); err != nil || op == 0 {
				return nil, errObject
			}
			out = append(out, added...)
			continue
		}
		var field [7]byte // four bytes of where the part begins, three of its length: those that are not zero
		for k := range field {
			if op>>k&1 != 0 {
				if field[k], err = in.ReadByte(); err != nil {
					return nil, errObject
				}
			}
		}
		begin := int64(binary.LittleEndian.Uint32(field[:]))
		length := int64(field[4]) | int64(field[5])<<8 | int64(field[6])<<16
		if length == 0 {
			length = 1 << 16
		}
		if begin+length > int64(len(base)) {
			return nil, errObject
		}
		out = append(out, base[begin:begin+length]...)
	}
	if len(out) > maxObject {
		return nil, errObject
	}
	return out, nil
}
