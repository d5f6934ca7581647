import { expect, test } from '#jest';
import { claimText } from './claim-text.ts';
import { rememberedClaims } from './claims.ts';

test('the owner of a key is read once, cached for a limited number of keys, and never for an unknown key', async () => {
  const asked: unknown[] = [];
  const claimOf = rememberedClaims(async (name) => {
    asked.push(name);
    return name === 'apikey:none' ? null : claimText(name, JSON.stringify({ customerId: name, keyId: 'k' }));
  }, 3);
  const ask = async (...hashes: string[]): Promise<unknown[]> => {
    asked.length = 0;
    for (const hash of hashes) await claimOf(hash);
    return [...asked];
  };
  expect(await ask('a', 'a', 'b', 'c', 'a')).toEqual(['apikey:a', 'apikey:b', 'apikey:c']);
  expect(await ask('d', 'b', 'c', 'd')).toEqual(['apikey:d']);
  expect(await ask('a')).toEqual(['apikey:a']);
  expect(await ask('none', 'none')).toEqual(['apikey:none', 'apikey:none']);
});
