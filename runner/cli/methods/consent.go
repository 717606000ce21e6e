package methods

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tenfold/io/sanitize"
	"tenfold/runner/cli/app"
	"tenfold/runner/experiment"
	"tenfold/runner/method/declaration"
)

// Methods run only with the user's consent.

const (
	AllowFlag     = "allow-methods"
	allowVariable = "TENFOLD_ALLOW_METHODS"
)

// addAllowFlag adds --allow-methods to commands that run fits.
func addAllowFlag(cmd *cobra.Command) {
	cmd.Flags().Bool(AllowFlag, false, "let the programs run that the files declare under methods ("+allowVariable+"=1)")
}

// runsMethods reports whether a command runs fits, and with them methods.
func runsMethods(flags *pflag.FlagSet) bool { return flags.Lookup(AllowFlag) != nil }

// allowance is what a command line and its environment allow.
type allowance struct {
	all      bool     // any method that gets at no more than its own folder and a small environment
	declared []string // digests of the methods that may run in a job, by the user who submitted it
}

// readAllowance reads the flag and the variable.
func readAllowance(flags *pflag.FlagSet) (given allowance, err error) {
	if given.all, err = flags.GetBool(AllowFlag); err != nil {
		return given, err
	}
	text := os.Getenv(allowVariable)
	if text == "" {
		return given, nil
	}
	if all, err := strconv.ParseBool(text); err == nil {
		given.all = given.all || all
		return given, nil
	}
	given.declared = strings.Split(text, ",")
	for _, digest := range given.declared {
		if !declaration.IsDigest(digest) {
			return given, app.Invalid(fmt.Errorf("%s: found %q, expected 1 or 0", allowVariable, text))
		}
	}
	return given, nil
}

// AllowInJob returns the line of shell that lets the methods of a file run in a job of a cluster, and no others.
func AllowInJob(file *experiment.File) string {
	var digests []string
	for _, p := range programsOf(file) {
		digests = append(digests, p.Digest())
	}
	return "export " + allowVariable + "=" + strings.Join(digests, ",")
}

// programsOf returns the methods of a file.
func programsOf(file *experiment.File) (programs []declaration.Program) {
	for _, d := range file.Methods {
		programs = append(programs, d)
	}
	return programs
}

// question is a program that the user is asked about.
type question struct {
	program  declaration.Program
	consent  *declaration.Consent
	last     *declaration.Consent // what the user last said yes to; nil if that is not known
	exposure declaration.Exposure
}

// AskConsent returns what the user agrees to, or an error unless all programs that a file names may run. At a terminal it asks,
// and remembers the answer.
func AskConsent(ctx context.Context, a *app.App, flags *pflag.FlagSet, file string, programs []declaration.Program) (*declaration.Agreed, error) {
	given, err := readAllowance(flags)
	if err != nil {
		return nil, err
	}
	agreed := &declaration.Agreed{Programs: programs, Consents: map[string]*declaration.Consent{}}
	var open []question
	for _, p := range programs {
		q := question{program: p}
		if q.exposure, err = p.Declared().Exposure(); err != nil {
			return nil, app.Invalid(err)
		}
		if agreed.Consents[p.Digest()] = nil; !slices.Contains(given.declared, p.Digest()) && (!given.all || q.exposure.Any()) {
			open = append(open, q)
		}
	}
	if len(open) == 0 {
		return agreed, nil
	}
	path, err := declaration.AllowedFile()
	if err != nil {
		return nil, err
	}
	allowed, err := declaration.ReadAllowed(path)
	if err != nil {
		return nil, app.Invalid(err)
	}
	tool, err := a.ToolSettings(flags)
	if err != nil {
		return nil, err
	}
	agreed.Own = []string{tool.Cache, filepath.Dir(path)}
	var missing []question
	for _, q := range open {
		if q.program.InFolder() && (given.all || !q.exposure.Any()) && allowed.AllowsFolder(q.program.Declared().Folder) {
			continue
		}
		c, err := q.program.Consent(agreed.Own...)
		if err != nil {
			return nil, app.Invalid(err)
		}
		agreed.Consents[q.program.Digest()] = &c
		if !allowed.Allows(c) {
			q.consent, q.last = &c, allowed.Last(c)
			missing = append(missing, q)
		}
	}
	if len(missing) == 0 {
		return agreed, nil
	}
	if app.IsTerminal(os.Stdin) && app.IsTerminal(a.Live) {
		a.Notef("%s runs these programs, with your rights:", file)
		for _, line := range strings.Split(listPrograms(missing, true), "\n") {
			a.Notef("%s\n", line)
		}
		a.Notef("Run them, now and later? [y/N] ")
		if app.AskYes(ctx, os.Stdin) {
			var yes []declaration.Consent
			for _, q := range missing {
				yes = append(yes, *q.consent)
			}
			if err := agreed.Check(); err != nil { // the answer may have taken long
				return nil, app.Invalid(err)
			}
			return agreed, allowed.Remember(yes)
		}
	}
	lines := strings.Split("would run programs that nobody has allowed here:"+listPrograms(missing, false)+waysToAllow(allowed, missing), "\n")
	lines[0] = file + " " + lines[0]
	return nil, app.Invalid(sanitize.NewLines(lines...))
}

