import type { SigningKeyRecord } from '#schemas/api/evidence/hash-chain.ts';
import { Copied } from '../copied.tsx';
import { Time } from '../time.tsx';

/** Keys that signatures are checked with. One that comes with what it signed proves nothing. */
export function VerifierKeys({ keys }: { readonly keys: readonly SigningKeyRecord[] }) {
  return (
    <div className="how">
      {keys.map(({ keyId, vkey, validFrom, validTo }) => (
        <div key={`${keyId} ${validFrom}`}>
          <Copied label={`Verifier key ${keyId}${validTo === null ? '' : ' (replaced)'}`} value={vkey} />
          <span className="muted">
            signs since <Time at={validFrom} />
            {validTo !== null && (
              <>
                {' '}
                until <Time at={validTo} />
              </>
            )}
          </span>
        </div>
      ))}
      <p className="muted">
        Keep the key once, by a way that you trust, outside the service: what is signed is checked with the
        key that you kept.
      </p>
    </div>
  );
}
