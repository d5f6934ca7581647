import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { SETTING_NAMES, SETTINGS } from '#platform/config/setting-list.ts';
import { PARTITIONS, roleOfGroup, TOPICS } from '#schemas/topics.ts';
import { ANALYZER_GROUP, ANALYZER_TOPICS } from '#services/analyzer/run-analyzer.ts';
import { PATTERNS_GROUP, PATTERNS_TOPICS } from '#services/correlator/patterns/run-patterns.ts';
import { POLICIES_GROUP, POLICIES_TOPICS } from '#services/correlator/policies/run-policies.ts';
import { FINDINGS_GROUP, FINDINGS_TOPICS } from '#services/sink/findings/run-findings.ts';
import { SINK_GROUP, SINK_TOPICS } from '#services/sink/start/sink-topics.ts';

const CHART = path.join(packageRoot(), 'deploy', 'helm', 'compliance-audit-service');
const read = (file: string): string => readFileSync(path.join(CHART, file), 'utf8');

describe('the chart', () => {
  test('uses only settings that the service reads', () => {
    const names = [...read('templates/_settings.tpl').matchAll(/^([A-Z][A-Z_]+): /gm)].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(20);
    expect(SETTING_NAMES).toEqual(expect.arrayContaining(names));
  });

  test('scales on existing consumer groups and topics', () => {
    for (const [role, group] of [
      ['analyzer', ANALYZER_GROUP],
      ['sink', SINK_GROUP],
      ['correlator', POLICIES_GROUP],
    ] as const) {
      const template = read(`templates/${role}.yaml`);
      expect(/"group" "(\w+)"/.exec(template)?.[1] ?? role).toBe(group);
      expect(roleOfGroup(group)).toBe(role);
      const topics = [...(/\(list ([^)]*)\)/.exec(template)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(
        ([, topic]) => topic,
      );
      expect(topics).not.toEqual([]);
      const known = TOPICS.filter((topic) => topic.readBy.includes(group)).map((topic) => topic.name);
      expect(known).toEqual(expect.arrayContaining(topics));
    }
  });

  test.each([
    [ANALYZER_GROUP, 'analyzer', ANALYZER_TOPICS],
    [SINK_GROUP, 'sink', SINK_TOPICS],
    [FINDINGS_GROUP, 'sink', FINDINGS_TOPICS],
    [POLICIES_GROUP, 'correlator', POLICIES_TOPICS],
    [PATTERNS_GROUP, 'correlator', PATTERNS_TOPICS],
  ])(
    'has a deployment for the members of group %s, which reads the expected topics',
    (group, role, topics) => {
      expect(roleOfGroup(group)).toBe(role);
      expect(existsSync(path.join(CHART, `templates/${role}.yaml`))).toBe(true);
      const readable = TOPICS.filter(({ readBy }) => readBy.includes(group)).map(({ name }) => name);
      expect(readable.sort()).toEqual([...topics].sort());
    },
  );

  test('gives API and analyzer enough memory for heap, request bodies and detection', () => {
    const { api, analyzer } = parse(read('values.yaml')) as {
      api: { heapMiB: number; bodyMemoryMiB: number; resources: { limits: { memory: string } } };
      analyzer: { heapMiB: number; resources: { limits: { memory: string } } };
    };
    expect(api.resources.limits.memory).toBe('2048Mi');
    // A third of a body is in the heap, the rest outside. Code, stacks and buffers take 150 MiB, the thread that
    // searches long texts 192, the one that verifies 256, and the one that searches for patterns 512.
    expect(api.heapMiB + (api.bodyMemoryMiB * 2) / 3 + 150 + 192 + 256 + 512).toBeLessThanOrEqual(2_048);
    expect(analyzer.resources.limits.memory).toBe('768Mi');
    expect(analyzer.heapMiB + 150 + 192).toBeLessThanOrEqual(768);
    expect(String(api.bodyMemoryMiB)).toBe(SETTINGS.HTTP_BODY_MEMORY_MIB.byDefault);
  });

  test('does not allow more processes than partitions', () => {
    const { definitions } = JSON.parse(read('values.schema.json')) as {
      definitions: {
        worker: {
          properties: {
            replicas: { maximum: number };
            autoscaling: { properties: Record<string, { maximum?: number }> };
          };
        };
      };
    };
    const { replicas, autoscaling } = definitions.worker.properties;
    expect(replicas.maximum).toBe(PARTITIONS);
    expect(autoscaling.properties.maxReplicas?.maximum).toBe(PARTITIONS);
  });

  const POD_VALUES = [
    'podAnnotations',
    'podLabels',
    'extraEnv',
    'extraEnvFrom',
    'extraVolumes',
    'extraVolumeMounts',
    'nodeSelector',
    'tolerations',
    'affinity',
    'priorityClassName',
    'topologySpreadConstraints',
  ];

  test('accepts pod options for all roles and for each role', () => {
    const { definitions, properties } = JSON.parse(read('values.schema.json')) as {
      definitions: { worker: { properties: object } };
      properties: Record<string, { properties?: object; $ref?: string }>;
    };
    const values = parse(read('values.yaml')) as Record<string, unknown>;
    const roles = ['api', 'analyzer', 'sink', 'correlator', 'migrate'];
    for (const name of POD_VALUES) {
      expect(values).toHaveProperty(name);
      expect(properties).toHaveProperty(name);
      for (const role of roles) {
        const schema = properties[role]?.$ref === undefined ? properties[role] : definitions.worker;
        expect(schema?.properties).toHaveProperty(name);
      }
    }
  });

  test('has test values that set each pod option for all roles or for one', () => {
    const given = (file: string) => parse(read(`ci/${file}`)) as Record<string, object>;
    const field = given('field.yaml');
    for (const name of POD_VALUES) {
      const isGiven = [field, ...Object.values(field)].some((part) => name in part);
      expect({ name, isGiven }).toEqual({ name, isGiven: true });
    }
    expect(given('openshift.yaml').podSecurityContext).toEqual({
      runAsUser: null,
      runAsGroup: null,
      fsGroup: null,
    });
    // Unset: the minimal file sets none of them.
    for (const name of POD_VALUES) expect(given('minimal.yaml')).not.toHaveProperty(name);
  });
});
