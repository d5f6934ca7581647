package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const (
	publicPort = "http"
	adminPort  = "admin"
)

// reach reports ways from outside to the port that carries /internal and /metrics: an ingress or a service that leads
// there, a network policy that lets everybody in, and a probe that asks the public port for what it does not serve.
func reach(manifest string) []error {
	var kind metav1.TypeMeta
	if err := yaml.Unmarshal([]byte(manifest), &kind); err != nil {
		return []error{err}
	}
	switch kind.Kind {
	case "Ingress":
		return ingressReach(manifest)
	case "Service":
		return serviceReach(manifest)
	case "NetworkPolicy":
		return policyReach(manifest)
	case "Deployment":
		return probes(manifest)
	}
	return nil
}

func ingressReach(manifest string) []error {
	var ingress networkingv1.Ingress
	if err := yaml.UnmarshalStrict([]byte(manifest), &ingress); err != nil {
		return []error{err}
	}
	var faults []error
	for _, rule := range ingress.Spec.Rules {
		for _, path := range rule.HTTP.Paths {
			service := path.Backend.Service
			if strings.HasSuffix(service.Name, "-admin") || service.Port.Name != publicPort {
				faults = append(faults, fmt.Errorf("the ingress leads to %s, port %s", service.Name, service.Port.Name))
			}
		}
	}
	return faults
}

func serviceReach(manifest string) []error {
	var service corev1.Service
	if err := yaml.UnmarshalStrict([]byte(manifest), &service); err != nil {
		return []error{err}
	}
	isAdmin := strings.HasSuffix(service.Name, "-admin")
	var faults []error
	for _, port := range service.Spec.Ports {
		if isAdmin != (port.TargetPort.StrVal == adminPort) {
			faults = append(faults, fmt.Errorf("the service %s leads to port %s", service.Name, port.TargetPort.String()))
		}
	}
	if isAdmin && service.Spec.Type != corev1.ServiceTypeClusterIP {
		faults = append(faults, fmt.Errorf("the service %s can be reached from outside the cluster", service.Name))
	}
	return faults
}

func policyReach(manifest string) []error {
	var policy networkingv1.NetworkPolicy
	if err := yaml.UnmarshalStrict([]byte(manifest), &policy); err != nil {
		return []error{err}
	}
	faults := egress(policy)
	for _, rule := range policy.Spec.Ingress {
		for _, port := range rule.Ports {
			if port.Port.StrVal != publicPort && len(rule.From) == 0 {
				faults = append(faults, fmt.Errorf("%s lets everybody reach port %s", policy.Name, port.Port.String()))
			}
		}
	}
	return faults
}

// Ports of the values in ci/.
const (
	dnsPort       = 53
	warehousePort = 8443
)

// egress reports a way out that is neither the DNS nor one part of the policy's own role.
func egress(policy networkingv1.NetworkPolicy) []error {
	var faults []error
	for _, rule := range policy.Spec.Egress {
		for _, port := range rule.Ports {
			isAnalyzers := strings.HasSuffix(policy.Name, "-analyzer-parts")
			switch {
			case port.Port.IntVal == dnsPort:
			case !strings.HasSuffix(policy.Name, "-parts"):
				faults = append(faults, fmt.Errorf("%s lets every role out on port %s", policy.Name, port.Port.String()))
			case isAnalyzers && port.Port.IntVal == warehousePort:
				faults = append(faults, fmt.Errorf("%s lets the analyzer reach the warehouse", policy.Name))
			}
		}
		if len(rule.Ports) == 0 {
			faults = append(faults, fmt.Errorf("%s lets out on every port", policy.Name))
		}
	}
	return faults
}

func probes(manifest string) []error {
	name, template, err := podOf(manifest)
	if err != nil {
		return []error{err}
	}
	var faults []error
	for _, container := range template.Spec.Containers {
		for _, probe := range []*corev1.Probe{container.StartupProbe, container.LivenessProbe, container.ReadinessProbe} {
			if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Port.StrVal != adminPort {
				faults = append(faults, fmt.Errorf("%s: a probe does not ask port %s", name, adminPort))
			}
		}
	}
	return faults
}
