package files

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// folderMembers lists the files of the folder, including links to files.
func (f *file) folderMembers() ([]member, error) {
	found := []member{}
	err := fs.WalkDir(os.DirFS(f.path), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && isHidden(name) && e.IsDir():
			return fs.SkipDir
		case name == "." || isHidden(name) || e.IsDir():
			return nil
		}
		full := filepath.Join(f.path, filepath.FromSlash(name))
		info, err := os.Stat(full)
		switch {
		case err != nil:
			return err
		case info.IsDir():
			return fmt.Errorf("%s is a link to a folder, expected files and folders only", name)
		case info.Mode().IsRegular():
			found = append(found, member{stored: name, read: func() ([]byte, error) { return os.ReadFile(full) }})
		}
		return nil
	})
	return found, err
}

// zipMembers lists the members of a zip archive. The sum of their announced sizes is bounded, and so is what each unpacks
// to, by its announced size.
func (d decoder) zipMembers(content []byte) ([]member, error) {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, rewordArchiveError(err)
	}
	found := []member{}
	left := d.maxDecoded(len(content))
	for _, f := range z.File {
		if !f.Mode().IsRegular() {
			continue
		}
		if f.UncompressedSize64 > uint64(left) {
			return nil, d.newBombError(len(content))
		}
		left -= int64(f.UncompressedSize64)
		found = append(found, member{stored: path.Clean(f.Name), read: func() ([]byte, error) {
			r, err := f.Open()
			if err != nil {
				return nil, err
			}
			defer r.Close()
			b, err := readAll(io.LimitReader(r, int64(f.UncompressedSize64)+1), int64(f.UncompressedSize64), len(content))
			if err == nil && uint64(len(b)) > f.UncompressedSize64 {
				err = zip.ErrFormat
			}
			if err != nil {
				return nil, fmt.Errorf("after %d decoded bytes: %w", len(b), rewordArchiveError(err))
			}
			return b, nil
		}})
	}
	return found, nil
}

// isTar checks the first header: its checksum, or the magic of newer archives.
func isTar(content []byte) bool {
	if len(content) < 512 {
		return false
	}
	_, err := tar.NewReader(bytes.NewReader(content)).Next()
	return err == nil || err == io.EOF || bytes.HasPrefix(content[257:], []byte("ustar"))
}

func tarMembers(content []byte) ([]member, error) {
	t := tar.NewReader(bytes.NewReader(content))
	found := []member{}
	for {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return found, nil
		case err != nil:
			return nil, fmt.Errorf("tar: after %d members: %w", len(found), rewordArchiveError(err))
		case h.Typeflag != tar.TypeReg:
			continue
		case h.Size > int64(len(content)): // a sparse file may announce any size, all of it zeros
			return nil, fmt.Errorf("tar member %q: %d bytes, more than the archive has", h.Name, h.Size)
		}
		b, err := readAll(t, h.Size, len(content))
		if err != nil {
			return nil, fmt.Errorf("tar member %q: after %d bytes: %w", h.Name, len(b), rewordArchiveError(err))
		}
		found = append(found, member{stored: path.Clean(h.Name), read: func() ([]byte, error) { return b, nil }})
	}
}
