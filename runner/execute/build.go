package execute

import (
	"runtime"
	"runtime/debug"
)

// release is the version of a release, set by the linker (scripts/release); "" otherwise.
var release string

// Build describes the running binary.
type Build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"` // of its source; "" if unknown
	Date     string `json:"date"`   // of that commit
	Dirty    bool   `json:"dirty"`  // the source had changes that were not committed
	Go       string `json:"go"`
	Platform string `json:"platform"` // system/architecture
}

// ThisBuild describes the running binary. Its version is that of the release, or of the module, or devel with the commit.
func ThisBuild() Build {
	b := Build{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Dirty = s.Value == "true"
		}
	}
	if v := info.Main.Version; b.Version == "" && v != "(devel)" {
		b.Version = v
	}
	if b.Version == "" {
		b.Version = "devel"
		if b.Commit != "" {
			b.Version += "-" + b.Commit[:min(12, len(b.Commit))]
		}
	}
	return b
}

// Version returns the version of the running binary.
func Version() string { return ThisBuild().Version }
