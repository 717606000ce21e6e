package method

import (
	"os/exec"
	"slices"
	"strings"
)

// contained is a command within its container; the words alone where there is none.
func (d *Declaration) contained(command []string, folder string) []string {
	if d.Container.Image == "" {
		return command
	}
	return slices.Concat(d.containerWords(folder), command)
}

// containerWords begin a command that runs in a container without network: the exchange folder can be written, the code cannot.
func (d *Declaration) containerWords(folder string) []string {
	image, name := d.Container.Image, d.Container.Runtime
	if name == "" {
		name = firstRuntime()
	}
	if name == "apptainer" {
		return []string{name, "exec", "--contain", "--cleanenv", "--net", "--network", "none", "--pwd", d.Folder, "--bind", d.Folder + ":" + d.Folder + ":ro", "--bind", folder + ":" + folder, "docker://" + image}
	}
	words := []string{name, "run", "--rm", "-i", "--network", "none", "--workdir", d.Folder, "--volume", d.Folder + ":" + d.Folder + ":ro", "--volume", folder + ":" + folder}
	for _, v := range d.environment(folder, 1) {
		if variable, _, _ := strings.Cut(v, "="); variable != "PATH" && variable != "HOME" {
			words = append(words, "--env", v)
		}
	}
	return append(words, image)
}

// firstRuntime is the first runtime of containers that this host has, or the first of all.
func firstRuntime() string {
	for _, name := range runtimes {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return runtimes[0]
}
