package main

import (
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// podValues are the values that shape every pod, of all roles or of one.
type podValues struct {
	PodAnnotations            map[string]string                 `json:"podAnnotations"`
	PodLabels                 map[string]string                 `json:"podLabels"`
	ExtraEnv                  []corev1.EnvVar                   `json:"extraEnv"`
	ExtraEnvFrom              []corev1.EnvFromSource            `json:"extraEnvFrom"`
	ExtraVolumes              []corev1.Volume                   `json:"extraVolumes"`
	ExtraVolumeMounts         []corev1.VolumeMount              `json:"extraVolumeMounts"`
	NodeSelector              map[string]string                 `json:"nodeSelector"`
	Tolerations               []corev1.Toleration               `json:"tolerations"`
	Affinity                  *corev1.Affinity                  `json:"affinity"`
	PriorityClassName         string                            `json:"priorityClassName"`
	TopologySpreadConstraints []corev1.TopologySpreadConstraint `json:"topologySpreadConstraints"`
}

type account struct {
	Annotations map[string]string `json:"annotations"`
}

type givenValues struct {
	podValues
	Config struct {
		ListenAddress string `json:"listenAddress"`
	} `json:"config"`
	Service struct {
		IPFamilyPolicy corev1.IPFamilyPolicy `json:"ipFamilyPolicy"`
		IPFamilies     []corev1.IPFamily     `json:"ipFamilies"`
	} `json:"service"`
	NetworkPolicy struct {
		ExtraEgress []networkingv1.NetworkPolicyEgressRule `json:"extraEgress"`
	} `json:"networkPolicy"`
	ServiceAccount     account                       `json:"serviceAccount"`
	ImagePullSecrets   []corev1.LocalObjectReference `json:"imagePullSecrets"`
	PodSecurityContext map[string]any                `json:"podSecurityContext"`
	API                podValues                     `json:"api"`
	Analyzer           podValues                     `json:"analyzer"`
	Sink               podValues                     `json:"sink"`
	Correlator         podValues                     `json:"correlator"`
	Migrate            struct {
		podValues
		Annotations    map[string]string `json:"annotations"`
		ServiceAccount account           `json:"serviceAccount"`
	} `json:"migrate"`
}

const chartUser = 10001

// shown reports what the values give and a manifest lacks, and what they leave out and it has.
func shown(manifest string, valuesFile []byte) []error {
	var given givenValues
	if err := yaml.Unmarshal(valuesFile, &given); err != nil {
		return []error{err}
	}
	var object metav1.PartialObjectMetadata
	if err := yaml.Unmarshal([]byte(manifest), &object); err != nil {
		return []error{err}
	}
	isMigrate := strings.HasSuffix(object.Name, "-migrate")
	faults := &faultList{name: object.Kind + " " + object.Name}
	if object.Kind == "ServiceAccount" && isMigrate {
		faults.contains("annotations", object.Annotations, given.Migrate.ServiceAccount.Annotations)
	} else if object.Kind == "ServiceAccount" {
		faults.equal("annotations", object.Annotations, given.ServiceAccount.Annotations)
	}
	if isMigrate && object.Kind != "NetworkPolicy" {
		faults.contains("annotations", object.Annotations, given.Migrate.Annotations)
		faults.keys("annotations", object.Annotations, "helm.sh/hook", "helm.sh/hook-weight", "helm.sh/hook-delete-policy")
	}
	if err := faults.addresses(object.Kind, manifest, given); err != nil {
		return []error{err}
	}
	_, template, err := podOf(manifest)
	if err != nil {
		return []error{err}
	}
	if template != nil {
		faults.pod(template, given)
	}
	return faults.errors
}

// addresses holds a manifest to where the values let processes listen, under which addresses they are reached, and what
// they may reach beyond their parts.
func (faults *faultList) addresses(kind, manifest string, given givenValues) error {
	switch kind {
	case "ConfigMap":
		var settings corev1.ConfigMap
		if err := yaml.UnmarshalStrict([]byte(manifest), &settings); err != nil {
			return err
		}
		for _, name := range []string{"HOST", "ADMIN_HOST"} {
			faults.equal(name, settings.Data[name], instead(given.Config.ListenAddress, "0.0.0.0"))
		}
	case "Service":
		var service corev1.Service
		if err := yaml.UnmarshalStrict([]byte(manifest), &service); err != nil {
			return err
		}
		var policy corev1.IPFamilyPolicy
		if service.Spec.IPFamilyPolicy != nil {
			policy = *service.Spec.IPFamilyPolicy
		}
		faults.equal("ipFamilyPolicy", policy, given.Service.IPFamilyPolicy)
		faults.equal("ipFamilies", service.Spec.IPFamilies, given.Service.IPFamilies)
	case "NetworkPolicy":
		var policy networkingv1.NetworkPolicy
		if err := yaml.UnmarshalStrict([]byte(manifest), &policy); err != nil {
			return err
		}
		extra := given.NetworkPolicy.ExtraEgress
		if strings.HasSuffix(policy.Name, "-parts") {
			faults.equal("last ways out", policy.Spec.Egress[max(0, len(policy.Spec.Egress)-len(extra)):], extra)
		}
	}
	return nil
}

type faultList struct {
	name   string
	errors []error
}

func (faults *faultList) add(what string, found, given any) {
	faults.errors = append(faults.errors, fmt.Errorf("%s: %s is %v and not %v", faults.name, what, found, given))
}

func (faults *faultList) equal(what string, found, given any) {
	if isEmpty(found) && isEmpty(given) {
		return
	}
	if !reflect.DeepEqual(found, given) {
		faults.add(what, found, given)
	}
}

func isEmpty(value any) bool {
	reflected := reflect.ValueOf(value)
	switch reflected.Kind() {
	case reflect.Map, reflect.Slice, reflect.String:
		return reflected.Len() == 0
	case reflect.Pointer:
		return reflected.IsNil() || reflected.Elem().IsZero()
	default:
		return !reflected.IsValid() || reflected.IsZero()
	}
}

func (faults *faultList) contains(what string, found, given map[string]string) {
	for key, value := range given {
		if found[key] != value {
			faults.add(what+" "+key, found[key], value)
		}
	}
}

func (faults *faultList) keys(what string, found map[string]string, keys ...string) {
	for _, key := range keys {
		if found[key] == "" {
			faults.add(what+" "+key, "missing", "set")
		}
	}
}

func (faults *faultList) pod(template *corev1.PodTemplateSpec, given givenValues) {
	spec, all := template.Spec, given.podValues
	container := spec.Containers[0]
	role := map[string]podValues{
		"api": given.API, "analyzer": given.Analyzer, "sink": given.Sink, "correlator": given.Correlator, "migrate": given.Migrate.podValues,
	}[container.Name]
	faults.contains("annotations", template.Annotations, merged(all.PodAnnotations, role.PodAnnotations))
	faults.contains("labels", template.Labels, merged(all.PodLabels, role.PodLabels))
	faults.equal("env", container.Env, append(all.ExtraEnv[:len(all.ExtraEnv):len(all.ExtraEnv)], role.ExtraEnv...))
	faults.equal("envFrom after the chart's", container.EnvFrom[1:], append(all.ExtraEnvFrom[:len(all.ExtraEnvFrom):len(all.ExtraEnvFrom)], role.ExtraEnvFrom...))
	volumes := append(all.ExtraVolumes[:len(all.ExtraVolumes):len(all.ExtraVolumes)], role.ExtraVolumes...)
	faults.equal("last volumes", spec.Volumes[max(0, len(spec.Volumes)-len(volumes)):], volumes)
	mounts := append(all.ExtraVolumeMounts[:len(all.ExtraVolumeMounts):len(all.ExtraVolumeMounts)], role.ExtraVolumeMounts...)
	faults.equal("last mounts", container.VolumeMounts[max(0, len(container.VolumeMounts)-len(mounts)):], mounts)
	faults.equal("imagePullSecrets", spec.ImagePullSecrets, given.ImagePullSecrets)
	faults.equal("nodeSelector", spec.NodeSelector, instead(role.NodeSelector, all.NodeSelector))
	faults.equal("tolerations", spec.Tolerations, instead(role.Tolerations, all.Tolerations))
	faults.equal("affinity", spec.Affinity, instead(role.Affinity, all.Affinity))
	faults.equal("priorityClassName", spec.PriorityClassName, instead(role.PriorityClassName, all.PriorityClassName))
	if spread := instead(role.TopologySpreadConstraints, all.TopologySpreadConstraints); len(spread) > 0 && container.Name != "migrate" {
		faults.equal("topologySpreadConstraints", spec.TopologySpreadConstraints, spread)
	}
	for field, found := range map[string]*int64{
		"runAsUser": spec.SecurityContext.RunAsUser, "runAsGroup": spec.SecurityContext.RunAsGroup, "fsGroup": spec.SecurityContext.FSGroup,
	} {
		value, isGiven := given.PodSecurityContext[field]
		switch {
		case isGiven && value == nil && found != nil:
			faults.add(field, *found, "left out")
		case isGiven && value != nil && (found == nil || float64(*found) != value):
			faults.add(field, found, value)
		case !isGiven && (found == nil || *found != chartUser):
			faults.add(field, found, chartUser)
		}
	}
}

func merged(all, role map[string]string) map[string]string {
	both := map[string]string{}
	for _, one := range []map[string]string{all, role} {
		for key, value := range one {
			both[key] = value
		}
	}
	return both
}

func instead[Value any](role, all Value) Value {
	if isEmpty(role) {
		return all
	}
	return role
}
