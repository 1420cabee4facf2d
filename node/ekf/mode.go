package ekf

import "ugp_explorer/localization"

// Mode returns whether the filter has a pose, and what it waits for.
func (e *EKF) Mode() localization.Mode { return e.filter.Mode() }
