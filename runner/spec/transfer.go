package spec

import (
	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/mdl"
	"tenfold/engines/transfer"
)

// transferring is the section of that name among the parameters of a point, so that a grid can vary its keys as
// transfer.setting.
const transferring = "transfer"

// across is the engine of one point; with code transfer-tpc it is one that learns from other tasks, as the section says.
func (d *decoder) across(k engines.Kind, over, params, defaults *yaml.Node) (configured, bool) {
	_, section := get(params, transferring)
	own := without(params, transferring)
	c, ok := d.combined(k, over, own, defaults)
	base, can := c.engine.(mdl.MDL)
	if can = can && base.Code == mdl.CodeTransfer; !can {
		if section != nil && ok {
			d.add(section, "transfer: it is for engine mdl with code %s, which learns from other tasks", mdl.CodeTransfer)
		}
		return c, ok && section == nil
	}
	options := transfer.Kind.Defaults()
	if section != nil {
		var sound bool
		options, sound = configure(d, transfer.Kind, section, owner{noun: "key", of: transferring})
		ok = ok && sound
	}
	if !ok {
		return c, false
	}
	both := transfer.Engine{MDL: base, Options: options.(transfer.Options)}
	before := d.count
	d.invalid(under(own, defaults), both.Validate()) // each part is sound by itself
	none := transfer.Engine{MDL: c.defaults.(mdl.MDL), Options: transfer.Kind.Defaults().(transfer.Options)}
	return plainly(both, none).keyed(transferring, transfer.Kind.Rev), d.count == before
}

// checkAcross refuses engines that learn from other tasks where there are none, or where these share the task's rows.
func (d *decoder) checkAcross(alg Algorithm, s Dataset, at *yaml.Node) {
	if _, ok := alg.Engine.(engines.Across); !ok || s.Family.Kind == ByFolder {
		return
	}
	if s.Family.Kind == "" {
		d.add(at, "engine %s, as set here, learns from the other tasks of a family; data set %s is none (expected family: folder)", alg.Kind, s.Name)
		return
	}
	d.add(at, "engine %s, as set here, learns from the other tasks of a family; those of data set %s, %s, share rows, so that they would have seen what a task is tested on (expected family: folder)", alg.Kind, s.Name, s.Family.Kind)
}
