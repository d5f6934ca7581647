import type { Attack, HostileAccount } from '../attack.ts';
import { forEach, head, inTurn, post, triplet, withKey } from '../requests.ts';

/** 50 rules of 500 characters: 25 KB. Patterns are compiled on use. */
const rules = (number: number): string[] =>
  Array.from({ length: 50 }, (_, rule) =>
    rule % 2 === 0 ? `rule ${number} ${rule} `.padEnd(500, 'word ') : `/${'(a|b)?'.repeat(70)}${number}/i`,
  );

const sandboxChurn: Attack = {
  name: 'sandboxes changed, created and deleted continuously, with 25 KB of rules',
  answers: [200, 429],
  start: ({ sockets, accounts }) => {
    const change = (account: HostileAccount, number: number) =>
      post(
        account,
        `/sandboxes/${account.slug}`,
        JSON.stringify({ customRules: rules(number) }),
        {},
        'PATCH',
      );
    const create = (account: HostileAccount, number: number) =>
      post(
        account,
        '/sandboxes',
        JSON.stringify({
          name: 'x',
          slug: `s${number}`,
          sandboxType: 'FULL_SPECTRUM',
          customRules: rules(number),
        }),
      );
    const scan = (account: HostileAccount) =>
      post(account, '/guardian/scan', JSON.stringify({ sandbox: account.slug, userInput: 'ab'.repeat(500) }));
    const remove = (account: HostileAccount, number: number) =>
      head('DELETE', `/sandboxes/s${number - 1}`, withKey(account));
    const accountOf = inTurn(accounts);
    const kindOf = inTurn([change, scan, change, create, remove]);
    sockets.flood({ connections: 40, next: (number) => kindOf(number)(accountOf(number), number) });
  },
};

const idempotencyKeys: Attack = {
  name: 'endless Idempotency-Keys, reused with other bodies, and long ones',
  answers: [202, 400, 429],
  start: ({ sockets, accounts }) => {
    const accountOf = inTurn(accounts);
    const keyOf = inTurn([
      (number: number) => `new-${number}`,
      (number: number) => `again-${number % 3}`,
      () => 'x'.repeat(10_000),
    ]);
    sockets.flood({
      connections: 60,
      next: (number) => {
        const account = accountOf(number);
        const body = JSON.stringify(triplet(account, { response: String(number) }));
        return post(account, '/audit/ingest', body, { 'idempotency-key': keyOf(number)(number) });
      },
    });
  },
};

const replays: Attack = {
  name: 'replays, changes and deletions of missing records',
  answers: [404, 429],
  start: ({ sockets, accounts }) => {
    const id = '01993d5a-7c00-7000-8000-0000000000a1';
    const shots = forEach(accounts, (account) => [
      post(account, `/dead-letters/${id}/replay`, ''),
      post(account, '/dead-letters/replay', '{}'),
      post(account, `/sandboxes/${id}`, '{}', {}, 'PATCH'),
      head('DELETE', `/sandboxes/${id}`, withKey(account)),
    ]);
    sockets.flood({ connections: 60, next: inTurn(shots) });
  },
};

export const WRITE_ATTACKS: readonly Attack[] = [sandboxChurn, idempotencyKeys, replays];
