package files

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/engines/suggest"
	"tenfold/io/sanitize"
)

// member is one of the files below a folder or in an archive.
type member struct {
	stored string // name there, slash-separated, without "./"
	name   string // stored without .gz
	label  string // name for messages
	read   func() ([]byte, error)
}

// decoded returns the content with gzip undone.
func (m member) decoded(d decoder) ([]byte, error) {
	raw, err := m.read()
	if err != nil {
		return nil, err
	}
	return d.gunzip(raw)
}

// listMembers returns the members asked for, in bytewise order of their names.
func (f *file) listMembers() ([]member, error) {
	all, err := f.allMembers()
	if err != nil {
		return nil, err
	}
	if all == nil {
		return f.asMember()
	}
	want := strings.Split(path.Clean(f.ref.Member), "/")
	var found []member
	var names []string
	for _, m := range all {
		if isHidden(m.stored) {
			continue
		}
		names = append(names, m.stored)
		if !f.isSeveral() || f.ref.Member == "" || matchSegments(want, strings.Split(m.stored, "/")) {
			m.name, m.label = strings.TrimSuffix(m.stored, ".gz"), f.memberPath(m.stored)
			found = append(found, m)
		}
	}
	switch {
	case len(names) == 0:
		return nil, errors.New("no files in it (hidden ones are passed over)")
	case len(found) == 0:
		return nil, fmt.Errorf("none of the %d files in it is called %q%s (the first is %q)", len(names), f.ref.Member, suggest.DidYouMean(f.ref.Member, names), slices.Min(names))
	}
	slices.SortStableFunc(found, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	for k := 1; k < len(found); k++ {
		if found[k].name == found[k-1].name {
			return nil, fmt.Errorf("%q and %q have the same name", found[k-1].stored, found[k].stored)
		}
	}
	return found, nil
}

// asMember returns the file itself as its only member.
func (f *file) asMember() ([]member, error) {
	if isPattern(f.ref.Member) {
		return nil, fmt.Errorf("member %q was asked for, but the file is neither a zip nor a tar archive", f.ref.Member)
	}
	name := filepath.Base(f.path)
	if f.ref.Member != "" {
		name = path.Base(f.ref.Member)
	}
	return []member{{name: strings.TrimSuffix(name, ".gz"), label: f.displayName(), read: func() ([]byte, error) { return f.content, nil }}}, nil
}

// allMembers returns all files of a folder or members of an archive; nil for a plain file.
func (f *file) allMembers() ([]member, error) {
	if f.isFolder {
		return f.folderMembers()
	}
	if err := f.load(); err != nil {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(f.content, zipMagic):
		return f.newDecoder().zipMembers(f.content)
	case isTar(f.content):
		return tarMembers(f.content)
	}
	return nil, nil
}

// memberPath names a member in messages.
func (f *file) memberPath(stored string) string {
	stored = sanitize.Line(stored) // names in archives may have any characters
	switch {
	case f.isFolder:
		return filepath.Join(f.path, filepath.FromSlash(stored))
	case f.isSeveral():
		return f.path + ":" + stored
	}
	return f.displayName() + ":" + stored
}

// hashList returns the digest of several files: the SHA-256 of what sha256sum prints for them in bytewise order of their
// names, with the gzip of each undone.
func (d decoder) hashList(members []member) (string, error) {
	h := sha256.New()
	for _, m := range members {
		content, err := m.decoded(d)
		if err != nil {
			return "", fmt.Errorf("%s: %w", m.stored, err)
		}
		fmt.Fprintf(h, "%x  %s\n", sha256.Sum256(content), m.name)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// folderStamp tells versions of a folder apart by its files' names and stamps.
func (f *file) folderStamp() (stamp, error) {
	members, err := f.folderMembers()
	if err != nil {
		return stamp{}, err
	}
	var s stamp
	h := sha256.New()
	for _, m := range members {
		one, err := stampAt(filepath.Join(f.path, filepath.FromSlash(m.stored)))
		if err != nil {
			return stamp{}, err
		}
		fmt.Fprintf(h, "%q %d %d %d\n", m.stored, one.Size, one.Modified, one.Changed)
		s.Size, s.Modified, s.Changed = s.Size+one.Size, max(s.Modified, one.Modified), max(s.Changed, one.Changed)
	}
	s.List = hex.EncodeToString(h.Sum(nil))
	return s, nil
}