// listPrograms says what would run, and what changed since the last yes. For a question it says all that the answer is about; an error may
// be read in a log, where values of variables do not belong.
func listPrograms(missing []question, asking bool) string {
	var b strings.Builder
	in := "" // the last folder listed
	for _, q := range missing {
		c := q.consent
		if c.Folder != in {
			in = c.Folder
			fmt.Fprintf(&b, "\n in %s:", sanitize.Line(in))
		}
		fmt.Fprintf(&b, "\n  %s: %s", c.Method, sanitize.Line(strings.Join(c.Command, " ")))
		add := func(name, text string) {
			if text != "" {
				fmt.Fprintf(&b, "\n    %s: %s", name, sanitize.Line(text))
			}
		}
		if version := strings.Join(c.Version, " "); asking {
			add("version", version)
			add("container", strings.TrimSpace(c.Container.Image+" "+c.Container.Runtime))
			add("env", describeEnv(c.Env))
			add("code", describeCode(c))
		} else if version != "" {
			fmt.Fprintf(&b, "\n  %s: %s", strings.Repeat(" ", len(c.Method)), sanitize.Line(version))
		}
		if q.last != nil {
			add("changed since the last yes", someOf(c.Changes(*q.last)))
		}
		add("gets secrets of your environment", strings.Join(q.exposure.Secrets, ", "))
		add("code outside its folder", someOf(q.exposure.Outside))
	}
	return b.String()
}

// describeEnv names variables of the environment, with the values of those that hold no secrets.
func describeEnv(names []string) string {
	var out []string
	for _, name := range names {
		switch value, ok := os.LookupEnv(name); {
		case !ok:
			name += " (not set)"
		case !declaration.IsSecret(name):
			name += "=" + value
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// describeCode says which files a consent is to.
func describeCode(c *declaration.Consent) string {
	var names []string
	for _, f := range c.Files {
		names = append(names, f.Path)
	}
	files := app.Pluralize(len(names), "file")
	if len(names) > 0 {
		files += ", " + someOf(names)
	}
	switch {
	case len(c.Code) == 0:
		return "none is declared, so all of its folder: " + files
	case c.Code[0] == declaration.CodeNone && len(names) == 0:
		return "none: what is installed runs"
	case c.Code[0] == declaration.CodeNone:
		return "none: what is installed runs, and " + files
	}
	return files
}

// someOf joins at most the first five texts.
func someOf(texts []string) string {
	const limit = 5
	if len(texts) <= limit {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:limit], ", "), len(texts)-limit)
}

// waysToAllow says how programs can be allowed without a terminal: by the flag, and for those that get at more also by a line of the
// user's settings.
func waysToAllow(allowed declaration.Allowed, missing []question) string {
	var b strings.Builder
	flag := fmt.Sprintf("--%s, or %s=1,", AllowFlag, allowVariable)
	if slices.ContainsFunc(missing, func(q question) bool { return !q.exposure.Any() }) {
		fmt.Fprintf(&b, "\n%s lets them run", flag)
	}
	for _, q := range missing {
		if q.exposure.Any() {
			fmt.Fprintf(&b, "\nmethod %s gets secrets, or has code outside its folder: without a terminal it runs only with %s and with this line in %s:\n%s",
				q.consent.Method, flag, allowed.Path, allowed.Line(q.program, *q.consent))
		}
	}
	return b.String()
}
