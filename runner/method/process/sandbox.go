package process

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"tenfold/runner/method/declaration"
)

// bubblewrap is the program that gives a sandbox files of its own.
const bubblewrap = "bwrap"

// SeesAllFiles reports whether the method runs in a sandbox without files of its own, because bubblewrap is not installed: in namespaces
// for users, network and communication between processes.
func SeesAllFiles(d *declaration.Declaration) bool {
	_, err := exec.LookPath(bubblewrap)
	return d.Sandboxed() && err != nil
}

// sandboxed returns a program as it runs in the method's sandbox, if it has one. hidden lists files and folders that it does not see
// there, except for its exchange folder.
func sandboxed(d *declaration.Declaration, p invocation, folder string, hidden []string) invocation {
	if !d.Sandboxed() {
		return p
	}
	path, err := exec.LookPath(bubblewrap)
	if err != nil {
		p.Namespaces = true
		return p
	}
	inside := filepath.Join(resolved(filepath.Dir(p.Path)), filepath.Base(p.Path))
	p.Args = slices.Concat([]string{bubblewrap, "--unshare-all", "--die-with-parent", "--new-session"}, view(folder, hidden, p.Dir, filepath.Dir(p.Path)),
		[]string{"--chdir", resolved(p.Dir), "--", inside}, p.Args[1:])
	p.Path = path
	return p
}

// view returns the arguments of bubblewrap for what a program sees: all files read-only, except for those that are hidden and for what
// other programs leave or listen at; above them the folders that are shown, and its exchange folder, in which it can write.
func view(folder string, hidden []string, shown ...string) []string {
	mounts := map[string][]string{} // arguments by path
	for _, path := range append(slices.Clone(hidden), filepath.Dir(folder), os.TempDir(), "/tmp", "/run") {
		path = resolved(path)
		switch info, err := os.Stat(path); {
		case err != nil: // there is nothing to hide
		case info.IsDir():
			mounts[path] = []string{"--tmpfs", path}
		default:
			mounts[path] = []string{"--ro-bind", os.DevNull, path}
		}
	}
	for _, path := range shown {
		path = resolved(path)
		mounts[path] = []string{"--ro-bind", path, path}
	}
	folder = resolved(folder)
	mounts[folder] = []string{"--bind", folder, folder}
	words := []string{"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"}
	for _, path := range slices.Sorted(maps.Keys(mounts)) { // a folder before what is in it
		words = append(words, mounts[path]...)
	}
	return words
}

// resolved returns the path from the root, without links as far as it exists.
func resolved(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return path
}

// checkSandbox starts a program in the method's sandbox, if it has one.
func checkSandbox(ctx context.Context, d *declaration.Declaration, folder string) error {
	if !d.Sandboxed() {
		return nil
	}
	p, err := invocationOf(d, []string{"true"}, folder, 1)
	if err != nil {
		return err
	}
	_, stderr, end, err := runOnce(ctx, d, p, folder)
	if err == nil && !end.succeeded() {
		err = withComplaint(end, stderr.Tail())
	}
	if err != nil {
		return fmt.Errorf("method %s: no sandbox can be made here, which needs namespaces of the kernel: %w; a container is another way", d.Name, err)
	}
	return nil
}
