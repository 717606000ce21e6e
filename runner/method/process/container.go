package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tenfold/io/files"
	"tenfold/runner/method/declaration"
)

// container is a container that a command runs in: its runtime and its name; no name if it ends with the runtime's command.
type container struct{ runtime, name string }

// containerOf returns the container of a command that runs in an exchange folder; the zero value if there is none.
func containerOf(d *declaration.Declaration, folder string) container {
	if d.Container.Image == "" {
		return container{}
	}
	c := container{runtime: d.Container.Runtime}
	if c.runtime == "" {
		c.runtime = firstRuntime()
	}
	if c.runtime != "apptainer" {
		c.name = fmt.Sprintf("tenfold-%d-%s", os.Getpid(), filepath.Base(folder))
	}
	return c
}

// labelOf returns the label of containers that run for an exchange folder.
func labelOf(folder string) string { return "tenfold.folder=" + folder }

// contained returns the command that runs another one in its container; that one unchanged if there is none. The container has the
// exchange folder, writable, the files of the code, read-only, and no network. A method without code sees the folder of its
// declaration, too.
func contained(d *declaration.Declaration, command []string, folder string, workers int) ([]string, error) {
	c := containerOf(d, folder)
	if c.runtime == "" {
		return command, nil
	}
	work, readable, err := inContainer(d, folder)
	if err != nil {
		return nil, err
	}
	for _, path := range append(readable, folder) {
		if strings.Contains(path, ":") {
			return nil, fmt.Errorf("method %s: %s has a colon, with which it cannot be mounted into a container", d.Name, path)
		}
	}
	var words []string
	mount, image := "--volume", d.Container.Image
	switch c.runtime {
	case "apptainer":
		words = []string{c.runtime, "exec", "--contain", "--cleanenv", "--net", "--network", "none", "--pwd", work}
		mount, image = "--bind", "docker://"+image
	default:
		words = []string{c.runtime, "run", "--rm", "-i", "--name", c.name, "--label", labelOf(folder), "--network", "none", "--workdir", work}
		if c.runtime == "docker" { // would run as root otherwise
			words = append(words, "--user", fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid()))
		}
	}
	words = append(words, mount, folder+":"+folder)
	for _, path := range readable {
		words = append(words, mount, path+":"+path+":ro")
	}
	for _, v := range environment(d, folder, workers) {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "PATH": // keep the image's
		case "HOME":
			words = append(words, "--env", "HOME="+filepath.Join(folder, "tmp"))
		default:
			words = append(words, "--env", v)
		}
	}
	return slices.Concat(words, []string{image}, command), nil
}

// inContainer returns the working directory, and the paths that can be read besides the exchange folder.
func inContainer(d *declaration.Declaration, folder string) (work string, readable []string, err error) {
	switch {
	case d.Untracked():
		return d.Folder, []string{d.Folder}, nil
	case d.VersionDecides(): // the image contains the method
		return folder, nil, nil
	}
	files, err := d.CodePaths()
	if err != nil {
		return "", nil, fmt.Errorf("method %s: %w", d.Name, err)
	}
	for _, file := range files {
		readable = append(readable, filepath.Join(d.Folder, filepath.FromSlash(file)))
	}
	return d.Folder, readable, nil
}

// runtimeLimit is how long a runtime may take to end a container.
const runtimeLimit = 10 * time.Second

// end ends the container, which keeps running if its runtime's command is killed.
func (c container) end() {
	if c.name != "" {
		_, _ = ask(c.runtime, "kill", c.name) // an error means that it is gone already, or that it cannot be ended
	}
}

// ask runs a command of a runtime and returns what it prints.
func ask(runtime string, words ...string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), runtimeLimit)
	defer stop()
	out, err := exec.CommandContext(ctx, runtime, words...).Output()
	return string(out), err
}

// runtimeFile is a file in an exchange folder with the name of the runtime that has a container for the folder.
const runtimeFile = "runtime"

// endContainers ends the containers of an exchange folder, given its runtimeFile. Anybody may have written that, so it only tells
// which runtime to ask: the runtime knows which containers were started for this very folder.
func endContainers(file string) {
	content, err := files.ReadRegular(file, 1<<4)
	if runtime := string(content); err == nil && slices.Contains(declaration.Runtimes, runtime) {
		ids, _ := ask(runtime, "ps", "--quiet", "--no-trunc", "--filter", "label="+labelOf(filepath.Dir(file))) // none if it does not answer
		for id := range strings.FieldsSeq(ids) {
			if containerID.MatchString(id) {
				_, _ = ask(runtime, "kill", id) // an error means that it has ended
			}
		}
	}
}

var containerID = regexp.MustCompile(`^[0-9a-f]+$`)

// firstRuntime returns the first container runtime that this host has, or the first of the list if it has none.
func firstRuntime() string {
	for _, name := range declaration.Runtimes {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return declaration.Runtimes[0]
}
