import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createMetrics } from '#platform/telemetry/metrics/metrics.ts';
import { logMessages } from './log-messages.ts';
import { rowsOf } from './operations-page.ts';
import { readSources } from './sources.ts';

const sources = readSources(packageRoot());
const logged = logMessages(sources);
const page = readFileSync(path.join(packageRoot(), 'docs/operations.md'), 'utf8');
const rows = rowsOf(page);

const MAX_CHARACTERS = 60;
/** Lower case, no leading article, not a sentence. */
const PHRASE = /^(?!(?:the|an?) )[a-z][^.:!?"]*$/;

describe('log messages', () => {
  test('are fixed phrases; variable data is in fields', () => {
    expect(logged.length).toBeGreaterThan(80);
    expect(logged.filter(({ message }) => message === null)).toEqual([]);
  });

  test('are short and lower case', () => {
    const texts = logged.map(({ message }) => message ?? '');
    expect(texts.filter((text) => !PHRASE.test(text) || text.length > MAX_CHARACTERS)).toEqual([]);
  });

  test('occur once, so that a search finds their source', () => {
    const locations = new Map<string, Set<string>>();
    for (const { message, location } of logged)
      locations.set(message ?? '', (locations.get(message ?? '') ?? new Set()).add(location));
    expect([...locations].filter(([, found]) => found.size > 1)).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  const isMetric = (name: string): boolean => name.startsWith('cas_');

  test('lists existing log messages with their level', () => {
    const levels = new Map<string, string[]>();
    for (const { message, level } of logged)
      levels.set(message ?? '', [...(levels.get(message ?? '') ?? []), level]);
    const listed = rows.filter(({ name }) => !isMetric(name));
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.filter(({ name, level }) => !levels.get(name)?.includes(level))).toEqual([]);
  });

  test('lists every error that an operator has to act on', () => {
    const names = rows.map(({ name }) => name);
    const errors = logged.filter(({ level }) => level === 'error' || level === 'fatal');
    expect(errors.filter(({ message }) => !names.includes(message ?? ''))).toEqual([]);
  });

  test('lists existing metrics', async () => {
    const metrics = createMetrics();
    const gauges = { usedBytes: 0, maxBytes: 0, level: 'fits' as const };
    metrics.storage(() => ({ log: gauges, folders: [] }) as never);
    metrics.readiness('api', async () => ({ status: 'ready', checks: {} }) as never);
    const served = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name);
    const elsewhere = sources
      .flatMap(({ text }) => text.match(/'cas_\w+'/g) ?? [])
      .map((name) => name.slice(1, -1));
    const known = new Set([...served, ...elsewhere]);
    const named = page.match(/\bcas_[a-z_]+\b/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the fixed-phrase rule', () => {
  const messagesIn = (text: string) =>
    logMessages([{ file: 'services/a.ts', text }]).map(({ message }) => message);

  test('reads literals, both branches, and constants', () => {
    const text = [
      "export const DEFERRED = 'outbox left to sweeper';",
      "logger.warn({ err }, 'partition stopped');",
      "logger[isBad ? 'error' : 'warn']({}, isOld ? 'state old' : 'state changed');",
      'this.#logger?.debug({ err }, DEFERRED);',
    ].join('\n');
    expect(messagesIn(text)).toEqual([
      'partition stopped',
      'state old',
      'state old',
      'state changed',
      'state changed',
      'outbox left to sweeper',
    ]);
  });

  test('finds no phrase where a message is assembled', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template
    expect(messagesIn('logger.warn(`broker ${name} is back`);')).toEqual([null]);
    expect(messagesIn('logger.error({}, error.message);')).toEqual([null]);
  });
});
