import { listSigningKeys } from '#schemas/endpoints.ts';
import { useGet } from '../../api/use-get.ts';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';

/** What checkpoints and receipts are signed with: the key in use first. */
export function KeysTile() {
  const keys = useGet(listSigningKeys);
  return (
    <Tile title="Signing keys" size="wide" query={keys}>
      {({ data }) => (
        <>
          {data.length === 0 && <p className="muted">No key has signed anything yet.</p>}
          <ul className="plain rows">
            {data.toReversed().map(({ keyId, vkey, algorithm, validFrom, validTo, announced }) => (
              <li key={keyId}>
                <strong>{keyId}</strong>{' '}
                <span className="plan">{validTo === null ? 'in use' : 'replaced'}</span>{' '}
                {!announced && <span className="plan">not announced</span>}{' '}
                <span className="muted">
                  {algorithm}, from <Time at={validFrom} />
                  {validTo !== null && (
                    <>
                      {' '}
                      to <Time at={validTo} />
                    </>
                  )}
                </span>
                <p>
                  <code>{vkey}</code>
                </p>
              </li>
            ))}
          </ul>
          <p className="muted">
            Keep the verifier key too, from a time when you trusted the service: <code>cas verify</code> and{' '}
            <code>cas watch</code> take it.
          </p>
        </>
      )}
    </Tile>
  );
}
