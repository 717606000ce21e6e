package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// completer completes an argument or a flag in shells.
type completer = cobra.CompletionFunc

// withPrefix keeps the words that begin with prefix.
func withPrefix(words []string, prefix string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, prefix) })
}

func completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeExtension lets the shell offer files with that extension.
func completeExtension(name string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{name}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// completeWords completes a flag with fixed words.
func completeWords(all ...string) completer {
	return func(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
		return withPrefix(slices.Clone(all), toComplete), cobra.ShellCompDirectiveNoFileComp
	}
}
