package reports

import "tenfold/engines/data"

// SetFacts describes one data set of a run.
type SetFacts struct {
	Name         string
	Family, Task string // "" where it is no task
	Folds        int    // planned, repeats included; 0 when unknown
	Facts        []data.Fact
}

// MethodFacts describes a program that is an engine of the run.
type MethodFacts struct {
	Name  string
	Facts []data.Fact // command, version, digests of its code
}

// Budget is how many points algorithms might tune over, and how many they did.
type Budget struct {
	Tuned int // at most; 0 where there is no budget
	Spent []Spent
}

// Spent is the points that an algorithm tuned over.
type Spent struct {
	Algorithm string
	Points    int
}
