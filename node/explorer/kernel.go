package explorer

import "ugp_explorer/gp"

// kernelAuto in place of a kernel's name has each fit choose among all of them.
const kernelAuto = "auto"

// kernelNames returns what model.kernel may be.
func kernelNames() []string {
	var names []string
	for _, k := range gp.Kinds() {
		names = append(names, k.String())
	}
	return append(names, kernelAuto)
}

// kinds returns the kernels that the fit chooses from. The first is that of the
// model before there is a fit.
func (m *ModelConfig) kinds() []gp.Kind {
	k, err := gp.ParseKind(m.Kernel)
	if err != nil { // kernelAuto: Validate lets no other name pass
		return gp.Kinds()
	}
	return []gp.Kind{k}
}
