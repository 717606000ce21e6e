package execute

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"tenfold/io/results"
)

// Origin says where results come from.
type Origin struct {
	Machine string // host, system and architecture
	Version string // of tenfold
	Commit  string // of the repository with the experiment file; "" outside one
	Dirty   bool   // that repository has uncommitted changes
}

// FindOrigin describes the machine, the build, and the git repository around a folder.
func FindOrigin(ctx context.Context, dir string) Origin {
	o := Origin{Version: Version()}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	o.Machine = host + " " + runtime.GOOS + "/" + runtime.GOARCH
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	git := func(args ...string) string {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).Output()
		if err != nil { // without git or a repository the commit is unknown, which is no error
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	if o.Commit = git("rev-parse", "HEAD"); o.Commit != "" {
		o.Dirty = git("status", "--porcelain", "--untracked-files=no") != ""
	}
	return o
}

// Sign writes the origin into the footer of result files.
func (o Origin) Sign(p *results.Provenance) {
	p.Machine, p.Version, p.Commit, p.Dirty = o.Machine, o.Version, o.Commit, o.Dirty
}

func (o Origin) stampOutcome(out *results.Outcome) {
	out.Machine, out.Version, out.Commit, out.Dirty = o.Machine, o.Version, o.Commit, o.Dirty
}
