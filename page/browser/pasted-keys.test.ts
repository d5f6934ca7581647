import { verifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { expect, test } from '#jest';
import { keysIn } from './pasted-keys.ts';

const [one, other] = [1, 2].map((seed) => ({ name: 'ledger.example', publicKey: Buffer.alloc(32, seed) }));
const [first, second] = [verifierKey(one!), verifierKey(other!)];

test('reads one key per line, with white space around it', () => {
  expect(keysIn(`  ${first}\r\n\n${second}  `)).toEqual([one, other]);
});

test.each(['', ' \n', 'no key', `${first}x`, `${first}\nno key`, `${first} ${second}`])(
  '%j contains no keys',
  (text) => expect(keysIn(text)).toBeNull(),
);
