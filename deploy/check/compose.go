package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// checkCompose loads the files as `docker compose` does: the published schema, interpolation without any .env, merge,
// and the consistency of what comes out.
func checkCompose(files []string) error {
	ctx := context.Background()
	options, err := cli.NewProjectOptions(files, cli.WithWorkingDirectory("."))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(ctx)
	if err != nil {
		return err
	}
	var faults []error
	for _, service := range project.Services {
		faults = append(faults, mountsOf(service)...)
		faults = append(faults, oneShot(service, project)...)
	}
	return errors.Join(faults...)
}

// mountsOf reports files to mount that are not there: the engine would make a folder in their place.
func mountsOf(service types.ServiceConfig) []error {
	var faults []error
	for _, volume := range service.Volumes {
		if volume.Type != types.VolumeTypeBind {
			continue
		}
		if _, err := os.Stat(volume.Source); err != nil {
			faults = append(faults, fmt.Errorf("%s: %s is mounted, but not there", service.Name, volume.Source))
		}
	}
	return faults
}

// oneShot reports a service that ends by itself and that nobody waits for: `up --wait` would take its end for a crash.
func oneShot(service types.ServiceConfig, project *types.Project) []error {
	if service.Restart != types.RestartPolicyNo {
		return nil
	}
	for _, other := range project.Services {
		dependency, found := other.DependsOn[service.Name]
		if found && dependency.Condition == types.ServiceConditionCompletedSuccessfully {
			return nil
		}
	}
	return []error{fmt.Errorf("%s ends by itself, but no service waits until it has", service.Name)}
}
