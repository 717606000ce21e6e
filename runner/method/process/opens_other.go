//go:build !linux

package process

// opens watches no files on this system.
type opens struct{}

func newOpens() *opens { return &opens{} }

func (*opens) add(string) {}

func (*opens) take(func(folder, path string, written bool)) {}

func (*opens) close() {}
