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
	"tenfold/runner/method"
	"tenfold/runner/spec"
)

// Programs that experiment files declare as engines run only where the user has said so.

const (
	allowFlag     = "allow-methods"
	allowVariable = "TENFOLD_ALLOW_METHODS"
)

// addAllowFlag adds --allow-methods to commands that run fits.
func addAllowFlag(cmd *cobra.Command) {
	cmd.Flags().Bool(allowFlag, false, "let the programs run that the files declare under methods ("+allowVariable+"=1)")
}

// runsMethods tells whether a command runs fits, and with them methods.
func runsMethods(flags *pflag.FlagSet) bool { return flags.Lookup(allowFlag) != nil }

// allowsAll tells whether the flag or the variable lets all methods run.
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

// versionsFile is where a run's folder keeps what versions printed, for commands that run nothing.
const versionsFile = "methods.json"

// bindMethods loads a file again whose methods are ready: with what runs them where the command runs fits, and with the lines that their
// versions print, or printed in the run of the folder.
func (a *App) bindMethods(ctx context.Context, flags *pflag.FlagSet, file *spec.File, folder string, load func(spec.Methods) (*spec.File, error)) (*spec.File, error) {
	if len(file.Methods) == 0 {
		return file, nil
	}
	if !runsMethods(flags) {
		versions, err := readVersions(folder)
		if err != nil {
			return nil, invalidInput(err)
		}
		return load(spec.Methods{Versions: versions})
	}
	if err := a.askMethodConsent(ctx, flags, file); err != nil {
		return nil, err
	}
	m := spec.Methods{Host: &method.Host{}, Versions: map[string]string{}}
	for _, d := range file.Methods {
		line, err := d.AskVersion(ctx)
		if err != nil {
			return nil, invalidInput(err)
		}
		m.Versions[d.Consent()] = line
	}
	m.Run = fmt.Sprintf("%d-%d", time.Now().UnixNano(), os.Getpid())
	return load(m)
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
	for _, p := range programs {
		if allowed.Allows(p) {
			continue
		}
		missing = append(missing, p)
		d := p.Declared()
		fmt.Fprintf(&commands, "\n  %s: %s", d.Name, sanitize.Line(strings.Join(d.Command, " ")))
		if len(d.Version) > 0 {
			fmt.Fprintf(&commands, "\n  %s: %s", strings.Repeat(" ", len(d.Name)), sanitize.Line(strings.Join(d.Version, " ")))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if isTerminal(os.Stdin) && isTerminalWriter(a.Errs) {
		fmt.Fprintf(a.Errs, "%s runs these programs, with your rights, in %s:%s\nRun them, now and later? [y/N] ", file, sanitize.Line(missing[0].Declared().Folder), commands.String())
		if askYes(ctx, os.Stdin) {
			return allowed.Remember(missing)
		}
	}
	return invalidInput(fmt.Errorf("%s would run programs that nobody has allowed here:%s\n--%s, or %s=1, lets them run", file, commands.String(), allowFlag, allowVariable))
}

func readVersions(folder string) (map[string]string, error) {
	path := filepath.Join(folder, versionsFile)
	content, err := files.ReadRegular(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	versions := map[string]string{}
	if err := json.Unmarshal(content, &versions); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return versions, nil
}

// openMethods lets methods run, with their folders in a run's folder: what a killed process left there is ended, and versions are
// kept. Without one they are in a temporary folder.
func openMethods(bound spec.Methods, folder string) (done func() error, err error) {
	h := bound.Host
	if h == nil {
		return func() error { return nil }, nil
	}
	if folder == "" {
		h.Folder, err = os.MkdirTemp("", "tenfold-exchange-")
		return h.Close, err
	}
	h.Log = filepath.Join(folder, "status", "methods")
	if err := h.Open(filepath.Join(folder, "exchange")); err != nil {
		return nil, err
	}
	err = files.Replace(filepath.Join(folder, versionsFile), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(bound.Versions)
	})
	return h.Close, err
}
