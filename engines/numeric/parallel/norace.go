//go:build !race

package parallel

// RaceDetector reports whether the race detector is built in.
const RaceDetector = false
