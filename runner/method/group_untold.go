//go:build !linux

package method

import "math"

// On this system, processes and their groups cannot be inspected.

func startOf(int) string { return "-" }

func endLeftOver(int, string, string) {}

func residentBytes(int) int64 { return 0 }

func leaderSeconds(int) float64 { return math.NaN() }

func groupLives(int) bool { return false }

func peakBytes(int) int64 { return 0 }
