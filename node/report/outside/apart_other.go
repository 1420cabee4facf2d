//go:build !unix

package outside

import "syscall"

func apart() *syscall.SysProcAttr { return nil }
