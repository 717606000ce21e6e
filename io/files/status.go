package files

// Status is what is known of a reference without reading its file.
type Status struct {
	Path   string // where it was found
	Size   int64  // bytes as they are stored; of a folder, of all its files
	Digest string // of the decoded bytes, where it is remembered of the file as it is now; else empty
}

// Look finds a reference; cacheDir is where checksums are remembered. The error is fs.ErrNotExist where there is no file.
func Look(ref Ref, folders Folders, cacheDir string) (Status, error) {
	f, err := open(ref, folders, cacheDir)
	if err != nil {
		return Status{}, err
	}
	now, err := f.stampNow()
	if err != nil {
		return Status{}, err
	}
	digest, _ := f.memo.recall(now)
	return Status{Path: f.path, Size: now.Size, Digest: digest}, nil
}

// Check reads a reference whatever is remembered of it, and remembers the digest of its decoded bytes, which it returns.
// A digest that is not the one demanded is returned, too, with an error. O(bytes).
func Check(ref Ref, folders Folders, cacheDir string) (digest string, err error) {
	f, err := open(Ref{Path: ref.Path, Member: ref.Member}, folders, cacheDir)
	if err != nil {
		return "", err
	}
	defer f.forget()
	if f.stamp, err = f.stampNow(); err != nil {
		return "", err
	}
	if err := f.rehash(); err != nil {
		return "", err
	}
	digest, f.ref.SHA256 = f.digest, ref.SHA256
	return digest, f.accept(digest)
}

// Remember the digest of a file that the caller has just written and checked.
func Remember(ref Ref, folders Folders, cacheDir, digest string) {
	if f, err := open(ref, folders, cacheDir); err == nil {
		if now, err := f.stampNow(); err == nil {
			f.memo.remember(now, digest)
		}
	}
}

func open(ref Ref, folders Folders, cacheDir string) (*file, error) {
	at, err := folders.find(ref)
	if err != nil {
		return nil, err
	}
	return newFile(ref, at, cacheDir, folders.Memory), nil
}
