// SPDX-License-Identifier: Apache-2.0

package localplane

import "syscall"

// sysProcAttr puts a program into a process group of its own and has the kernel
// kill it when the process that started it dies.
func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
