package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// removeAll removes a folder and ends the containers that run for exchange folders in it. No link is followed.
func removeAll(folder string) error {
	parent, err := os.OpenRoot(filepath.Dir(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer parent.Close()
	name := filepath.Base(folder)
	_ = fs.WalkDir(parent.FS(), name, func(path string, e fs.DirEntry, err error) error { // what cannot be read is not removed, either, and that is an error
		switch {
		case err != nil:
		case e.IsDir():
			parent.Chmod(path, 0o700) // to list it and to remove what is in it
		case e.Name() == runtimeFile:
			endContainers(filepath.Join(parent.Name(), path))
		}
		return nil
	})
	return parent.RemoveAll(name)
}

// ownerName returns the name of this process on a host, for the name of its folder.
func ownerName(host string) string {
	pid := os.Getpid()
	return strings.Join([]string{host, strconv.Itoa(pid), startOf(pid)}, ownerMark)
}

// ownerGone reports whether a folder is named after a process of the host that no longer exists.
func ownerGone(folder, host string) bool {
	parts := strings.Split(folder, ownerMark)
	if len(parts) < 3 || parts[0] != host {
		return false
	}
	number, err := strconv.Atoi(parts[1])
	return err == nil && startOf(number) != parts[2]
}

// temporaryPrefix is the prefix of folders among the system's temporary files.
const temporaryPrefix = "tenfold-"

// Temporary makes a folder among the system's temporary files. It also removes such folders that killed processes of this user on
// this host left, and ends the processes that still run in them.
func Temporary(kind string) (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	temporary := resolved(os.TempDir())
	entries, _ := os.ReadDir(temporary) // an error means that nothing is cleaned up
	for _, e := range entries {
		name, ours := strings.CutPrefix(e.Name(), temporaryPrefix)
		_, owner, _ := strings.Cut(name, "-")
		if !ours || !ownerGone(owner, host) {
			continue
		}
		path := filepath.Join(temporary, e.Name())
		if info, err := os.Lstat(path); err != nil || !info.IsDir() || !isMine(info) { // other users can make folders there, too
			continue
		}
		endLeftBehind(path)
		removeAll(path)
	}
	return os.MkdirTemp(temporary, temporaryPrefix+kind+"-"+ownerName(host)+ownerMark)
}

// ownerMark separates host, process and its start time in the name of a folder.
const ownerMark = "+"
