package param

import (
	"errors"
	"strings"
	"testing"
)

func TestOneOf(t *testing.T) {
	if err := OneOf("colour", "", "red", ""); err != nil {
		t.Errorf("a word that may be left out: %v", err)
	}
	var field *FieldError
	if err := OneOf("colour", "blue", "red", ""); !errors.As(err, &field) || strings.Join(field.Words, ",") != "red," {
		t.Errorf("got %v with the words %q", err, field.Words)
	}
}

func TestRequire(t *testing.T) {
	if err := Require("side", true, "%v", 1); err != nil {
		t.Errorf("all is well, but %v", err)
	}
	var field *FieldError
	if err := Require("corners.2.x", false, "%v, expected %d", -1, 0); !errors.As(err, &field) || field.Field != "corners.2.x" || err.Error() != "corners[2].x: -1, expected 0" {
		t.Errorf("got %v", err)
	}
}
