import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { describeAdmissionContract } from './admission.contract.ts';
import { describeAdmittedContract } from './admitted.contract.ts';
import { describeIdempotencyContract } from './idempotency.contract.ts';
import type { DocumentRef, DocumentWrite, PendingEntry } from './port.ts';
import { describeRemainsContract } from './remains.contract.ts';
import { describeReserveContract } from './reserve.contract.ts';
import { describeSealContract } from './seals.contract.ts';
import { describeSessionContract } from './sessions.contract.ts';
import type { StateFactory, StateUnderTest, Subject } from './testing/subject.ts';

/** What every adapter of the state must do. */
export function describeStateContract(name: string, factory: StateFactory): void {
  describe(`state contract: ${name}`, () => {
    let subject: StateUnderTest;
    beforeEach(async () => {
      subject = await factory();
    });
    afterEach(() => subject.dispose());
    const current: Subject = () => subject;
    describe('documents', () => describeDocuments(current));
    describe('the seal of a document', () => describeSealContract(current));
    describe('authentication and rate', () => describeAdmissionContract(current));
    describe('sessions', () => describeSessionContract(current));
    describe('reservations', () => describeReserveContract(current));
    describe('counts of admitted audits', () => describeAdmittedContract(current));
    describe('idempotency', () => describeIdempotencyContract(current));
    describe('expiring values', () => describeExpiring(current));
    describe('what an erased customer leaves', () => describeRemainsContract(current));
    test('a scrub keeps all data and delays no call', async () => {
      const { state } = subject;
      const ref = { scope: 'c1', collection: 'plans', id: 'kept' };
      const write = (value: number) =>
        state.documents.write('c1', [{ ...ref, value, entries: [entry('E:1')] }]);
      await state.expiring.set('lease', 'me', 60_000);
      await write(0);
      let scrubbed = false;
      const gone = new AbortController().signal;
      const scrubs = Promise.all([state.scrub(gone), state.scrub(gone)]).finally(() => {
        scrubbed = true;
      });
      let written = 0;
      while (!scrubbed) {
        written += 1;
        await write(written);
        expect((await state.documents.get(ref))?.value).toBe(written);
      }
      expect(await scrubs).toEqual([true, true]);
      expect(written).toBeGreaterThan(0);
      await subject.reopen();
      expect(await subject.state.documents.get(ref)).toMatchObject({ version: written + 1, value: written });
      expect(await subject.state.documents.withPending(10)).toEqual([ref]);
      expect(await subject.state.expiring.get('lease')).toBe('me');
    });

    test('reports that its calls still go to the same server', async () => {
      const connections = subject.state.connections();
      await subject.state.ping();
      await subject.state.expiring.set('x', '1', 1_000);
      expect(subject.state.connections()).toBe(connections);
    });

    test('answers a ping while open and refuses every call once closed', async () => {
      await subject.state.ping();
      const { state } = subject;
      await state.close();
      await expect(state.ping()).rejects.toMatchObject({ name: 'StateUnavailable' });
      await expect(state.expiring.set('late', 'x', 1_000)).rejects.toMatchObject({
        name: 'StateUnavailable',
      });
      await expect(state.admission.authenticate('00')).rejects.toMatchObject({ name: 'StateUnavailable' });
      await expect(state.scrub(new AbortController().signal)).rejects.toMatchObject({
        name: 'StateUnavailable',
      });
    });
  });
}

const entry = (entryId: string): PendingEntry => ({
  entryId,
  topic: 'audit.ledger',
  key: 'c1',
  valueBase64: 'AAEC',
  headers: { schema: '2' },
});

const plan = (id: string, value: unknown, expectedVersion?: number): DocumentWrite => ({
  collection: 'plans',
  id,
  value,
  expectedVersion,
});

