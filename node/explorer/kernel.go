package explorer

import "ugp_explorer/gp"

// The choices of kernels, of those of gp.ParseKinds, that this package names itself.
const (
	kernelMatern = "matern"
	kernelAuto   = "auto"
)

// kinds returns the kernels that the fit chooses from. The first is that of the
// model before there is a fit.
func (m *ModelConfig) kinds() []gp.Kind {
	kinds, err := gp.ParseKinds(m.Kernel)
	if err != nil {
		panic(err) // Validate lets no such name pass
	}
	return kinds
}
