//go:build !(linux || darwin || freebsd)

package runner

// addressLimit is 0, for none: such systems have no such limit, or another one.
func addressLimit() int64 { return 0 }
