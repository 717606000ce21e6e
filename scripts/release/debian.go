package main

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// debianPlace is where Debian has a file of an archive, "" for nowhere; others belong to the package's documents.
func debianPlace(name string) string {
	base := path.Base(name)
	switch {
	case name == "tenfold":
		return "usr/bin/tenfold"
	case name == "LICENSE":
		return "usr/share/doc/tenfold/copyright"
	case strings.HasPrefix(name, "man/"):
		return "usr/share/man/man1/" + base + ".gz"
	case base == completions["bash"]:
		return "usr/share/bash-completion/completions/tenfold"
	case base == completions["zsh"]:
		return "usr/share/zsh/vendor-completions/" + base
	case base == completions["fish"]:
		return "usr/share/fish/vendor_completions.d/" + base
	case base == completions["powershell"]:
		return ""
	}
	return "usr/share/doc/tenfold/" + name
}

// debianVersion sorts candidates of a release before it: 1.0.0-rc.1 is 1.0.0~rc.1.
func debianVersion(version string) string {
	return strings.Replace(strings.TrimPrefix(version, "v"), "-", "~", 1)
}

func debianName(p platform, version string) string {
	return fmt.Sprintf("tenfold_%s_%s.deb", debianVersion(version), p.machine)
}

// debian is the package of a platform: an ar archive of its format's version, the control files, and the files themselves.
func debian(p platform, version string, files []file, at time.Time) ([]byte, error) {
	placed := map[string]file{}
	for _, f := range files {
		to := debianPlace(f.name)
		if to == "" {
			continue
		}
		if path.Ext(to) == ".gz" {
			var b bytes.Buffer
			z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
			if err != nil {
				return nil, err
			}
			if _, err := z.Write(f.content); err != nil {
				return nil, err
			}
			if err := z.Close(); err != nil {
				return nil, err
			}
			f.content = b.Bytes()
		}
		placed[to] = f
	}
	var names, folders []string
	size := 0
	for name, f := range placed {
		names = append(names, name)
		size += len(f.content)
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(names)
	slices.Sort(folders)
	var data, control, sums bytes.Buffer
	d := newTar(&data, "./", at)
	for _, dir := range slices.Compact(folders) {
		if err := d.addFolder(dir); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		f := placed[name]
		if err := d.add(name, f.mode, f.content); err != nil {
			return nil, err
		}
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.content), name)
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	c := newTar(&control, "./", at)
	head := fmt.Sprintf("Package: tenfold\nVersion: %s\nArchitecture: %s\nMaintainer: the tenfold authors\nInstalled-Size: %d\nSection: science\nPriority: optional\n"+
		"Description: honest comparisons of feature selectors\n One file describes data, algorithms with their grids, and folds; tenfold fits\n every cell on every fold, tests the differences, and writes tables and figures.\n",
		debianVersion(version), p.machine, (size+1023)/1024)
	if err := c.add("control", 0o644, []byte(head)); err != nil {
		return nil, err
	}
	if err := c.add("md5sums", 0o644, sums.Bytes()); err != nil {
		return nil, err
	}
	if err := c.Close(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	for _, m := range []file{{name: "debian-binary", content: []byte("2.0\n")}, {name: "control.tar.gz", content: control.Bytes()}, {name: "data.tar.gz", content: data.Bytes()}} {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", m.name, at.Unix(), 0, 0, "100644", len(m.content))
		out.Write(m.content)
		if len(m.content)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}
