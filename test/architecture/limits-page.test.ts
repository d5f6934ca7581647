import { existsSync, readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import path from 'node:path';
import { PACKAGE_BUDGETS, PLAN_LIMITS, RECORD_BUDGETS, REMEMBERED_BYTES } from '#core/plans/plans.ts';
import { describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import type { SettingDescription } from '#platform/config/setting-description.ts';
import { SETTINGS } from '#platform/config/setting-list.ts';
import { KIB, MIB } from '#schemas/api/contract.ts';
import { ERRORS } from '#schemas/errors.ts';
import { DEAD_LETTERS, TRIPLETS } from '#schemas/topics.ts';
import { PLANS, type Plan } from '#schemas/vocabulary.ts';
import { constantOf, spellings } from './constants.ts';
import { readModules } from './modules.ts';

/**
 * docs/limits.md says what is limited, by which setting or constant, and what happens beyond it. A number that changed
 * in the source fails here.
 */
const PAGE = 'docs/limits.md';
const root = packageRoot();
const page = readFileSync(path.join(root, PAGE), 'utf8');
const sourceOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Names that the source imports from other files or from the runtime. */
const KNOWN = {
  KIB,
  MIB,
  'TRIPLETS.retentionMs': TRIPLETS.retentionMs,
  'DEAD_LETTERS.retentionMs': DEAD_LETTERS.retentionMs,
  'http.maxHeaderSize': maxHeaderSize,
};

interface Entry {
  readonly what: string;
  /** The limit, for one inside a process that the page leaves out. */
  readonly says?: string;
  /** Names of constants, by file relative to the package root. */
  readonly keptBy: Readonly<Record<string, readonly string[]>>;
  /** Titles of tests or of describe blocks. */
  readonly triedBy: Readonly<Record<string, readonly string[]>>;
}

interface Row extends Entry {
  readonly text: string;
}

const entries = JSON.parse(sourceOf('test/architecture/limits.json')) as readonly Entry[];
const cellsOf = (line: string): string[] => line.slice(2, -2).split(' | ');
const lines = page.split('\n').filter((line) => line.startsWith('| ') && line.endsWith(' |'));
/** Table rows with a limit, the behaviour beyond it, and a setting, by what is limited. */
const written = new Map(
  lines
    .map(cellsOf)
    .filter(({ length, 0: what }) => length === 4 && what !== 'what')
    .map((cells) => [cells[0]!, cells.join(' | ')]),
);

const rows: Row[] = entries.map((entry) => ({
  ...entry,
  text: entry.says === undefined ? (written.get(entry.what) ?? '') : `${entry.what} | ${entry.says}`,
}));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Whether a number occurs as a whole, not as part of another one. */
const says = (text: string, number: string): boolean =>
  new RegExp(`(?<![\\d,.])${escaped(number)}(?![\\d%]|[,.]\\d| [KMG]iB)`).test(text);

const constantsOf = ({ keptBy }: Entry): { file: string; name: string }[] =>
  Object.entries(keptBy).flatMap(([file, names]) => names.map((name) => ({ file, name })));

describe('docs/limits.md', () => {
  test('has a row for each limit that test/architecture/limits.json maps, and no other', () => {
    expect(written.size).toBeGreaterThan(60);
    const mapped = entries.filter(({ says }) => says === undefined).map(({ what }) => what);
    expect([...written.keys()]).toEqual(mapped);
  });

  test.each(rows)('$what', (row) => {
    const { text, keptBy, triedBy } = row;
    expect(Object.keys(keptBy).length).toBeGreaterThan(0);
    expect(Object.keys(triedBy).length).toBeGreaterThan(0);
    for (const file of [...Object.keys(keptBy), ...Object.keys(triedBy)])
      expect([file, existsSync(path.join(root, file))]).toEqual([file, true]);
    for (const { file, name } of constantsOf(row)) {
      const accepted = spellings(name, constantOf(sourceOf(file), name, KNOWN));
      expect({ name, accepted, found: accepted.some((one) => says(text, one)) }).toMatchObject({
        found: true,
      });
    }
    for (const [file, titles] of Object.entries(triedBy)) {
      for (const title of titles)
        expect({ file, title, isThere: sourceOf(file).includes(title) }).toMatchObject({ isThere: true });
    }
  });

  test('shows each numeric setting with its default', () => {
    const wrong = rows.flatMap(({ text }) =>
      [...text.matchAll(/`([A-Z][A-Z0-9_]+)`/g)]
        .map(([, name]) => [name!, (SETTINGS as Record<string, SettingDescription>)[name!]] as const)
        .filter(([, setting]) => setting !== undefined && /^\d+$/.test(setting.byDefault))
        .filter(([name, setting]) => {
          const value = Number(setting!.byDefault);
          const inMib = name.endsWith('_MIB') ? [`${value} MiB`] : [];
          return ![...inMib, ...spellings(name, value)].some((one) => says(text, one) || text.includes(one));
        })
        .map(([name]) => name),
    );
    expect(wrong).toEqual([]);
  });

  test('names only known error codes and settings, and each code with its status', () => {
    const unknown = [...page.matchAll(/(\b\d{3} )?`([A-Z][A-Z0-9_]{3,})`/g)].flatMap(
      ([all, status, name]) => {
        const error = (ERRORS as Record<string, { readonly statusCode: number }>)[name!];
        if (error !== undefined)
          return status !== undefined && Number(status) === error.statusCode ? [] : [all];
        return Object.hasOwn(SETTINGS, name!) ? [] : [all];
      },
    );
    expect(unknown).toEqual([]);
  });
});

/** The rows of the table of plans, by their first words. */
const BY_PLAN: Readonly<Record<string, (plan: Plan) => number | null>> = {
  'requests per second': (plan) => PLAN_LIMITS[plan].ratePerSecond,
  'requests at once': (plan) => PLAN_LIMITS[plan].burst,
  'accepted audits': (plan) => PLAN_LIMITS[plan].auditQuota,
  'sandboxes that are not deleted': (plan) => PLAN_LIMITS[plan].sandboxQuota,
  'sandboxes ever made': (plan) => RECORD_BUDGETS[plan].sandboxesEver,
  'changes of sandboxes': (plan) => RECORD_BUDGETS[plan].versionsPerDay,
  'API keys ever made': (plan) => RECORD_BUDGETS[plan].apiKeysEver,
  'incidents ever opened': (plan) => RECORD_BUDGETS[plan].incidentsEver,
  'auditors ever made': (plan) => RECORD_BUDGETS[plan].auditorsEver,
  'policies that are not deleted': (plan) => RECORD_BUDGETS[plan].policies,
  'evidence packages kept': (plan) => PACKAGE_BUDGETS[plan].packages,
  'bytes of those packages': (plan) => PACKAGE_BUDGETS[plan].bytes,
  'stored records': (plan) => RECORD_BUDGETS[plan].storedBytes,
  'remembered under': (plan) => REMEMBERED_BYTES[plan],
};

describe('the table of plans', () => {
  test('has a column for each plan', () =>
    expect(page).toContain(`| what | ${PLANS.join(' | ')} | beyond it |`));

  test.each(Object.entries(BY_PLAN))('%s', (what, limitOf) => {
    const line = lines.find((one) => one.startsWith(`| ${what}`));
    const written = cellsOf(line ?? '').slice(1, -1);
    const right = PLANS.map((plan, index) => {
      const limit = limitOf(plan);
      return (limit === null ? ['unlimited'] : spellings(what, limit)).includes(written[index] ?? '');
    });
    expect({ written, right }).toEqual({ written, right: PLANS.map(() => true) });
  });
});

/** Constants named like limits that limit nothing an outsider can grow. */
const NO_LIMITS: readonly string[] = [
  // For suggestions and repeated names in errors.
  'platform/config/near-settings.ts MAX_MISTAKES',
  'schemas/nearest-name.ts MAX_COMPARED',
  'schemas/nearest-name.ts MAX_NAMES',
  'schemas/nearest-name.ts MAX_SHOWN',
  'schemas/nearest-name.ts MAX_LOOKED_AT',
  'services/api/http/errors/explain-missing.ts MAX_EXPLAINED',
  'services/api/ingest/suggest-sandboxes.ts MAX_SUGGESTED',
  'services/api/http/errors/nearest-path.ts MAX_PATH',
  'services/api/http/errors/nearest-path.ts MAX_PARTS',
  'services/api/http/errors/unknown-names.ts MAX_REPORTED',
  'services/api/http/errors/unknown-names.ts MAX_LISTED',
  'services/api/http/not-found.ts MAX_METHOD',
  'platform/config/detection-settings.ts MAX_THREADS',
  'platform/config/setting-schemas.ts MAX_BASE_PATH',
  'platform/event-log/lmdb/file.ts MAX_SCAN_BYTES',
  'platform/event-log/kafka/produce/produce.ts MAX_SEQUENCE',
  'platform/event-log/lmdb/lock.ts MAX_SCANS',
  'platform/state/redis/connection/replication.ts MAX_READS',
  'platform/state/token-bucket.ts MAX_AHEAD_MS',
  'platform/state/token-bucket.ts MAX_WAIT_MS',
  'platform/warehouse/embedded/http.ts MAX_HEADER_BYTES',
  'platform/warehouse/client/stream-bytes.ts MAX_EXCEPTION_BYTES',
  'schemas/api/fields/fields.ts MAX_TOKENS',
  'services/analyzer/judge/answer.ts MAX_HITS',
  'services/analyzer/judge/judge.ts MAX_CALLS',
  'services/analyzer/judge/endpoint.ts MAX_PAUSE_MS',
  'services/analyzer/judge/judging.ts MAX_TURNED_AWAY',
  'services/api/app.ts MAX_PARAM_LENGTH',
  'services/api/evidence/packages/build-packages.ts MAX_PAUSE_MS',
  'services/api/evidence/proofs/checkpoint-ledgers.ts MAX_PAUSE_MS',
  'services/api/evidence/chain/scrub-ledgers.ts MAX_PAUSE_MS',
  'schemas/api/fields/fields.ts MAX_SENT_PROVIDER',
  'services/api/http/bodies/body.ts MAX_MEDIA_TYPE',
  'services/api/http/bodies/content-encoding.ts MAX_HEADER',
  'services/api/ingest/internal/internal-signal.ts MAX_AGE_YEARS',
  'services/api/operations/paging.ts MAX_PAGE',
  'services/sink/rows/audit-rows.ts MAX_GENERATION',
];

test('every constant named like a limit is in docs/limits.md or listed as not a limit', () => {
  const named = new Set(
    rows.flatMap(constantsOf).map(({ file, name }) => `${file} ${name.split('.', 1)[0]}`),
  );
  const limits = readModules()
    .filter(({ file, isTest }) => /^(?:schemas|platform|services)\//.test(file) && !isTest)
    .flatMap(({ file, text }) =>
      [...text.matchAll(/(?:^|\n)(?:export )?const (MAX_\w+|LIMIT|SLOTS|CACHE_SIZE|KEPT_\w+)\b/g)].map(
        ([, name]) => `${file} ${name}`,
      ),
    );
  expect(limits.filter((one) => !named.has(one) && !NO_LIMITS.includes(one))).toEqual([]);
  expect(NO_LIMITS.filter((one) => !limits.includes(one))).toEqual([]);
});
