import { expect, test } from '#jest';
import { holdsToken, takeLinkToken } from './link-token.ts';

function take(hash: string): { token: string | null; replaced: (string | URL | null | undefined)[] } {
  const replaced: (string | URL | null | undefined)[] = [];
  const token = takeLinkToken(
    { hash, pathname: '/ui/auditor', search: '?riskLevel=HIGH' },
    { replaceState: (_state, _title, address) => void replaced.push(address) },
  );
  return { token, replaced };
}

test('removes the whole fragment with the token from the address, even if the token is invalid', () => {
  const address = '/ui/auditor?riskLevel=HIGH';
  expect(take('#token=aud_1&x=2')).toEqual({ token: 'aud_1', replaced: [address] });
  expect(take('#token=')).toEqual({ token: null, replaced: [address] });
  expect(take(`#token=${'a'.repeat(129)}`)).toEqual({ token: null, replaced: [address] });
  expect(take('#main')).toEqual({ token: null, replaced: [] });
});

test('recognises whether an address has a token', () => {
  expect(['#token=a', '#token=', '#main', ''].map((hash) => holdsToken({ hash }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