function describeDocuments(subject: Subject): void {
  const documents = () => subject().state.documents;
  const ref = (id: string, scope = 'c1') => ({ scope, collection: 'plans', id });

  test('keeps a document with its version, also after reopening', async () => {
    expect(await documents().get(ref('a'))).toBeNull();
    expect(await documents().write('c1', [plan('a', { size: 1 }, 0)])).toEqual({ ok: true, versions: [1] });
    expect(await documents().write('c1', [plan('a', { size: 2 })])).toEqual({ ok: true, versions: [2] });
    await subject().reopen();
    expect(await documents().get(ref('a'))).toEqual({ id: 'a', version: 2, value: { size: 2 } });
    expect(await documents().get(ref('a', 'c2'))).toBeNull();
  });

  test('changing a value that was read does not change the state', async () => {
    await documents().write('c1', [plan('a', { tags: ['x'] })]);
    const read = await documents().get<{ tags: string[] }>(ref('a'));
    read?.value.tags.push('y');
    expect((await documents().get(ref('a')))?.value).toEqual({ tags: ['x'] });
  });

  test('of writers that expect the same version exactly one wins', async () => {
    await documents().write('c1', [plan('a', 0, 0)]);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, writer) => documents().write('c1', [plan('a', writer, 1)])),
    );
    const won = outcomes.flatMap(({ ok }, writer) => (ok ? [writer] : []));
    expect(won).toHaveLength(1);
    expect(await documents().get(ref('a'))).toEqual({ id: 'a', version: 2, value: won[0] });
    expect(outcomes.find(({ ok }) => !ok)).toEqual({ ok: false, conflict: { collection: 'plans', id: 'a' } });
  });

  test('a count that writers store with their documents is exact and never exceeds its limit', async () => {
    const limit = 12;
    const count = { scope: 'c1', collection: 'counts', id: 'c1' };
    const add = async (id: string): Promise<boolean> => {
      for (;;) {
        const held = await documents().get<number>(count);
        if ((held?.value ?? 0) >= limit) return false;
        const value = (held?.value ?? 0) + 1;
        const counted = { ...count, value, expectedVersion: held?.version ?? 0 };
        if ((await documents().write('c1', [plan(id, 1, 0), counted])).ok) return true;
      }
    };
    const added = await Promise.all(Array.from({ length: 30 }, (_, n) => add(`p${n}`)));
    expect(added.filter((one) => one)).toHaveLength(limit);
    expect((await documents().get(count))?.value).toBe(limit);
    expect(await documents().ids('c1', 'plans')).toHaveLength(limit);
  });

  test('several writes take effect completely or not at all', async () => {
    await documents().write('c1', [plan('held', 1, 0)], [{ name: 'taken', value: 'c1' }]);
    const both = [{ ...plan('new', 1, 0), entries: [entry('E:1')] }, plan('held', 2, 0)];
    expect(await documents().write('c1', both)).toEqual({
      ok: false,
      conflict: { collection: 'plans', id: 'held' },
    });
    const claims = [
      { name: 'free', value: 1 },
      { name: 'taken', value: 'other' },
    ];
    expect(await documents().write('c1', [plan('new', 1, 0)], claims)).toEqual({
      ok: false,
      claimed: 'taken',
    });
    expect(await documents().get(ref('new'))).toBeNull();
    expect(await documents().pending(ref('new'))).toEqual([]);
    expect(await documents().claimed('free')).toBeNull();
    expect(await documents().write('c1', [plan('x', 1, 0), plan('y', 1, 0)])).toEqual({
      ok: true,
      versions: [1, 1],
    });
  });

  test('a write may depend on a version that it does not change', async () => {
    const compared = (id: string, expectedVersion: number) => ({
      ...plan(id, null, expectedVersion),
      unchanged: true as const,
    });
    await documents().write('c1', [plan('held', 'kept')]);
    const conflict = { ok: false, conflict: { collection: 'plans', id: 'held' } };
    expect(await documents().write('c1', [plan('made', 1), compared('held', 2)])).toEqual(conflict);
    expect(await documents().write('c1', [plan('made', 1), compared('held', 0)])).toEqual(conflict);
    expect(await documents().get(ref('made'))).toBeNull();
    const writes = Array.from({ length: 10 }, (_, n) =>
      documents().write('c1', [compared('held', 1), plan(`made${n}`, 1, 0), compared('none', 0)]),
    );
    for (const outcome of await Promise.all(writes))
      expect(outcome).toEqual({ ok: true, versions: [1, 1, 0] });
    expect(await documents().get(ref('held'))).toEqual({ id: 'held', version: 1, value: 'kept' });
    expect(await documents().get(ref('none'))).toBeNull();
    expect(await documents().ids('c1', 'plans')).toHaveLength(11);
  });

  test('of a write and another that depends on the changed version, at most one comes first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { version = 0 } = (await documents().get(ref('held'))) ?? {};
      const [changed, depending] = await Promise.all([
        documents().write('c1', [plan('held', round)]),
        documents().write('c1', [
          { ...plan('held', null, version), unchanged: true },
          plan(`of${round}`, 1, 0),
        ]),
      ]);
      expect(changed).toEqual({ ok: true, versions: [version + 1] });
      const made = await documents().get(ref(`of${round}`));
      expect(made !== null).toBe(depending.ok);
    }
  });

  test('a deleted document is gone, its entries stay, and its id is free again', async () => {
    await documents().write('c1', [{ ...plan('a', 1), entries: [entry('E:1')] }]);
    await documents().write('c1', [{ ...plan('a', null, 1), entries: [entry('E:2')] }]);
    expect(await documents().get(ref('a'))).toBeNull();
    expect((await documents().pending(ref('a'))).map(({ entryId }) => entryId)).toEqual(['E:1', 'E:2']);
    expect(await documents().write('c1', [plan('a', 2, 0)])).toEqual({ ok: true, versions: [1] });
  });

  test('a claim is unique over all scopes and may be repeated with the same value', async () => {
    const claim = (value: unknown) => [{ name: 'apikey:ab', value }];
    const outcomes = await Promise.all(
      ['c1', 'c2', 'c3'].map((scope) => documents().write(scope, [plan('k', 1)], claim({ owner: scope }))),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const held = await documents().claimed<{ owner: string }>('apikey:ab');
    expect(await documents().write(held!.owner, [plan('k', 2)], claim(held))).toMatchObject({ ok: true });
    await subject().reopen();
    expect(await documents().claimed('apikey:ab')).toEqual(held);
  });

  test('lists one collection of one scope, ordered by id', async () => {
    for (const id of ['b', 'a10', 'a2', 'a']) await documents().write('c1', [plan(id, { id })]);
    await documents().write('c1', [{ collection: 'plans2', id: 'other', value: 1 }]);
    await documents().write('c11', [plan('foreign', 1)]);
    expect((await documents().list('c1', 'plans')).map(({ id }) => id)).toEqual(['a', 'a10', 'a2', 'b']);
    expect((await documents().list<{ id: string }>('c1', 'plans'))[1]).toEqual({
      id: 'a10',
      version: 1,
      value: { id: 'a10' },
    });
    await documents().write('c1', [plan('a2', null)]);
    expect(await documents().list('c1', 'plans')).toHaveLength(3);
    expect(await documents().list('c1', 'nothing')).toEqual([]);
  });

  test('returns the ids of one collection of one scope, in order, also after reopening', async () => {
    for (const id of ['b', 'a10', 'a2', 'a', 'gone']) await documents().write('c1', [plan(id, { id })]);
    await documents().write('c1', [{ collection: 'plans2', id: 'other', value: 1 }]);
    await documents().write('c11', [plan('foreign', 1)]);
    await documents().write('c1', [plan('gone', null)]);
    await documents().write('c1', [plan('new', 1), plan('a2', null)]);
    expect(await documents().ids('c1', 'plans')).toEqual(['a', 'a10', 'b', 'new']);
    await subject().reopen();
    expect(await documents().ids('c1', 'plans')).toEqual(['a', 'a10', 'b', 'new']);
    expect(await documents().ids('c1', 'nothing')).toEqual([]);
  });

  test('returns many ids in steps, between which other work continues', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => `p${String(n).padStart(4, '0')}`);
    for (let from = 0; from < many.length; from += 500)
      await documents().write(
        'c1',
        many.slice(from, from + 500).map((id) => plan(id, 1)),
      );
    await documents().write('c1', [plan('a', 1), plan('z', 1), plan('p0001', null)]);
    let turns = 0;
    const count = (): void => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    const ids = await documents().ids('c1', 'plans');
    clearImmediate(turning);
    expect(turns).toBeGreaterThan(1);
    expect(ids).toEqual(['a', ...many.filter((id) => id !== 'p0001'), 'z']);
  });

  test('names that look like parts of a key stay distinct', async () => {
    const names = ['a', 'a:b', '{a}', '}{', 'a%003ab', '%', 'a b', '*', 'ä\u{1f511}', '\ud83d', '\ufffd'];
    const refs = names.flatMap((scope) =>
      ['plans', 'b:plans'].flatMap((collection) => names.map((id) => ({ scope, collection, id }))),
    );
    const written = (ref: DocumentRef) => `${ref.scope}|${ref.collection}|${ref.id}`;
    await Promise.all(
      refs.map((ref) =>
        documents().write(ref.scope, [
          { ...ref, value: written(ref), expectedVersion: 0, entries: [entry(`E: {${ref.id}}`)] },
        ]),
      ),
    );
    for (const ref of refs) expect((await documents().get(ref))?.value).toBe(written(ref));
    const listed = await documents().list('a:b', 'plans');
    expect(listed.map(({ id }) => id)).toEqual([...names].sort());
    expect(await documents().ids('a:b', 'plans')).toEqual([...names].sort());
    expect(new Set((await documents().withPending(1_000)).map(written))).toEqual(new Set(refs.map(written)));
    for (const ref of refs) await documents().clearPending(ref, [`E: {${ref.id}}`]);
    expect(await documents().withPending(1)).toEqual([]);
  });

  test('an empty name or one with control characters is refused', async () => {
    for (const id of ['', 'nul\u0000', 'line\n', '\u001f'])
      await expect(documents().write('c1', [plan(id, 1)])).rejects.toThrow(RangeError);
  });

  test('a value is read back unchanged: empty lists, nulls, large and small numbers, odd text', async () => {
    const value = {
      list: [],
      none: null,
      numbers: [2 ** 53 - 1, -(2 ** 53), 0.1, 1e300, 5e-324],
      text: ['', '\u0000', '\ud83d', '"/\\', 'ä\u{1f511}'],
      nested: [[], {}, [[]]],
    };
    const odd = { ...entry('E:odd'), headers: { odd: '\ud83d"' } };
    await documents().write('c1', [{ ...plan('odd', value), entries: [odd] }]);
    await subject().reopen();
    expect((await documents().get(ref('odd')))?.value).toEqual(value);
    expect(await documents().pending(ref('odd'))).toEqual([odd]);
  });

  test('keeps pending entries in the order of their writes until they are cleared', async () => {
    const write = (id: string, ...entries: string[]) =>
      documents().write('c1', [{ ...plan(id, 1), entries: entries.map(entry) }]);
    await write('late', 'L:1');
    await documents().clearPending(ref('late'), ['L:1']);
    await write('first', 'A:1', 'A:2');
    await write('second', 'B:1');
    await write('late', 'L:2');
    await Promise.all([write('first', 'A:3'), write('first', 'A:4')]);
    await subject().reopen();
    await write('third', 'C:1');
    const ids = async (id: string) => (await documents().pending(ref(id))).map(({ entryId }) => entryId);
    expect(await ids('first')).toEqual(['A:1', 'A:2', 'A:3', 'A:4']);
    expect((await documents().pending(ref('second')))[0]).toEqual(entry('B:1'));
    const worklist = async (limit: number) => (await documents().withPending(limit)).map(({ id }) => id);
    expect(await worklist(10)).toEqual(['first', 'second', 'late', 'third']);
    expect(await worklist(2)).toEqual(['first', 'second']);
    await documents().clearPending(ref('first'), ['A:1', 'A:2', 'unknown']);
    expect(await ids('first')).toEqual(['A:3', 'A:4']);
    await documents().clearPending(ref('first'), ['A:4', 'A:3']);
    await documents().clearPending(ref('nowhere'), ['A:3']);
    expect(await documents().withPending(10)).toEqual(['second', 'late', 'third'].map((id) => ref(id)));
  });
}

