package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// keyed lists the flags whose elements are KEY=VALUE and whose keys may have only one value.
var keyed = []string{"set", "file", "filter"}

// refuseRepeated makes every flag of a command and its subcommands reject a second value that would replace the first. Flags of
// lists accept any number.
func refuseRepeated(cmd *cobra.Command) {
	refuse := func(f *pflag.Flag) {
		_, list := f.Value.(pflag.SliceValue)
		switch {
		case slices.Contains(keyed, f.Name):
			f.Value = &onceEach{f.Value, map[string]string{}}
		case !list:
			f.Value = &once{Value: f.Value}
		}
	}
	cmd.LocalFlags().VisitAll(refuse)
	for _, c := range cmd.Commands() {
		refuseRepeated(c)
	}
}

// repeated is the error of a flag with two values.
type repeated struct{ first, second string }

func (r repeated) Error() string {
	return fmt.Sprintf("given twice, as %q and %q, and one value was expected", r.first, r.second)
}

// once wraps a flag that has one value.
type once struct {
	pflag.Value
	given bool
}

// Set sets the value the first time, and again to the same.
func (o *once) Set(text string) error {
	before, given := o.String(), o.given
	if err := o.Value.Set(text); err != nil {
		return err
	}
	if o.given = true; given && o.String() != before {
		return repeated{before, o.String()}
	}
	return nil
}

// onceEach wraps a flag of a list with one value per key.
type onceEach struct {
	pflag.Value
	elements map[string]string // by key
}

// Set adds an element, unless its key has another value.
func (o *onceEach) Set(text string) error {
	key, _, _ := strings.Cut(text, "=")
	if before, given := o.elements[key]; given && before != text {
		return repeated{before, text}
	}
	o.elements[key] = text
	return o.Value.Set(text)
}
