package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tenfold/io/files"
	"tenfold/io/sanitize"
	"tenfold/io/source"
	"tenfold/runner/method"
	"tenfold/runner/spec"
)

// Programs that experiment files declare as engines run only with the user's consent.

const (
	allowFlag     = "allow-methods"
	allowVariable = "TENFOLD_ALLOW_METHODS"
)

// addAllowFlag adds --allow-methods to commands that run fits.
func addAllowFlag(cmd *cobra.Command) {
	cmd.Flags().Bool(allowFlag, false, "let the programs run that the files declare under methods ("+allowVariable+"=1)")
}

// runsMethods reports whether a command runs fits, and with them methods.
func runsMethods(flags *pflag.FlagSet) bool { return flags.Lookup(allowFlag) != nil }

// allowsAll reports whether the flag or the variable allows all methods.
func allowsAll(flags *pflag.FlagSet) (bool, error) {
	if all, err := flags.GetBool(allowFlag); err == nil && all {
		return true, nil
	}
	text := os.Getenv(allowVariable)
	if text == "" {
		return false, nil
	}
	all, err := strconv.ParseBool(text)
	if err != nil {
		return false, invalidInput(fmt.Errorf("%s: found %q, expected 1 or 0", allowVariable, text))
	}
	return all, nil
}

// versionsFile is the file in a run's folder with the versions seen of methods, for commands that run nothing.
const versionsFile = "methods.json"

// bindMethods loads a file again with methods that are ready: with the host that runs them, if the command runs fits, and with the
// output of their version commands, from now or from the run in the folder.
func (a *App) bindMethods(ctx context.Context, flags *pflag.FlagSet, file *spec.File, folder string, load func(spec.Methods) (*spec.File, error)) (*spec.File, error) {
	if len(file.Methods) == 0 {
		return file, nil
	}
	if !runsMethods(flags) {
		seen, err := readSeen(folder)
		if err != nil {
			return nil, invalidInput(err)
		}
		m := spec.Methods{Versions: seen.Versions}
		if file.Failures.Unavailable == spec.Skip {
			m.Lacks = seen.Lacks
		}
		return load(m)
	}
	if err := a.askMethodConsent(ctx, flags, file); err != nil {
		return nil, err
	}
	m := spec.Methods{Host: &method.Host{}, Versions: map[string]string{}}
	var err error
	if file.Failures.Unavailable == spec.Skip {
		m.Lacks, err = a.askVersionsOfSome(ctx, file, m.Versions)
	} else {
		err = askVersions(ctx, file, m.Versions)
	}
	if err != nil {
		return nil, invalidInput(err)
	}
	m.Run = fmt.Sprintf("%d-%d", time.Now().UnixNano(), os.Getpid())
	bound, err := load(m)
	if err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	for _, d := range file.Methods {
		asked[d.Consent()] = true
	}
	for _, d := range bound.Methods {
		if !asked[d.Consent()] {
			return nil, invalidInput(fmt.Errorf("%s: method %s is declared otherwise than a moment ago, when it was asked whether it may run: run again", d.File, d.Name))
		}
	}
	return bound, nil
}

// askVersions adds the output of each method's version command to lines.
func askVersions(ctx context.Context, file *spec.File, lines map[string]string) error {
	for _, d := range file.Methods {
		line, err := d.AskVersion(ctx)
		if err != nil {
			return err
		}
		lines[d.Consent()] = line
	}
	return nil
}

// askVersionsOfSome does this for the methods that can run. It returns why the others cannot, after a warning for each reason.
func (a *App) askVersionsOfSome(ctx context.Context, file *spec.File, lines map[string]string) (lacks map[string]string, err error) {
	lacks = map[string]string{}
	var reasons []string
	names := map[string][]string{} // of methods, by reason
	for _, d := range file.Methods {
		line, err := d.AskVersion(ctx)
		if err == nil {
			err = d.Runnable()
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil:
			lines[d.Consent()] = line
			continue
		}
		why, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "method "+d.Name+": "), "\n")
		lacks[d.Consent()] = why
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
		a.warn(fmt.Errorf("%s: %s %s cannot run here, and what uses %s is left out: %s", file.Path, who, source.Abridge(names[why]), them, why))
	}
	return lacks, nil
}

// askMethodConsent returns an error unless all methods of a file may run. At a terminal it asks, and remembers the answer.
func (a *App) askMethodConsent(ctx context.Context, flags *pflag.FlagSet, file *spec.File) error {
	programs := make([]method.Program, len(file.Methods))
	for i, d := range file.Methods {
		programs[i] = d
	}
	return a.askProgramConsent(ctx, flags, file.Path, programs)
}

// askProgramConsent returns an error unless all programs that a file names may run. At a terminal it asks, and remembers the answer.
func (a *App) askProgramConsent(ctx context.Context, flags *pflag.FlagSet, file string, programs []method.Program) error {
	all, err := allowsAll(flags)
	if err != nil || all {
		return err
	}
	path, err := method.AllowedFile()
	if err != nil {
		return err
	}
	allowed, err := method.ReadAllowed(path)
	if err != nil {
		return invalidInput(err)
	}
	var missing []method.Program
	var commands strings.Builder
	in := "" // the last folder listed
	for _, p := range programs {
		if allowed.Allows(p) {
			continue
		}
		missing = append(missing, p)
		d := p.Declared()
		if folder := sanitize.Line(d.Folder); folder != in {
			in = folder
			fmt.Fprintf(&commands, "\n in %s:", in)
		}
		fmt.Fprintf(&commands, "\n  %s: %s", d.Name, sanitize.Line(strings.Join(d.Command, " ")))
		if len(d.Version) > 0 {
			fmt.Fprintf(&commands, "\n  %s: %s", strings.Repeat(" ", len(d.Name)), sanitize.Line(strings.Join(d.Version, " ")))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if isTerminal(os.Stdin) && isTerminal(a.Errs) {
		fmt.Fprintf(a.Errs, "%s runs these programs, with your rights,%s\nRun them, now and later? [y/N] ", file, commands.String())
		if askYes(ctx, os.Stdin) {
			return allowed.Remember(missing)
		}
	}
	return invalidInput(fmt.Errorf("%s would run programs that nobody has allowed here:%s\n--%s, or %s=1, lets them run", file, commands.String(), allowFlag, allowVariable))
}

// seenMethods holds what a run has seen of methods, by Declaration.Consent: the output of version commands, and why some methods
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
	if err = json.Unmarshal(content, &seen); err == nil && seen.Versions == nil {
		err = json.Unmarshal(content, &seen.Versions) // an older tenfold wrote only these
	}
	if err != nil {
		return seen, fmt.Errorf("%s: %w", filepath.Join(folder, versionsFile), err)
	}
	return seen, nil
}

// openMethods lets methods run, with their exchange folders in a run's folder: processes that a killed run left there are ended,
// and versions are kept. If folder is "", they are in a temporary folder.
func openMethods(bound spec.Methods, folder string) (done func() error, err error) {
	h := bound.Host
	if h == nil {
		return func() error { return nil }, nil
	}
	if folder == "" {
		h.Folder, err = method.Temporary("exchange")
		return h.Close, err
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
	return h.Close, err
}
