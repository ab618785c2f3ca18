// SPDX-License-Identifier: Apache-2.0

// Command toolcontract checks, renders and imports tool contracts without a
// cluster. Installed as kubectl-toolcontract it is a kubectl plugin.
package main

import (
	"os"

	"github.com/toolcontract/operator/internal/cli"
)

// version is set by the linker: -X main.version=v1.2.3.
var version string

func main() {
	program := cli.Program{Name: os.Args[0], Version: version, In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	os.Exit(program.Run(os.Args[1:]))
}
