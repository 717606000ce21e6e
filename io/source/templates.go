package source

// Templates is a list of feature templates. A file gives it in place, or names a list of its section templates, which is put here
// when the file is read. A name that the file does not define stays as the only entry.
type Templates []string
