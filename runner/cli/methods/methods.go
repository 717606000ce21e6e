// Package methods lets the programs run that experiment files declare as engines: it asks the user for consent
// (consent.go), confines them, and binds files to what their programs say of themselves (methods.go). It also has the
// command method, which begins a program (methodinit.go) and holds one to the laws (methodcheck.go). Talking to programs is
// the task of runner/method. Begin with Bind and Open.
package methods

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tenfold/io/files"
	"tenfold/io/source"
	"tenfold/runner/cli/app"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/process"
)

// Programs that experiment files declare as engines.

const (
	SandboxFlag     = "sandbox"
	SandboxVariable = "TENFOLD_SANDBOX"
)

// AddFlags adds the flags about methods to commands that run fits.
func AddFlags(cmd *cobra.Command) {
	addAllowFlag(cmd)
	cmd.Flags().Bool(SandboxFlag, false, "run the programs that the files declare under methods in sandboxes ("+SandboxVariable+"=1)")
}

// Confine makes methods run in sandboxes if the flag or the variable asks for that. It warns of sandboxes without files of their
// own.
func Confine(a *app.App, flags *pflag.FlagSet, declared []*declaration.Declaration) error {
	on, err := flags.GetBool(SandboxFlag)
	if err != nil {
		return err
	}
	if text := os.Getenv(SandboxVariable); text != "" && !on {
		if on, err = strconv.ParseBool(text); err != nil {
			return app.Invalid(fmt.Errorf("%s: found %q, expected 1 or 0", SandboxVariable, text))
		}
	}
	for _, d := range declared {
		if d.Confined = on; process.SeesAllFiles(d) {
			a.Warn(errors.New("bubblewrap (bwrap) is not installed: methods in sandboxes have no network, but can read and write the files that you can"))
		}
	}
	return nil
}

// versionsFile is the file in a run's folder with the versions seen of methods, for commands that run nothing.
const versionsFile = "methods.json"

// Bind loads a file again with methods that are ready: it returns the host that runs them, nil if the command runs no fits or the file declares
// none, and gives load the output of their version commands, from now or from the run in the folder.
func Bind(ctx context.Context, a *app.App, flags *pflag.FlagSet, file *experiment.File, folder string, load func(algorithm.Methods) (*experiment.File, error)) (*experiment.File, *method.Host, error) {
	if len(file.Methods) == 0 {
		return file, nil, nil
	}
	if !runsMethods(flags) {
		seen, err := readSeen(folder)
		if err != nil {
			return nil, nil, app.Invalid(err)
		}
		m := algorithm.Methods{Kind: method.Describe, Versions: seen.Versions}
		if file.Failures.Unavailable == experiment.Skip {
			m.Lacks = seen.Lacks
		}
		file, err = load(m)
		return file, nil, err
	}
	agreed, err := AskConsent(ctx, a, flags, file.Path, programsOf(file))
	if err != nil {
		return nil, nil, err
	}
	if err := Confine(a, flags, file.Methods); err != nil {
		return nil, nil, err
	}
	host := new(method.Host)
	m := algorithm.Methods{Kind: host.Kind, Agreed: agreed, Versions: map[string]string{}}
	if file.Failures.Unavailable == experiment.Skip {
		m.Lacks, err = askVersionsOfSome(ctx, a, file, m.Versions)
	} else {
		err = askVersions(ctx, file, m.Versions)
	}
	if err != nil {
		return nil, nil, app.Invalid(err)
	}
	m.Run = fmt.Sprintf("%d-%d", time.Now().UnixNano(), os.Getpid())
	bound, err := load(m)
	if err != nil {
		return nil, nil, err
	}
	agreed.Programs = programsOf(bound)
	if err := agreed.Check(); err != nil {
		return nil, nil, app.Invalid(err)
	}
	return bound, host, Confine(a, flags, bound.Methods)
}

// askVersions adds the output of each method's version command to lines.
func askVersions(ctx context.Context, file *experiment.File, lines map[string]string) error {
	for _, d := range file.Methods {
		line, err := process.AskVersion(ctx, d)
		if err != nil {
			return err
		}
		lines[d.Digest()] = line
	}
	return nil
}

// askVersionsOfSome does this for the methods that can run. It returns why the others cannot, after a warning for each reason.
func askVersionsOfSome(ctx context.Context, a *app.App, file *experiment.File, lines map[string]string) (lacks map[string]string, err error) {
	lacks = map[string]string{}
	var reasons []string
	names := map[string][]string{} // of methods, by reason
	for _, d := range file.Methods {
		line, err := process.AskVersion(ctx, d)
		if err == nil {
			err = process.CheckProgram(d)
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil:
			lines[d.Digest()] = line
			continue
		}
		why, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "method "+d.Name+": "), "\n")
		lacks[d.Digest()] = why
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		names[why] = append(names[why], d.Name)
	}
	for _, why := range reasons {
		who, them := "methods", "them"
		if len(names[why]) == 1 {
			who, them = "method", "it"
		}
		a.Warn(fmt.Errorf("%s: %s %s cannot run here, and what uses %s is left out: %s", file.Path, who, source.Abridge(names[why]), them, why))
	}
	return lacks, nil
}

// seenMethods holds what a run has seen of methods, by Declaration.Digest: the output of version commands, and why some methods
// could not run.
type seenMethods struct {
	Versions map[string]string `json:"versions"`
	Lacks    map[string]string `json:"lacks,omitempty"`
}

func readSeen(folder string) (seen seenMethods, err error) {
	content, err := files.Root(folder).ReadFile(versionsFile, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return seen, nil
	} else if err != nil {
		return seen, err
	}
	if err := json.Unmarshal(content, &seen); err != nil {
		return seen, fmt.Errorf("%s: %w", filepath.Join(folder, versionsFile), err)
	}
	return seen, nil
}

// Open lets methods run, if they still are what the user agreed to, with their exchange folders in a run's folder: processes that
// a killed run left there are ended, and versions are kept. If folder is "", they are in a temporary folder. Methods in sandboxes do not
// see what is hidden.
func Open(a *app.App, h *method.Host, bound algorithm.Methods, folder string, hidden ...string) (done func() error, err error) {
	if h == nil {
		return func() error { return nil }, nil
	}
	if err := bound.Agreed.Check(); err != nil {
		return nil, app.Invalid(err)
	}
	h.Hidden = hidden
	done = func() error {
		err := h.Close()
		warnOfLeft(a, h.Left())
		return err
	}
	if folder == "" {
		h.Folder, err = process.Temporary("exchange")
		return done, err
	}
	for _, name := range []string{"exchange", "status/methods"} { // the folder may be somebody else's: no link may lead out of it
		if _, err := files.Root(folder).Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	h.Log = files.Root(folder)
	if err := h.Open(filepath.Join(folder, "exchange")); err != nil {
		return nil, err
	}
	err = files.Replace(filepath.Join(folder, versionsFile), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(seenMethods{bound.Versions, bound.Lacks})
	})
	return done, err
}

// warnOfLeft warns of processes, counted by method, that methods left running.
func warnOfLeft(a *app.App, left map[string]int) {
	for _, name := range slices.Sorted(maps.Keys(left)) {
		a.Warn(fmt.Errorf("method %s ended before others that it had started, %d in all; they were ended", name, left[name]))
	}
}

// Flags that several commands have.

// AddJobsFlag adds --jobs to commands that run several fits.
func AddJobsFlag(cmd *cobra.Command) {
	cmd.Flags().Int("jobs", 0, "fits at a time; 0 for one a processor (TENFOLD_JOBS)")
	AddFlags(cmd)
}
