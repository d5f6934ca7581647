"""Holds rendered manifests against published schemas: Kubernetes' own, and those that KEDA installs.

usage: manifests.py <folder of the KEDA module> <manifest file>...
"""

import re
import sys
from pathlib import Path

import jsonschema
import kubernetes_validate
import yaml

# The oldest that the chart names, and a recent one.
KUBERNETES_VERSIONS = ("1.27", "1.36")
# Checked against their types by the Go half.
CHECKED_ELSEWHERE = {"PodMonitor"}


def strict(schema):
    """The schema with every object closed: a field that it does not name is a fault."""
    if isinstance(schema, dict):
        closed = {key: strict(value) for key, value in schema.items()}
        if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
            closed["additionalProperties"] = False
        return closed
    return [strict(item) for item in schema] if isinstance(schema, list) else schema


def keda_schemas(folder):
    schemas = {}
    for file in (folder / "config/crd/bases").glob("keda.sh_*.yaml"):
        definition = yaml.safe_load(file.read_text())["spec"]
        for version in definition["versions"]:
            schema = strict(version["schema"]["openAPIV3Schema"])
            schema["properties"]["metadata"] = {"type": "object"}
            schemas[definition["names"]["kind"]] = schema
    return schemas


def scaler_fields(folder):
    """Names that the Kafka scaler reads, by where it reads them. The schema leaves them open."""
    source = (folder / "pkg/scalers/kafka_scaler.go").read_text()
    fields = re.findall(r'keda:"name=(\w+),\s*order=([\w;]+)', source)
    named = lambda place: {name for name, order in fields if place in order.split(";")}
    return named("triggerMetadata"), named("authParams")


def keda_faults(document, schemas, fields):
    kind = document["kind"]
    validator = jsonschema.Draft7Validator(schemas[kind])
    faults = [f"{'.'.join(map(str, fault.path))}: {fault.message}" for fault in validator.iter_errors(document)]
    metadata, parameters = fields
    spec = document["spec"]
    for trigger in spec.get("triggers", []):
        unknown = set(trigger["metadata"]) - metadata
        faults += [f"the kafka scaler has no {name}" for name in unknown]
    for source in spec.get("secretTargetRef", []) + spec.get("env", []):
        if source["parameter"] not in parameters:
            faults.append(f"the kafka scaler has no parameter {source['parameter']}")
    return faults


def kubernetes_faults(document):
    faults = []
    for version in KUBERNETES_VERSIONS:
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.ValidationError as fault:
            faults.append(f"Kubernetes {version}: {'.'.join(map(str, fault.path))}: {fault.message}")
        except kubernetes_validate.SchemaNotFoundError as fault:
            faults.append(fault.message)
    return faults


def main(keda_folder, *files):
    schemas, fields = keda_schemas(Path(keda_folder)), scaler_fields(Path(keda_folder))
    failed = checked = 0
    for file in files:
        for document in yaml.safe_load_all(Path(file).read_text()):
            if document is None or document["kind"] in CHECKED_ELSEWHERE:
                continue
            checked += 1
            known = document["kind"] in schemas
            faults = keda_faults(document, schemas, fields) if known else kubernetes_faults(document)
            for fault in faults:
                failed += 1
                print(f"{file}: {document['kind']} {document['metadata']['name']}: {fault}", file=sys.stderr)
    print(f"   {checked} manifests")
    # A file without a manifest would prove nothing.
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
