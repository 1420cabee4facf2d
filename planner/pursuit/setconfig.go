package pursuit

// SetConfig replaces the parameters while the robot drives: path, speed and turn rate carry over. On an error the follower
// keeps what it had. The cusps of a path that is being driven stay those of the angle with which it was set.
func (f *Follower) SetConfig(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return err
	}
	f.cfg = cfg
	return nil
}
