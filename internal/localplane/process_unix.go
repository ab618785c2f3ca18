// SPDX-License-Identifier: Apache-2.0

//go:build unix && !linux

package localplane

import "syscall"

// sysProcAttr puts a program into a process group of its own. Only Linux can
// tie its life to the process that started it.
func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
