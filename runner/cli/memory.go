package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"tenfold/io/scratch"
	"tenfold/runner"
	"tenfold/runner/settings"
)

// within is a run's options as far as memory goes: what the user allows, or else what the system says there is.
func within(tool settings.Settings) runner.Options {
	opt := runner.Options{Memory: runner.MemoryBudget(), Most: runner.MemoryMost()}
	if tool.Memory > 0 {
		opt.Memory, opt.Most = tool.Memory, tool.Memory
	}
	if tool.Cache != "" {
		opt.Scratch = scratch.In(tool.Cache)
	}
	return opt
}

// reading is about how much memory it may take to read a data set: a quarter of what fits may, at most 1 GiB.
func reading(tool settings.Settings) int64 {
	if most := within(tool).Memory / 4; most > 0 {
		return min(most, 1<<30)
	}
	return 0
}

// memoryFlag of commands that fit, or say what fitting would take.
func memoryFlag(cmd *cobra.Command) {
	cmd.Flags().String("memory", "", "memory that fits may take together, such as 8GiB; by default most of what is available (TENFOLD_MEMORY)")
}

// fits is an error, of the arguments, where a fit needs more memory than there is.
func (j job) fits() error {
	if err := within(j.tool).Fits(j.units()); err != nil {
		return invalid(fmt.Errorf("%s cannot run here:\n%w", j.File.Name, err))
	}
	return nil
}
