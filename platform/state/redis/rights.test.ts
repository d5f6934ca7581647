import fc from 'fast-check';
import { expect, test } from '#jest';
import { rightProbes, ruleText } from './connection/rules.ts';
import { redisKeys } from './keys.ts';
import { redisRules, type StateRights, WHOLE_STATE } from './rights.ts';

const WHERE = { prefix: 'cas:', database: 0 };
const NOTHING: StateRights = {
  reads: [],
  lists: [],
  writes: [],
  makesEntries: false,
  expiring: [],
  removesMarks: false,
};

/** Redis's patterns, of which rights use only the star. */
const matches = (pattern: string, key: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('[^]*')}$`).test(key);
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

test('the right to a collection covers no other one, for any names in requests', () => {
  const keys = redisKeys(WHERE.prefix);
  const { keys: allowed } = redisRules(
    { ...NOTHING, reads: [{ scope: 'customers', collection: 'keks' }] },
    WHERE,
  );
  const opens = (key: string): boolean => allowed.some(({ pattern }) => matches(pattern, key));
  const part = fc.constantFrom('keks', ':', '{', '}', '%', '*', 'x', 'cas:doc:{c}', 'current');
  const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(name, name, name, (scope, collection, id) => {
      expect(opens(keys.document({ scope, collection, id }))).toBe(collection === 'keks');
      for (const key of [
        keys.outbox({ scope, collection, id }),
        keys.claim(id),
        keys.expiring(id),
        keys.mark(scope, id),
      ])
        expect(opens(key)).toBe(false);
    }),
  );
  expect(opens(keys.document({ scope: 'c', collection: 'keks', id: 'current' }))).toBe(true);
});

test('a read-only user may run no command that writes a document, and all users only the listed commands', () => {
  const { commands } = redisRules(NOTHING, WHERE);
  for (const command of ['HSET', 'SADD', 'RPUSH', 'SCAN', 'SELECT']) expect(commands).not.toContain(command);
  for (const right of [NOTHING, WHOLE_STATE] as const) {
    const text = ruleText(redisRules(right, WHERE));
    expect(text).toMatch(/^resetkeys resetchannels -@all /);
    expect(text).not.toMatch(/\+@|~\*|&/);
  }
});

test('outside the first database, selecting it is a right too', () => {
  const text = ruleText(redisRules(WHOLE_STATE, { ...WHERE, database: 2 }));
  expect(text).toContain(' +select +client|info');
});

test('every key pattern is checked together with the commands on it', () => {
  const reads = [{ scope: 'system', collection: 'meta' }] as const;
  const probes = rightProbes(redisRules({ ...NOTHING, reads, removesMarks: true }, WHERE));
  const asked = probes.map(({ right }) => right);
  expect(asked).toEqual(
    expect.arrayContaining([
      'read cas:doc:{system}:meta:*',
      'write cas:mark:{*}:*',
      'read cas:unconfirmed:{*}',
    ]),
  );
  expect(asked).not.toContain('write cas:doc:{system}:meta:*');
});
