//go:build !unix

package cli_test

import (
	"errors"
	"os/exec"
)

func nobody(*exec.Cmd) error {
	return errors.New("folders that may not be written to are not tried on this system")
}
