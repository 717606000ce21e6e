package scratch

import "os"

func zeros(f *os.File, n int64) error {
	block := make([]byte, 1<<20)
	for n > 0 {
		k, err := f.Write(block[:min(n, int64(len(block)))])
		if err != nil {
			return err
		}
		n -= int64(k)
	}
	return nil
}
