package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

// restricted reports what the admission of a namespace at level "restricted" would refuse in a manifest.
func restricted(manifest string) []error {
	name, template, err := podOf(manifest)
	if err != nil || template == nil {
		return errorsOf(err)
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return errorsOf(err)
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	var faults []error
	for _, result := range evaluator.EvaluatePod(level, &template.ObjectMeta, &template.Spec) {
		if !result.Allowed {
			faults = append(faults, fmt.Errorf("%s: %s (%s)", name, result.ForbiddenReason, result.ForbiddenDetail))
		}
	}
	return faults
}

func errorsOf(err error) []error {
	if err == nil {
		return nil
	}
	return []error{err}
}

// podOf gives the pod of a Deployment or a Job, nil for every other kind. A field that the kind does not have is an
// error.
func podOf(manifest string) (string, *corev1.PodTemplateSpec, error) {
	var kind metav1.TypeMeta
	if err := yaml.Unmarshal([]byte(manifest), &kind); err != nil {
		return "", nil, err
	}
	switch kind.Kind {
	case "Deployment":
		var deployment appsv1.Deployment
		err := yaml.UnmarshalStrict([]byte(manifest), &deployment)
		return deployment.Name, &deployment.Spec.Template, err
	case "Job":
		var job batchv1.Job
		err := yaml.UnmarshalStrict([]byte(manifest), &job)
		return job.Name, &job.Spec.Template, err
	default:
		return "", nil, nil
	}
}
