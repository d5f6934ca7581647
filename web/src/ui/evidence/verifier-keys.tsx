import type { SigningKeyRecord } from '#schemas/api/evidence/hash-chain.ts';
import { Copied } from '../copied.tsx';
import { Time } from '../time.tsx';

/** Keys for checking signatures. A key that comes with what it signed proves nothing. */
export function VerifierKeys({ keys }: { readonly keys: readonly SigningKeyRecord[] }) {
  return (
    <div className="how">
      {keys.map(({ keyId, vkey, validFrom, validTo }) => (
        <div key={`${keyId} ${validFrom}`}>
          <Copied label={`Verifier key ${keyId}${validTo === null ? '' : ' (replaced)'}`} value={vkey} />
          <span className="muted">
            Valid from <Time at={validFrom} />
            {validTo !== null && (
              <>
                {' '}
                to <Time at={validTo} />
              </>
            )}
          </span>
        </div>
      ))}
      <p className="muted">
        Save the key outside this service, over a channel you trust. Check signatures with the saved key.
      </p>
    </div>
  );
}
