import { describe, expect, test } from '#jest';
import { readModules } from './modules.ts';
import { isBounded, MADE, patternsIn } from './patterns.ts';

/**
 * No pattern of the runtime's backtracking engine sees outside bytes unless its time is bounded. The code that searches
 * customers' texts (core/detect) has its own tests: its patterns search in bounded parts, and customers' patterns run
 * on another engine.
 */
const CHECKED = /^(schemas|platform|records|detection|services|app|cli|page|core\/(evidence|media|plans))\//;

/** Number of patterns in a file that the rule does not prove bounded, and what bounds them. */
const KNOWN: Readonly<Record<string, readonly [number, string]>> = {
  'schemas/api/fields/fields.ts': [
    5,
    'names: a single class, tied to both ends; e-mails: part at their one @, and a body has 64 KiB; slugs: separators and letters exclude one another, so there is one way to read them; numbers: of so many digits; risk levels: as many as there are',
  ],
  'schemas/api/openapi/operation.ts': [1, 'paths of contracts'],
  'schemas/api/openapi/request.ts': [1, 'paths of contracts'],
  'core/media/find-media.ts': [1, 'MAX_HEADER characters'],
  'platform/codec/registry-address.ts': [1, 'an address from the settings'],
  'platform/codec/schema-files.ts': [1, 'names of our own files'],
  'platform/event-log/kafka/connection/cluster.ts': [1, 'addresses from the settings'],
  'platform/config/allowed-hosts.ts': [1, 'a port, whose length is looked at before'],
  'platform/config/setting-schemas.ts': [2, 'settings'],
  'platform/outgoing/proxies.ts': [
    1,
    'an entry of a setting; what repeats and what follows exclude one another',
  ],
  'platform/state/redis/connection/errors.ts': [1, 'a word that is looked for in a message of Redis'],
  'platform/warehouse/embedded/error.ts': [1, 'messages of the embedded engine; only digits repeat'],
  'platform/warehouse/embedded/http.ts': [
    1,
    'a header, which Node limits; spaces and what follows exclude one another',
  ],
  'platform/warehouse/embedded/reach.ts': [2, 'our own statements; each name is read once'],
  'platform/warehouse/embedded/request.ts': [2, 'headers of our own client; each ends at the next quote'],
  'platform/warehouse/client/failures.ts': [4, 'once started these always match, so nothing is retried'],
  'platform/warehouse/client/migrations.ts': [2, 'our own migrations'],
  'platform/warehouse/client/sql-text.ts': [7, 'our own statements: values of customers are parameters'],
  'records/comparison/unfolded-versions.ts': [
    1,
    'ids of entries, MAX_RECORD_BYTES at most; each colon starts one attempt, and digits hold none',
  ],
  'services/analyzer/judge/client.ts': [1, 'an address from the settings'],
  'services/api/http/authentication/authentication.ts': [1, 'as long as a key'],
  'services/api/http/bodies/body.ts': [1, 'MAX_MEDIA_TYPE is looked at before it'],
  'services/api/operations/cut-media.ts': [1, 'made of our own mark; only the digits after it repeat'],
  'services/api/http/bodies/json-fault.ts': [
    1,
    'tied to its place; digits, the point and the exponent exclude one another',
  ],
  'services/api/http/bodies/exact-json.ts': [
    2,
    'a number that was parsed before; digits, the point and the exponent exclude one another',
  ],
  'services/api/http/not-found.ts': [
    2,
    'made of the paths of contracts, one part of a path each; MAX_URL_LENGTH is looked at before',
  ],
  'services/api/http/authentication/admit-auditor.ts': [
    2,
    'a header, which Node limits, tied to the start; paths of contracts',
  ],
  'services/api/signals/export/sheet-cell.ts': [
    1,
    'tied to the start; what repeats and what follows exclude one another',
  ],
  'cli/command/usage-errors.ts': [6, 'a message of the option parser about the command line'],
  'cli/dead-letters.ts': [1, 'the command line'],
  'cli/export/fetch-file.ts': [1, 'a header, which Node limits; it matches at its first quote'],
};

test('every unbounded pattern is listed with what bounds it', () => {
  const found = readModules()
    .filter(({ file, isTest }) => CHECKED.test(file) && !isTest)
    .map(({ file, text }) => ({ file, patterns: patternsIn(text).filter((pattern) => !isBounded(pattern)) }))
    .filter(({ patterns }) => patterns.length > 0);
  const wrong = found.filter(({ file, patterns }) => patterns.length !== KNOWN[file]?.[0]);
  expect(wrong).toEqual([]);
  expect(Object.keys(KNOWN).sort()).toEqual(found.map(({ file }) => file).sort());
});

describe('the bounded-pattern rule', () => {
  test.each(['^a+$', 'a+', '[ab]{2,}', 'ab?c{3}', '^"(.*)"$', '(a|b){1,9}', '[+*]', '\\+\\*'])(
    'accepts /%s/',
    (source) => expect(isBounded(source)).toBe(true),
  );
  test.each(['a+$', 'a+b', '^a+b+', '^(a+)+$', '^(ab)*$', '^(a*)?x', '^x|a+$', '^\\s*a\\s*$', MADE])(
    'rejects /%s/',
    (source) => expect(isBounded(source)).toBe(false),
  );
  test('finds patterns wherever they are written, including assembled ones', () => {
    const text =
      'const a = { b: [/x+y/g] }; f(text.replace(/^[/]/u, () => "/z+/")); new RegExp(`a`); RegExp("b");';
    expect(patternsIn(text)).toEqual(['x+y', '^[/]', MADE, MADE]);
  });
});
