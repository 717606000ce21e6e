package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tenfold/engines/suggest"
	"tenfold/runner/cli/app"
)

// expectedValue describes the values of flags, by their types.
var expectedValue = map[string]string{"bool": "true or false", "int": "an integer", "int64": "an integer", "intSlice": "integers with commas between them"}

func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown  *pflag.NotExistError
		valued   *pflag.ValueRequiredError
		mistaken *pflag.InvalidValueError
		twice    repeated
	)
	switch {
	case errors.As(err, &unknown):
		name, near := "-"+unknown.GetSpecifiedName(), ""
		if unknown.GetSpecifiedShortnames() == "" {
			name = "-" + name
			var names []string
			cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
			near = suggest.DidYouMean(name, names)
		}
		if near == "" {
			near = fmt.Sprintf("; %s --help lists those there are", cmd.CommandPath())
		}
		err = fmt.Errorf("unknown flag %s of %s%s", name, cmd.CommandPath(), near)
	case errors.As(err, &valued):
		err = fmt.Errorf("--%s: expected a value after it", valued.GetFlag().Name)
	case errors.As(err, &mistaken) && errors.As(err, &twice):
		err = fmt.Errorf("--%s: %w", mistaken.GetFlag().Name, twice)
	case errors.As(err, &mistaken):
		if expected := expectedValue[mistaken.GetFlag().Value.Type()]; expected != "" {
			err = fmt.Errorf("--%s: found %q, expected %s", mistaken.GetFlag().Name, mistaken.GetValue(), expected)
		}
	}
	return app.Invalid(err)
}
