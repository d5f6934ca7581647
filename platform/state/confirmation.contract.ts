import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { eventually } from '../../test/helpers/eventually.ts';
import { API_KEYS, CUSTOMERS, SANDBOX_SLUGS, SESSIONS, type State, StateUnavailable } from './port.ts';
import {
  CUSTOMER,
  customer,
  idempotencyKey,
  KEY_HASH,
  KEY_ID,
  NOON,
  reserveRequest,
  sandbox,
  seedCustomer,
} from './testing/contract-seed.ts';

/** States of two processes on one server that replicates to another. */
export interface ReplicatedSubject {
  readonly first: State;
  readonly second: State;
  /** The replica confirms nothing until `release`, although it seems connected. */
  pause(): void;
  release(): void;
  /** Disconnects the replica, so that nothing can confirm writes. */
  cut(): Promise<void>;
  /** Loses the server with its unreplicated writes; resolves to a state on the replica. */
  failOver(): Promise<State>;
  dispose(): Promise<void>;
}

const WITHIN_MS = 30_000;
const OTHER = 'another-customer';
const SESSION = 'e5'.repeat(32);

/**
 * What every adapter on a replicating server guarantees: no process uses a record that no replica has confirmed. A
 * reader either has it confirmed or is refused.
 */
export function describeConfirmationContract(name: string, setUp: () => Promise<ReplicatedSubject>): void {
  describe(`records without confirmation: ${name}`, () => {
    let subject: ReplicatedSubject;
    beforeEach(async () => {
      subject = await setUp();
    });
    afterEach(() => subject.dispose());

    const both = (): State[] => [subject.first, subject.second];
    const ref = (id: string) => ({ scope: CUSTOMER, collection: 'docs', id });
    const entry = { entryId: 'E:1', topic: 't', key: CUSTOMER, valueBase64: '', headers: {} };
    const expectRefused = (call: Promise<unknown>): Promise<void> =>
      expect(call).rejects.toThrow(StateUnavailable);
    const write = (state: State, collection: string, id: string, value: unknown) =>
      state.documents.write(CUSTOMER, [{ collection, id, value }]);
    const works = <Value>(call: () => Promise<Value>): Promise<Value> =>
      eventually('it is confirmed', WITHIN_MS, call);

    test('no process reads a document before it is confirmed, and all do afterwards', async () => {
      await subject.first.documents.write(CUSTOMER, [{ collection: 'docs', id: 'a', value: 'before' }]);
      subject.pause();
      await expectRefused(
        subject.first.documents.write(CUSTOMER, [
          { collection: 'docs', id: 'a', value: 'after', entries: [entry] },
        ]),
      );
      await Promise.all(
        both().flatMap(({ documents }) => [
          expectRefused(documents.get(ref('a'))),
          expectRefused(documents.list(CUSTOMER, 'docs')),
          expectRefused(documents.ids(CUSTOMER, 'docs')),
          // If the document were lost, the next document with this name would contradict its ledger entry.
          expectRefused(documents.pending(ref('a'))),
          expect(documents.get({ ...ref('a'), scope: OTHER })).resolves.toBeNull(),
        ]),
      );
      subject.release();
      for (const { documents } of both()) {
        expect(await works(() => documents.get(ref('a')))).toMatchObject({ version: 2, value: 'after' });
        expect(await documents.list(CUSTOMER, 'docs')).toHaveLength(1);
        expect(await documents.pending(ref('a'))).toEqual([entry]);
      }
    });

    test('a write that meets an unconfirmed one is refused until it is confirmed', async () => {
      subject.pause();
      const first = { collection: 'docs', id: 'a', value: 1, expectedVersion: 0 };
      await expectRefused(subject.first.documents.write(CUSTOMER, [first]));
      await expectRefused(subject.second.documents.write(CUSTOMER, [first]));
      subject.release();
      const again = () => subject.second.documents.write(CUSTOMER, [first]);
      expect(await works(again)).toMatchObject({ ok: false });
      expect(await works(() => subject.first.documents.get(ref('a')))).toMatchObject({ version: 1 });
    });

    test('admission returns no unconfirmed sandbox version, customer, key or session', async () => {
      await seedCustomer(subject.first);
      const changes = [
        () =>
          write(subject.first, SANDBOX_SLUGS, 'support_bot', sandbox('support-bot', { sandboxVersion: 8 })),
        () => write(subject.first, CUSTOMERS, CUSTOMER, customer({ ratePerSecond: 77, burst: 77 })),
        () =>
          write(subject.first, API_KEYS, KEY_ID, { status: 'active', keyHash: KEY_HASH, name: 'changed' }),
        () => write(subject.first, SESSIONS, SESSION, { userId: 'user-1', openedAt: NOON }),
      ];
      for (const change of changes) {
        subject.pause();
        await expectRefused(change());
        await Promise.all(
          both().flatMap(({ admission }) => [
            expectRefused(admission.reserve(reserveRequest(['a1'], { idempotency: idempotencyKey('k') }))),
            expectRefused(admission.authenticate(KEY_HASH)),
            expectRefused(admission.takeRate(CUSTOMER, 1)),
            expectRefused(admission.authenticateSession(CUSTOMER, SESSION, { ratePerSecond: 1, burst: 1 })),
            // Other customers are served meanwhile.
            expect(admission.takeRate(OTHER, 1)).resolves.toMatchObject({ limit: 0 }),
          ]),
        );
        subject.release();
        await works(() => subject.second.admission.authenticate(KEY_HASH));
      }
      expect(await subject.second.admission.auditCount(CUSTOMER, NOON)).toBe(0);
      const reserved = await works(() => subject.second.admission.reserve(reserveRequest(['a1'])));
      expect(reserved).toMatchObject({ seed: { items: [{ sandboxVersion: 8 }] } });
    });

    test('a claimed value is not returned before it is confirmed, and survives a fail-over', async () => {
      const claim = (state: State, value: string, key = 'a') => state.expiring.claim(key, value, 3_600_000);
      subject.pause();
      await expectRefused(claim(subject.first, 'early'));
      for (const state of both()) {
        await expectRefused(state.expiring.claimed('a'));
        await expectRefused(claim(state, 'late'));
        // A read does not wait for other claimed values.
        expect(await state.expiring.claimed('b')).toBeNull();
      }
      subject.release();
      for (const state of both()) {
        expect(await works(() => state.expiring.claimed('a'))).toBe('early');
        expect(await claim(state, 'late')).toBe(false);
      }
      subject.pause();
      await expectRefused(claim(subject.second, 'lost', 'b'));
      const state = await subject.failOver();
      expect(await state.expiring.claimed('a')).toBe('early');
      expect(await state.expiring.claimed('b')).toBeNull();
      expect(await claim(state, 'again', 'b')).toBe(true);
    });

    test('many concurrent readers are all refused in time, and all served afterwards', async () => {
      await seedCustomer(subject.first);
      subject.pause();
      await expectRefused(write(subject.first, 'docs', 'a', 1));
      const reads = () =>
        Array.from({ length: 200 }, (_, n) => both()[n % 2]!.admission.reserve(reserveRequest([`a${n}`])));
      const refused = await Promise.allSettled(reads());
      expect(refused.filter(({ status }) => status === 'fulfilled')).toEqual([]);
      subject.release();
      await works(() => subject.first.documents.get(ref('a')));
      expect(await Promise.all(reads())).toHaveLength(200);
    });

    test('a sealed text can be opened after a fail-over, because no key is used that may be lost', async () => {
      const masterKey = Buffer.alloc(32, 7);
      const text = Buffer.from('the text');
      const seal = (state: State) =>
        openKeyring({ state, masterKey }).seal(CUSTOMER, 'triplet', 'audit-1', text);
      subject.pause();
      await expectRefused(seal(subject.first));
      await expectRefused(seal(subject.first));
      await expectRefused(seal(subject.second));
      const state = await subject.failOver();
      // The refused writes are lost, and no caller was told that they succeeded.
      const sealed = await seal(state);
      expect(await openKeyring({ state, masterKey }).open(CUSTOMER, 'triplet', 'audit-1', sealed)).toEqual(
        text,
      );
    });

    test('a record that was confirmed late survives a fail-over', async () => {
      const masterKey = Buffer.alloc(32, 7);
      const text = Buffer.from('the text');
      const seal = (state: State) =>
        openKeyring({ state, masterKey }).seal(CUSTOMER, 'triplet', 'audit-1', text);
      subject.pause();
      await expectRefused(seal(subject.first));
      subject.release();
      const sealed = await works(() => seal(subject.second));
      const state = await subject.failOver();
      expect(await openKeyring({ state, masterKey }).open(CUSTOMER, 'triplet', 'audit-1', sealed)).toEqual(
        text,
      );
    });

    test('without any replica a record counts as confirmed', async () => {
      subject.pause();
      await expectRefused(write(subject.first, 'docs', 'a', 1));
      await subject.cut();
      expect(await works(() => subject.second.documents.get(ref('a')))).toMatchObject({ value: 1 });
      expect(await write(subject.first, 'docs', 'a', 2)).toEqual({ ok: true, versions: [2] });
      expect(await subject.second.documents.get(ref('a'))).toMatchObject({ value: 2 });
    });
  });
}
