package files

import "fmt"

// Capped keeps what is written to it. The first write beyond Most bytes fails, as do all after it, and calls Full with the error.
type Capped struct {
	Most    int
	Full    func(error)
	content []byte
	err     error
}

func (c *Capped) Write(text []byte) (int, error) {
	if c.err == nil && len(c.content)+len(text) > c.Most {
		c.err = fmt.Errorf("it printed more than %d bytes", c.Most)
		c.Full(c.err)
	}
	if c.err != nil {
		return 0, c.err
	}
	c.content = append(c.content, text...)
	return len(text), nil
}

// String returns what was written before the first write that failed.
func (c *Capped) String() string { return string(c.content) }
