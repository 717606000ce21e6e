package source

import (
	"errors"
	"net/url"
	"path"
	"strings"
	"unicode"

	"tenfold/engines/param"
)

// Ref names one source file, or the files in a folder or an archive. In an experiment file it is a path alone, or a mapping.
type Ref struct {
	Path   string `yaml:"path" read:"scalar" doc:"the file or folder: absolute, or relative to a data folder, the experiment file or the working directory"`
	URL    string `yaml:"url" doc:"where it can be downloaded: the http or https address of what is to stand at path"`
	Member string `yaml:"member" doc:"the file inside a zip or tar archive; with * ? [ ] or **, the files whose names match"`
	SHA256 string `yaml:"sha256" doc:"checksum of the decoded (decompressed) bytes, 64 hexadecimal digits; of several files, that of what sha256sum prints for them"`
	// Licence is shown, and has to be accepted, before a download; it has no other effect.
	Licence string `yaml:"licence" doc:"terms of use, one line: a name or an address, shown and asked for before a download"`
	// At is the option that names the file; "" if it is under files.
	At string `yaml:"-" json:"-"`
}

// Validate checks the reference by itself, without looking for the file.
func (r Ref) Validate() error {
	var errs []error
	if r.Path == "" {
		errs = append(errs, param.Errorf("path", "empty, expected the path of a file"))
	}
	if r.SHA256 != "" && (len(r.SHA256) != 64 || strings.Trim(r.SHA256, "0123456789abcdefABCDEF") != "") {
		errs = append(errs, param.Errorf("sha256", "%q, expected 64 hexadecimal digits", r.SHA256))
	}
	if u, err := url.Parse(r.URL); r.URL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		errs = append(errs, param.Errorf("url", "%q, expected an address that begins with https:// or http:// and a host", r.URL))
	}
	if len(r.Licence) > maxLicence || strings.ContainsFunc(r.Licence, isUnprintable) {
		errs = append(errs, param.Errorf("licence", "%q, expected one line of at most %d bytes of printable text", r.Licence, maxLicence))
	}
	return errors.Join(append(errs, checkPattern(r.Member))...)
}

// maxLicence is enough for a name and an address; whole texts belong behind the address.
const maxLicence = 200

func isUnprintable(r rune) bool { return !unicode.IsPrint(r) }

// checkPattern returns an error for patterns that path.Match cannot read.
func checkPattern(member string) error {
	if _, err := path.Match(member, ""); err != nil {
		return param.Errorf("member", "%q is no pattern: expected text with * and ? for any text and character, and [a-z] for one of some", member)
	}
	return nil
}