function describeExpiring(subject: Subject): void {
  const expiring = () => subject().state.expiring;

  test('a value expires on time, not before, and survives reopening', async () => {
    await expiring().set('lease', 'me', 10_000);
    await subject().reopen();
    expect(await expiring().get('lease')).toBe('me');
    await subject().advance(9_000);
    expect(await expiring().get('lease')).toBe('me');
    await subject().advance(1_000);
    expect(await expiring().get('lease')).toBeNull();
  });

  test('a value that was set again lives as long as its last TTL', async () => {
    await expiring().set('mark', 'one', 60_000);
    await expiring().set('mark', 'two', 5_000);
    expect(await expiring().get('mark')).toBe('two');
    await subject().advance(5_000);
    expect(await expiring().get('mark')).toBeNull();
  });

  test.each([
    ['setIfAbsent', 'get'],
    ['claim', 'claimed'],
  ] as const)('%s admits exactly one caller until the value expires, and %s returns it', async (set, get) => {
    const attempt = (value: string) => expiring()[set]('lock', value, 5_000);
    const race = () => Promise.all(Array.from({ length: 10 }, (_, n) => attempt(`${n}`)));
    expect(await expiring()[get]('lock')).toBeNull();
    const won = await race();
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await expiring()[get]('lock')).toBe(`${won.indexOf(true)}`);
    await subject().reopen();
    expect(await attempt('late')).toBe(false);
    await subject().advance(5_000);
    expect(await expiring()[get]('lock')).toBeNull();
    expect((await race()).filter(Boolean)).toHaveLength(1);
    await expiring().delete('lock');
    await expiring().delete('lock');
    expect(await attempt('after')).toBe(true);
    expect(await expiring()[get]('lock')).toBe('after');
  });
}
