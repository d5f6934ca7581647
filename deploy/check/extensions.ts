import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { Manifest } from './manifest.ts';

/**
 * Kinds that a cluster has only with KEDA or the Prometheus operator installed, with the schemas from these projects.
 */
export interface Extensions {
  readonly kinds: ReadonlySet<string>;
  faults(manifest: Manifest): string[];
}

type Schema = { [key: string]: unknown };

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** The schema with every object closed: an unknown field is a fault. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = typeof inner.properties === 'object' && !('additionalProperties' in schema);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}

function validatorOf({ spec }: Definition) {
  const schema = closed(spec.versions.at(-1)!.schema.openAPIV3Schema) as { properties: Schema };
  schema.properties.metadata = { type: 'object' };
  // Kubernetes' formats and keywords do not affect a field's name or type.
  return new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
}

/** Definitions of kinds in the matching YAML files of a folder. */
const definitionsIn = (folder: string, files: RegExp): Definition[] =>
  readdirSync(folder)
    .filter((file) => files.test(file))
    .map((file) => parse(readFileSync(path.join(folder, file), 'utf8')) as Definition);

/** Names that KEDA's Kafka scaler reads, by where it reads them. The schema does not restrict them. */
function scalerNames(keda: string): (location: string) => Set<string> {
  const source = readFileSync(path.join(keda, 'pkg/scalers/kafka_scaler.go'), 'utf8');
  const fields = [...source.matchAll(/keda:"name=(\w+),\s*order=([\w;]+)/g)];
  return (location) =>
    new Set(fields.filter(([, , order]) => order!.split(';').includes(location)).map(([, name]) => name!));
}

function scalerFaults({ spec }: Manifest, names: (location: string) => Set<string>): string[] {
  const triggers = (spec.triggers ?? []) as readonly { readonly metadata: object }[];
  const read = [...(spec.secretTargetRef ?? []), ...(spec.env ?? [])] as readonly { parameter: string }[];
  const fields = triggers.flatMap(({ metadata }) => Object.keys(metadata));
  return [
    ...fields.filter((name) => !names('triggerMetadata').has(name)),
    ...read.map(({ parameter }) => parameter).filter((name) => !names('authParams').has(name)),
  ].map((name) => `the kafka scaler has no ${name}`);
}

/** `keda`, `operator`: folders of these modules. */
export function readExtensions(keda: string, operator: string): Extensions {
  const ofKeda = definitionsIn(path.join(keda, 'config/crd/bases'), /^keda\.sh_/);
  const ofOperator = definitionsIn(path.join(operator, 'example/prometheus-operator-crd'), /_podmonitors\./);
  const validators = new Map(
    [...ofKeda, ...ofOperator].map((one) => [one.spec.names.kind, validatorOf(one)] as const),
  );
  const names = scalerNames(keda);
  const scaled = new Set(ofKeda.map(({ spec }) => spec.names.kind));
  return {
    kinds: new Set(validators.keys()),
    faults: (manifest) => {
      const validate = validators.get(manifest.kind);
      if (validate === undefined) return [];
      validate(manifest);
      const faults = (validate.errors ?? []).map(({ instancePath, message, params }) =>
        `${instancePath} ${message} ${params.additionalProperty ?? ''}`.trim(),
      );
      return scaled.has(manifest.kind) ? [...faults, ...scalerFaults(manifest, names)] : faults;
    },
  };
}
