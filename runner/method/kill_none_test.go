//go:build !unix

package method

import "os"

func killSelf() { os.Exit(9) }

func gone(int) bool { return true }
