package show

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/reports/serve"
	"tenfold/runner/cli/app"
	"tenfold/runner/plan"
)

// defaultPort is used if it is free, so that pages keep their address.
const defaultPort = "8010"

// ServeCommand returns the command serve.
func ServeCommand(a *app.App) *cobra.Command {
	var addr string
	var public, open bool
	cmd := &cobra.Command{
		Use: "serve [RUN...]", Short: "Show runs in a browser, also while they go on",
		Long: "Shows the folders of runs, by default all in " + app.RunsFolder + "/, on pages of this machine. Nothing is written, and nobody else can see\n" +
			"them unless an address is given that other machines reach, with --public.",
		RunE: func(cmd *cobra.Command, args []string) error {
			l, host, err := listenOn(addr, public)
			if err != nil {
				return err
			}
			if err := app.CheckFolders(args); err != nil {
				return errors.Join(err, l.Close())
			}
			return servePages(cmd.Context(), a, l, serve.Options{Runs: func() []serve.Run { return servedRuns(args) }, Host: host, Public: public}, open)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "address to listen on: a port, or HOST:PORT (default 127.0.0.1:"+defaultPort+", or a free port where that is taken)")
	cmd.Flags().BoolVar(&public, "public", false, "allow an address that other machines can reach")
	cmd.Flags().BoolVar(&open, "open", false, "open a browser")
	return cmd
}

// listenOn opens addr. It returns an error for addresses that other machines can reach unless public is set.
func listenOn(addr string, public bool) (l net.Listener, host string, err error) {
	var port string
	usual, given := addr == "", addr
	switch {
	case usual:
		addr = net.JoinHostPort("127.0.0.1", defaultPort)
	case !strings.Contains(addr, ":"):
		addr = net.JoinHostPort("127.0.0.1", addr)
	}
	host, port, err = net.SplitHostPort(addr)
	if err != nil {
		return nil, "", app.Invalid(fmt.Errorf("--addr %s: expected a port, or HOST:PORT: %w", addr, err))
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return nil, "", app.Invalid(fmt.Errorf("--addr %s: expected a port, or HOST:PORT", given))
	}
	if ip := net.ParseIP(host); !public && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, "", app.Invalid(fmt.Errorf("--addr %s: other machines may reach this address, and everybody there can read the runs; --public says that this is meant", addr))
	}
	l, err = net.Listen("tcp", addr)
	if err != nil && usual {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, "", app.Invalid(fmt.Errorf("--addr %s: %w", addr, err))
	}
	return l, host, nil
}

// servedRuns lists the runs named in args; a folder of runs stands for those in it, and no args for the usual folder.
func servedRuns(args []string) []serve.Run {
	if len(args) == 0 {
		args = []string{app.RunsFolder}
	}
	var out []serve.Run
	for _, dir := range args {
		dirs := []string{dir}
		if _, err := files.Root(dir).Stat(plan.FileName); err != nil {
			if found := app.RunsIn(dir); len(found) > 0 || dir == app.RunsFolder {
				dirs = found
			}
		}
		for _, d := range dirs {
			out = append(out, newServedRun(d))
		}
	}
	return out
}

func newServedRun(dir string) serve.Run {
	return serve.Run{Dir: dir,
		Brief: func() (serve.Brief, error) {
			b, err := plan.ReadBrief(dir)
			if err != nil {
				return serve.Brief{}, err
			}
			if b == nil {
				b = &plan.Frozen{Name: filepath.Base(dir)}
			}
			sections, in, err := describeRun(dir, b)
			return serve.Brief{Config: sections.Report, Input: in, Units: b.UnitCount, Text: b.Experiment}, err
		},
		Planned: func() ([]results.Label, error) {
			f, err := plan.ReadFrozen(dir)
			if f == nil || err != nil {
				return nil, err
			}
			return f.Labels(), nil
		},
	}
}

// servePages serves until the command is interrupted, which is no error.
func servePages(ctx context.Context, a *app.App, l net.Listener, s serve.Options, open bool) error {
	address := url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/"}
	if host := s.Host; host == "localhost" {
		_, port, _ := net.SplitHostPort(l.Addr().String())
		address.Host = net.JoinHostPort(host, port)
	}
	if s.Public {
		a.Warn(fmt.Errorf("other machines may reach %s: everybody there can read the runs", l.Addr()))
	}
	server := &http.Server{
		Handler: serve.New(s), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 16,
		ErrorLog: log.New(a.Errs, "tenfold: ", 0),
	}
	n := len(s.Runs())
	a.Printf("%s\n", address.String())
	a.Notef("%s; Ctrl-C ends this\n", cmp.Or(map[int]string{0: "no runs in " + app.RunsFolder + "/ yet"}[n], app.Pluralize(n, "run")))
	if open {
		if err := OpenBrowser(ctx, address.String()); err != nil {
			a.Warn(fmt.Errorf("no browser could be opened: %w", err))
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return server.Close()
	}
}

// OpenBrowser opens address in the user's browser.
func OpenBrowser(ctx context.Context, address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.CommandContext(ctx, name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // it may run as long as the browser
	return nil
}
