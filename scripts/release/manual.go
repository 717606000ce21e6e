package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tenfold/runner/cli"
	"tenfold/runner/cli/app"
)

// completions of the shells, as an archive has them.
var completions = map[string]string{"bash": "tenfold.bash", "zsh": "_tenfold", "fish": "tenfold.fish", "powershell": "tenfold.ps1"}

// manual returns a page of section 1 for each command, and a script of completions for each shell.
func manual(version string, modified time.Time) ([]file, error) {
	var files []file
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.Name() == "help" {
			return
		}
		files = append(files, file{"man/" + manualName(cmd) + ".1", 0o644, manualPage(cmd, version, modified)})
		for _, child := range cmd.Commands() {
			visit(child)
		}
	}
	visit(cli.Commands(&app.App{Out: io.Discard, Errs: io.Discard}))
	for shell, name := range completions {
		var out, errs bytes.Buffer
		if code := cli.Run(context.Background(), &app.App{Out: &out, Errs: &errs}, []string{"completion", shell}); code != 0 {
			return nil, fmt.Errorf("completion %s: %s", shell, errs.String())
		}
		files = append(files, file{"completions/" + name, 0o644, out.Bytes()})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

func manualName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manualPage returns a command's help in roff's macros of manual pages.
func manualPage(cmd *cobra.Command, version string, modified time.Time) []byte {
	var b bytes.Buffer
	section := func(title string) { fmt.Fprintf(&b, ".SH %s\n", title) }
	fmt.Fprintf(&b, ".TH %s 1 %s \"tenfold %s\" tenfold\n", strings.ToUpper(roff(manualName(cmd))), modified.Format(time.DateOnly), roff(version))
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(manualName(cmd)), roff(cmd.Short))
	section("SYNOPSIS")
	fmt.Fprintf(&b, ".B %s\n", roff(cmd.UseLine()))
	section("DESCRIPTION")
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	literal := false
	for line := range strings.SplitSeq(text, "\n") {
		if indented := strings.HasPrefix(line, "  "); indented != literal && line != "" {
			literal = indented
			b.WriteString(map[bool]string{true: ".PP\n.nf\n", false: ".fi\n.PP\n"}[literal])
		}
		if line == "" {
			b.WriteString(".PP\n")
			continue
		}
		b.WriteString(roff(line) + "\n")
		if !literal {
			b.WriteString(".br\n")
		}
	}
	if literal {
		b.WriteString(".fi\n")
	}
	if cmd.HasAvailableLocalFlags() {
		section("OPTIONS")
		writeFlags(&b, cmd.NonInheritedFlags())
	}
	if cmd.HasAvailableInheritedFlags() {
		section("OPTIONS OF ALL COMMANDS")
		writeFlags(&b, cmd.InheritedFlags())
	}
	var also []string
	if cmd.HasParent() {
		also = append(also, manualName(cmd.Parent()))
	}
	for _, child := range cmd.Commands() {
		if !child.Hidden && child.Name() != "help" {
			also = append(also, manualName(child))
		}
	}
	if len(also) > 0 {
		section("SEE ALSO")
		for i, name := range also {
			fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(name), map[bool]string{true: ",", false: ""}[i < len(also)-1])
		}
	}
	return b.Bytes()
}

func writeFlags(b *bytes.Buffer, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(b, "\\fB\\-%s\\fR, ", f.Shorthand)
		}
		fmt.Fprintf(b, "\\fB\\-\\-%s\\fR", roff(f.Name))
		if kind != "" {
			fmt.Fprintf(b, " \\fI%s\\fR", roff(kind))
		}
		fmt.Fprintf(b, "\n%s", roff(usage))
		if d := f.DefValue; d != "" && d != "[]" && d != "false" && d != "0" {
			fmt.Fprintf(b, " (default %s)", roff(d))
		}
		b.WriteByte('\n')
	})
}

// roff escapes a line of text: backslashes, dashes as they are typed, and a control character at its beginning.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}
