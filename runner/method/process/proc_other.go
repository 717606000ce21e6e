//go:build !linux

package process

// On this system processes cannot be inspected.

func startOf(int) string { return "-" }

func endLeftBehind(string) {}
