package files

// Status describes a reference without reading its file.
type Status struct {
	Path   string // where it was found
	Size   int64  // bytes as stored; of a folder, of all its files
	Digest string // of the decoded bytes, if remembered for the present file; else ""
}

// Look finds a reference; cacheDir is where checksums are remembered. The error is fs.ErrNotExist if there is no file.
func Look(ref Ref, folders Folders, cacheDir string) (Status, error) {
	f, err := openRef(ref, folders, cacheDir)
	if err != nil {
		return Status{}, err
	}
	now, err := f.currentStamp()
	if err != nil {
		return Status{}, err
	}
	digest, _ := f.memo.recall(now)
	return Status{Path: f.path, Size: now.Size, Digest: digest}, nil
}

// Check reads a reference whatever is remembered of it, and remembers and returns the digest of its decoded bytes. A
// digest other than the one demanded is returned with an error. O(bytes).
func Check(ref Ref, folders Folders, cacheDir string) (digest string, err error) {
	f, err := openRef(Ref{Path: ref.Path, Member: ref.Member}, folders, cacheDir)
	if err != nil {
		return "", err
	}
	defer f.unload()
	if f.stamp, err = f.currentStamp(); err != nil {
		return "", err
	}
	if err := f.rehash(); err != nil {
		return "", err
	}
	digest, f.ref.SHA256 = f.digest, ref.SHA256
	return digest, f.setDigest(digest)
}

// Remember stores the digest of a file that the caller has just written and checked.
func Remember(ref Ref, folders Folders, cacheDir, digest string) {
	if f, err := openRef(ref, folders, cacheDir); err == nil {
		if now, err := f.currentStamp(); err == nil {
			f.memo.remember(now, digest)
		}
	}
}

func openRef(ref Ref, folders Folders, cacheDir string) (*file, error) {
	found, err := folders.find(ref)
	if err != nil {
		return nil, err
	}
	return newFile(ref, found, cacheDir, folders.Memory), nil
}
