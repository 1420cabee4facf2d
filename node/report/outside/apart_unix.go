//go:build unix

package outside

import "syscall"

// apart keeps a Ctrl-C in the terminal from the process.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
