//go:build !race

package parallel

// RaceDetector tells whether the race detector is built in.
const RaceDetector = false
