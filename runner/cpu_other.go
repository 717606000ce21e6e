//go:build !linux

package runner

// threadSeconds is not known here: results show 0.
func threadSeconds() float64 { return 0 }
