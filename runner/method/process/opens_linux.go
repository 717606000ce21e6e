package process

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// opens tells which files in some folders are opened and written, by whichever program.
type opens struct {
	queue  int               // of inotify; -1 if there is none
	places map[int32][]place // by watch
}

// place is a folder, or a file that a link leads to, in one of the folders to watch. A folder may be in several of them.
type place struct {
	folder string // to watch
	path   string // in it, with slashes; "." for itself
}

// Limits of what is watched in a folder.
const (
	mostWatched  = 1000 // folders
	deepestWatch = 3    // folders below it
)

func newOpens() *opens {
	queue, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		queue = -1
	}
	return &opens{queue, map[int32][]place{}}
}

// add watches a folder, and the folders in it except for hidden ones, those of runs and those of installed libraries. What cannot be
// watched is left out.
func (w *opens) add(folder string) {
	watched := func(in string) bool {
		mark, err := unix.InotifyAddWatch(w.queue, filepath.Join(folder, in), unix.IN_OPEN|unix.IN_MODIFY|unix.IN_CLOSE_WRITE|unix.IN_MOVED_TO)
		if err == nil {
			w.places[int32(mark)] = append(w.places[int32(mark)], place{folder, in})
		}
		return err == nil
	}
	folders := []string{"."}
	for k := 0; k < len(folders) && k < mostWatched; k++ {
		in := folders[k]
		entries, err := os.ReadDir(filepath.Join(folder, in))
		if err != nil || k > 0 && holdsOther(entries) || !watched(in) {
			continue
		}
		for _, e := range entries {
			inner := filepath.Join(in, e.Name())
			switch {
			case e.Type()&os.ModeSymlink != 0:
				watched(inner)
			case e.IsDir() && e.Name()[0] != '.' && strings.Count(inner, "/") < deepestWatch:
				folders = append(folders, inner)
			}
		}
	}
}

// holdsOther reports whether a folder, by its entries, is that of a run, or of installed libraries of Python, conda or R, which are the
// business of versions.
func holdsOther(entries []os.DirEntry) bool {
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return slices.Contains([]string{"plan.json", "pyvenv.cfg", "conda-meta", "activate.R"}, e.Name())
	})
}

// take visits the files that were opened or written since the last call.
func (w *opens) take(visit func(folder, path string, written bool)) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := unix.Read(w.queue, buffer)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n < unix.SizeofInotifyEvent {
			return
		}
		for offset := 0; offset+unix.SizeofInotifyEvent <= n; {
			event := (*unix.InotifyEvent)(unsafe.Pointer(&buffer[offset]))
			name := unix.ByteSliceToString(buffer[offset+unix.SizeofInotifyEvent:][:event.Len])
			offset += unix.SizeofInotifyEvent + int(event.Len)
			if event.Mask&(unix.IN_ISDIR|unix.IN_IGNORED|unix.IN_Q_OVERFLOW) != 0 {
				continue
			}
			for _, from := range w.places[event.Wd] {
				visit(from.folder, path.Join(from.path, name), event.Mask&unix.IN_OPEN == 0)
			}
		}
	}
}

func (w *opens) close() {
	if w.queue >= 0 {
		unix.Close(w.queue)
	}
	w.queue = -1
}
