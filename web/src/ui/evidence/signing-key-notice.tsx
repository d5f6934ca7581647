import type { SigningKeyStatus } from '#schemas/api/evidence/hash-chain.ts';
import { Time } from '../time.tsx';
import { Verdict } from '../verdict.tsx';

/** Warns of a signing key that was replaced without an announcement, and of a list of keys that was changed. */
export function SigningKeyNotice({ signingKey }: { readonly signingKey: SigningKeyStatus }) {
  const { keyId, since, replaced, announced, listIntact } = signingKey;
  return (
    <>
      {!announced && (
        <Verdict isGood={false}>
          Signing key <code>{keyId}</code> replaced <code>{replaced}</code>
          {since !== null && (
            <>
              {' '}
              on <Time at={since} />
            </>
          )}{' '}
          without an announcement. Ask your operator whether this was planned.
        </Verdict>
      )}
      {!listIntact && (
        <Verdict isGood={false}>
          The list of signing keys was changed: the current key didn’t sign it. Trust only verifier keys you
          saved.
        </Verdict>
      )}
    </>
  );
}
