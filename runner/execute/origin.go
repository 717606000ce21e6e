package execute

import (
	"context"
	"os"
	"runtime"
	"time"

	"tenfold/io/host"
	"tenfold/io/results"
)

// Origin says where results come from.
type Origin struct {
	Machine string // host, system and architecture
	Version string // of tenfold
	Commit  string // of the git work tree with the experiment file; "" outside one, or if it cannot be told
	Dirty   bool   // that work tree has uncommitted changes, or is not shown to have none
}

// FindOrigin describes the machine, the build, and the git work tree around a folder, in about two seconds at most.
func FindOrigin(ctx context.Context, dir string) Origin {
	o := Origin{Version: Version()}
	name, err := os.Hostname()
	if err != nil {
		name = "unknown"
	}
	o.Machine = name + " " + runtime.GOOS + "/" + runtime.GOARCH
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	tree := host.FindWorkTree(ctx, dir)
	o.Commit, o.Dirty = tree.Commit, tree.Commit != "" && !tree.Clean
	return o
}

// Sign writes the origin into the footer of result files.
func (o Origin) Sign(p *results.Provenance) {
	p.Machine, p.Version, p.Commit, p.Dirty = o.Machine, o.Version, o.Commit, o.Dirty
}

func (o Origin) stampOutcome(out *results.Outcome) {
	out.Machine, out.Version, out.Commit, out.Dirty = o.Machine, o.Version, o.Commit, o.Dirty
}
