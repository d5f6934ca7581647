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

/** Redis' patterns, of which rights use only the star. */
const matches = (pattern: string, key: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('[^]*')}$`).test(key);
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

test('whatever names requests choose, the right to a collection opens no other one', () => {
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

test('who writes nothing may run nothing that writes a document, and nobody may run more than is listed', () => {
  const { commands } = redisRules(NOTHING, WHERE);
  for (const command of ['HSET', 'SADD', 'RPUSH', 'SCAN', 'SELECT']) expect(commands).not.toContain(command);
  for (const right of [NOTHING, WHOLE_STATE] as const) {
    const text = ruleText(redisRules(right, WHERE));
    expect(text).toMatch(/^resetkeys resetchannels -@all /);
    expect(text).not.toMatch(/\+@|~\*|&/);
  }
});

test('outside the first database going there is a right too', () => {
  const text = ruleText(redisRules(WHOLE_STATE, { ...WHERE, database: 2 }));
  expect(text).toContain(' +select +client|info');
});

test('every key pattern is asked for with what is done to it', () => {
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
