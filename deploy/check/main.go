// Checks compose files and the chart with the loaders that compose and Helm themselves use. Started by
// deploy/validate.sh, from the root of the repository.
package main

import (
	"fmt"
	"os"
)

const usage = `usage: check compose <file>...
       check chart <folder> <values file> <output file>`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	switch {
	case len(arguments) >= 2 && arguments[0] == "compose":
		return checkCompose(arguments[1:])
	case len(arguments) == 4 && arguments[0] == "chart":
		return checkChart(arguments[1], arguments[2], arguments[3])
	default:
		return fmt.Errorf("%s", usage)
	}
}
