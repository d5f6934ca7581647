package main

import (
	"fmt"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"sigs.k8s.io/yaml"
)

// podMonitor reports a PodMonitor with a field that its type does not have.
func podMonitor(manifest string) []error {
	var monitor monitoringv1.PodMonitor
	if err := yaml.UnmarshalStrict([]byte(manifest), &monitor); err != nil {
		return []error{fmt.Errorf("PodMonitor: %w", err)}
	}
	return nil
}
