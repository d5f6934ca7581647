import { describe, expect, test } from '#jest';
import { manifestFaults } from './chart.ts';
import { type Compose, composeFaults } from './compose.ts';
import type { Manifest } from './manifest.ts';

/** Faults that `npm run check:deploy` must find, each in otherwise correct manifests and files. */

const probe = { httpGet: { path: '/health/live', port: 'admin' } };
const container = {
  name: 'api',
  envFrom: [{ configMapRef: { name: 'audit' } }],
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
};
const user = { runAsUser: 10_001, runAsGroup: 10_001, fsGroup: 10_001 };
const spec = {
  securityContext: { ...user, runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [container],
};

const deployment = (pod: object, labels: Readonly<Record<string, string>> = {}): Manifest => ({
  kind: 'Deployment',
  metadata: { name: 'audit-api' },
  spec: { template: { metadata: { labels }, spec: { ...spec, ...pod } } },
});
const withContainer = (changes: object) => deployment({ containers: [{ ...container, ...changes }] });
const object = (kind: string, name: string, fields: object): Manifest => ({
  kind,
  metadata: { name },
  spec: fields,
});

describe('a pod', () => {
  test('passes when it is restricted and matches the values', () => {
    const values = { podLabels: { team: 'audit' }, api: { extraEnv: [{ name: 'A', value: '1' }] } };
    const given = { containers: [{ ...container, env: [{ name: 'A', value: '1' }] }] };
    expect(manifestFaults(deployment({}), {})).toEqual([]);
    expect(manifestFaults(deployment(given, { team: 'audit' }), values)).toEqual([]);
  });

  test.each([
    [
      'a root user',
      deployment({ securityContext: { ...spec.securityContext, runAsNonRoot: false } }),
      'runAsNonRoot',
    ],
    [
      'no seccomp profile',
      deployment({ securityContext: { ...user, runAsNonRoot: true } }),
      'seccompProfile',
    ],
    [
      'another user',
      deployment({ securityContext: { ...spec.securityContext, fsGroup: 1 } }),
      'fsGroup is 1',
    ],
    ['the network of the host', deployment({ hostNetwork: true }), 'hostNetwork'],
    [
      'a folder of the host',
      deployment({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
      'type hostPath',
    ],
    [
      'escalation',
      withContainer({ securityContext: { capabilities: { drop: ['ALL'] } } }),
      'allowPrivilegeEscalation',
    ],
    [
      'capabilities',
      withContainer({ securityContext: { allowPrivilegeEscalation: false } }),
      'capabilities are kept',
    ],
    ['a port of the host', withContainer({ ports: [{ hostPort: 80 }] }), 'hostPort'],
    ['a probe of the public port', withContainer({ livenessProbe: { httpGet: { port: 'http' } } }), 'probe'],
    ['a variable that no value gives', withContainer({ env: [{ name: 'A', value: '1' }] }), 'env is'],
  ])('is reported with %s', (_, manifest, fault) => {
    expect(manifestFaults(manifest, {})).toEqual([expect.stringContaining(fault)]);
  });

  test('is reported when it lacks what the values set for all roles or for its own', () => {
    const faults = manifestFaults(deployment({}), {
      podLabels: { a: 'b' },
      api: { nodeSelector: { c: 'd' } },
    });
    expect(faults).toEqual([expect.stringContaining('label a'), expect.stringContaining('nodeSelector')]);
  });
});

describe('exposure of the admin port', () => {
  const backend = { service: { name: 'audit-admin', port: { name: 'admin' } } };
  test.each([
    [
      'an ingress',
      object('Ingress', 'audit', { rules: [{ http: { paths: [{ backend }] } }] }),
      'leads to audit-admin',
    ],
    [
      'a service',
      object('Service', 'audit-api', { ports: [{ targetPort: 'admin' }] }),
      'leads to port admin',
    ],
    [
      'an outer address',
      object('Service', 'audit-admin', { type: 'NodePort', ports: [{ targetPort: 'admin' }] }),
      'from outside',
    ],
    [
      'a policy',
      object('NetworkPolicy', 'audit', { ingress: [{ ports: [{ port: 'admin' }] }] }),
      'admits everyone to port admin',
    ],
  ])('is reported through %s', (_, manifest, fault) => {
    expect(manifestFaults(manifest, {})).toEqual([expect.stringContaining(fault)]);
  });
});

test.each([
  ['audit', [{}], 'every port'],
  ['audit', [{ ports: [{ port: 9092 }] }], 'every role out on port 9092'],
  ['audit-analyzer-parts', [{ ports: [{ port: 8443 }] }], 'reach the warehouse'],
])('reports excessive egress in network policy %s', (name, egress, fault) => {
  expect(manifestFaults(object('NetworkPolicy', name, { egress }), {})).toEqual([
    expect.stringContaining(fault),
  ]);
});

test('reports compose files that name missing things or run one-off services without waiting for them', () => {
  const compose: Compose = {
    services: {
      migrate: { restart: 'no', volumes: [{ type: 'bind', source: '/nowhere/key' }] },
      api: { depends_on: { kafka: { condition: 'service_healthy' } }, networks: { inner: null } },
    },
  };
  expect(composeFaults(compose)).toEqual([
    'migrate: /nowhere/key is mounted, but missing',
    'migrate: ends by itself, but no service waits until it has',
    'api: there is no service kafka',
    'api: there is no network inner',
  ]);
  const awaited = { depends_on: { migrate: { condition: 'service_completed_successfully' } } };
  expect(composeFaults({ services: { migrate: { restart: 'no' }, api: awaited } })).toEqual([]);
});
