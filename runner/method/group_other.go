//go:build unix && !linux

package method

import (
	"errors"
	"math"
	"os/exec"
	"syscall"
)

func ownGroup(c *exec.Cmd, sandbox bool) error {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if sandbox {
		return errors.New("this system has none")
	}
	return nil
}

func startOf(int) string { return "-" }

func endLeftOver(int, string, string) {}

func residentBytes(int) int64 { return 0 }

func leaderSeconds(int) float64 { return math.NaN() }

func groupLives(int) bool { return false }

func peakBytes(int) int64 { return 0 }
