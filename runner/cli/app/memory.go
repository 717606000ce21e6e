package app

import (
	"github.com/spf13/cobra"

	"tenfold/io/scratch"
	"tenfold/runner/execute"
	"tenfold/runner/settings"
)

// MemoryOptions returns run options with the memory limits: what the user allows, or else what the system says there is.
func MemoryOptions(tool settings.Settings) execute.Options {
	opt := execute.Options{Memory: execute.MemoryBudget(), MemoryLimit: execute.MemoryMost()}
	if tool.Memory > 0 {
		opt.Memory, opt.MemoryLimit = tool.Memory, tool.Memory
	}
	if tool.Cache != "" {
		opt.Scratch = scratch.In(tool.Cache)
	}
	return opt
}

// ReadingMemory returns the bytes that reading a data set may take: a quarter of the fits' memory, at most 1 GiB.
func ReadingMemory(tool settings.Settings) int64 {
	if share := MemoryOptions(tool).Memory / 4; share > 0 {
		return min(share, 1<<30)
	}
	return 0
}

// AddMemoryFlag adds --memory to commands that fit, or predict what fitting takes.
func AddMemoryFlag(cmd *cobra.Command) {
	cmd.Flags().String("memory", "", "memory that fits may take together, such as 8GiB; by default most of what is available (TENFOLD_MEMORY)")
}
