//go:build !unix

package method

import (
	"errors"
	"os"
	"time"
)

func killSelf() { os.Exit(9) }

func makePipe(string) error { return errors.ErrUnsupported }

func gone(int) bool { return true }

func holdMapped(string, time.Duration) error { return errors.ErrUnsupported }
