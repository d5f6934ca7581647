package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
)

const kubernetesVersion = "v1.31.0"

// checkChart lints the chart with these values, renders it, writes the manifests to `output`, looks for what the
// values give in each pod, and holds every pod to the restricted profile of the pod security standards.
func checkChart(folder, valuesFile, output string) error {
	values, err := chartutil.ReadValuesFile(valuesFile)
	if err != nil {
		return err
	}
	linted := lint.All(folder, values, "audit", true)
	var faults []error
	for _, message := range linted.Messages {
		if message.Severity >= support.WarningSev {
			faults = append(faults, fmt.Errorf("%s: %w", message.Path, message.Err))
		}
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	// Read again: the linter removes what is null, and rendering would take the default for it.
	values, err = chartutil.ReadValuesFile(valuesFile)
	if err != nil {
		return err
	}
	manifests, err := render(folder, values)
	if err != nil {
		return err
	}
	if err := os.WriteFile(output, []byte(strings.Join(manifests, "\n---\n")), 0o600); err != nil {
		return err
	}
	given, err := os.ReadFile(valuesFile)
	if err != nil {
		return err
	}
	for _, manifest := range manifests {
		faults = append(faults, shown(manifest, given)...)
		faults = append(faults, restricted(manifest)...)
		faults = append(faults, reach(manifest)...)
		if strings.Contains(manifest, "\nkind: PodMonitor\n") {
			faults = append(faults, podMonitor(manifest)...)
		}
	}
	return errors.Join(faults...)
}

// render gives the documents of all templates, in the order of their files.
func render(folder string, values chartutil.Values) ([]string, error) {
	chart, err := loader.Load(folder)
	if err != nil {
		return nil, err
	}
	version, err := chartutil.ParseKubeVersion(kubernetesVersion)
	if err != nil {
		return nil, err
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *version
	release := chartutil.ReleaseOptions{Name: "audit", Namespace: "audit", Revision: 1, IsInstall: true}
	merged, err := chartutil.ToRenderValuesWithSchemaValidation(chart, values, release, capabilities, false)
	if err != nil {
		return nil, err
	}
	rendered, err := engine.Engine{Strict: true}.Render(chart, merged)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(rendered))
	for name := range rendered {
		if filepath.Ext(name) == ".yaml" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var manifests []string
	for _, name := range names {
		for _, manifest := range strings.Split("\n"+rendered[name], "\n---") {
			if strings.TrimSpace(manifest) != "" {
				manifests = append(manifests, "# "+name+manifest)
			}
		}
	}
	return manifests, nil
}
