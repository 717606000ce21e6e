package cli

import (
	"github.com/spf13/cobra"

	"tenfold/io/scratch"
	"tenfold/runner/execute"
	"tenfold/runner/settings"
)

// memoryOptions returns run options with the memory limits: what the user allows, or else what the system says there is.
func memoryOptions(tool settings.Settings) execute.Options {
	opt := execute.Options{Memory: execute.MemoryBudget(), Most: execute.MemoryMost()}
	if tool.Memory > 0 {
		opt.Memory, opt.Most = tool.Memory, tool.Memory
	}
	if tool.Cache != "" {
		opt.Scratch = scratch.In(tool.Cache)
	}
	return opt
}

// readingMemory returns the bytes that reading a data set may take: a quarter of the fits' memory, at most 1 GiB.
func readingMemory(tool settings.Settings) int64 {
	if most := memoryOptions(tool).Memory / 4; most > 0 {
		return min(most, 1<<30)
	}
	return 0
}

// addMemoryFlag adds --memory to commands that fit, or predict what fitting takes.
func addMemoryFlag(cmd *cobra.Command) {
	cmd.Flags().String("memory", "", "memory that fits may take together, such as 8GiB; by default most of what is available (TENFOLD_MEMORY)")
}
