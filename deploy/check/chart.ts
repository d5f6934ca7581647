import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { packageRoot } from '#platform/config/package-root.ts';
import type { Extensions } from './extensions.ts';
import { givenFaults, type Values } from './given.ts';
import type { Manifest } from './manifest.ts';
import { reachFaults } from './reach.ts';
import { restrictedFaults } from './restricted.ts';
import { CACHE, goTool, pythonTool, run } from './tools.ts';

export const CHART = 'deploy/helm/compliance-audit-service';
/** The oldest version that the chart supports, and a recent one. */
const KUBERNETES_VERSIONS = ['1.27', '1.36'];
const RENDERED_FOR = 'v1.31.0';

/** Faults of a manifest that its schema does not catch. */
export const manifestFaults = (manifest: Manifest, values: Values): string[] =>
  [...givenFaults(manifest, values), ...restrictedFaults(manifest), ...reachFaults(manifest)].map(
    (fault) => `${manifest.kind} ${manifest.metadata.name}: ${fault}`,
  );

/** Lints and renders the chart with a values file and checks every manifest; returns the faults. */
export function chartFaults(valuesFile: string, extensions: Extensions): string[] {
  const options = ['--namespace', 'audit', '--values', valuesFile, '--kube-version', RENDERED_FOR];
  run(goTool('helm'), ['lint', '--strict', CHART, ...options]);
  const rendered = run(goTool('helm'), ['template', 'audit', CHART, ...options]);
  const manifests = parseAllDocuments(rendered)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
  // A chart that renders nothing would prove nothing.
  if (manifests.length === 0) return ['there is no manifest'];
  const values = (parse(readFileSync(path.join(packageRoot(), valuesFile), 'utf8')) ?? {}) as Values;
  return [
    ...manifests.flatMap((manifest) => manifestFaults(manifest, values)),
    ...manifests.flatMap((manifest) =>
      extensions.faults(manifest).map((fault) => `${manifest.kind} ${manifest.metadata.name}: ${fault}`),
    ),
    ...kubernetesFaults(
      path.basename(valuesFile),
      manifests.filter(({ kind }) => !extensions.kinds.has(kind)),
    ),
  ];
}

/** Validates manifests against Kubernetes' published schemas; an unknown field is a fault. */
function kubernetesFaults(name: string, manifests: readonly Manifest[]): string[] {
  const file = path.join(CACHE, name);
  writeFileSync(file, manifests.map((manifest) => stringify(manifest)).join('---\n'));
  const versions = KUBERNETES_VERSIONS.flatMap((version) => ['-k', version]);
  try {
    run(pythonTool('kubernetes-validate'), ['--strict', '--quiet', ...versions, file]);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
