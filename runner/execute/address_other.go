//go:build !(linux || darwin || freebsd)

package execute

// addressLimit returns 0, for none: the system has no such limit, or another kind of one.
func addressLimit() int64 { return 0 }
