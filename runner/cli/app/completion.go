package app

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Completer completes an argument or a flag in shells.
type Completer = cobra.CompletionFunc

// WithPrefix keeps the words that begin with prefix.
func WithPrefix(words []string, prefix string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, prefix) })
}

// CompleteFolders lets the shell offer folders.
func CompleteFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// CompleteExtension lets the shell offer files with that extension.
func CompleteExtension(name string) Completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{name}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// CompleteWords completes a flag with fixed words.
func CompleteWords(all ...string) Completer {
	return func(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
		return WithPrefix(slices.Clone(all), toComplete), cobra.ShellCompDirectiveNoFileComp
	}
}
