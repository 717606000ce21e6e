package sourcetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// measured is the environment variable by which Peak tells its process what to do.
const measured = "TENFOLD_TEST_PEAK"

// Measured returns the task that Peak has for this process, "" in the process that calls Peak.
func Measured() string { return os.Getenv(measured) }

// Peak runs the calling test once more, alone in a process of its own, where Measured returns the task, and returns the most bytes of
// memory that the process held at a time, and what it said last. A process that asks for more than most bytes of addresses ends.
func Peak(t *testing.T, task string, most int64) (peak int64, text string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(t.Name(), "/")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "-test.run=^"+name+"$", "-test.v=false")
	cmd.Env = append(os.Environ(), measured+"="+task, fmt.Sprintf("%s_MOST=%d", measured, most))
	out, _ := cmd.CombinedOutput() // the report says what failed
	text = string(out)
	_, report, ok := strings.Cut(text, "\npeak ")
	if _, err := fmt.Sscanf(report, "%d", &peak); !ok || err != nil {
		text = text[:min(len(text), 600)]
		return most, text
	}
	_, text, _ = strings.Cut(report, " ")
	text, _, _ = strings.Cut(text, "\n")
	return peak, text
}

// Report does the work of the process of Peak, and prints the peak and the error.
func Report(work func() error) {
	var most uint64
	fmt.Sscan(os.Getenv(measured+"_MOST"), &most)
	if most > 0 {
		if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			fmt.Println(err)
		}
	}
	err := work()
	status, _ := os.ReadFile("/proc/self/status")
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	fmt.Sscan(peak, &kib)
	fmt.Printf("\npeak %d %.300q\n", kib<<10, fmt.Sprint(err))
}
