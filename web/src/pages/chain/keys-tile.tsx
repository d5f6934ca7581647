import { listSigningKeys } from '#schemas/endpoints.ts';
import { useGet } from '../../api/use-get.ts';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';

/** Keys that sign checkpoints and receipts, the current one first. */
export function KeysTile() {
  const keys = useGet(listSigningKeys);
  return (
    <Tile title="Signing keys" size="wide" query={keys}>
      {({ data }) => (
        <>
          {data.length === 0 && <p className="muted">No signing keys yet.</p>}
          <ul className="plain rows">
            {data.toReversed().map(({ keyId, vkey, algorithm, validFrom, validTo, announced }) => (
              <li key={keyId}>
                <strong>{keyId}</strong>{' '}
                <span className="plan">{validTo === null ? 'In use' : 'Replaced'}</span>{' '}
                {!announced && <span className="plan">Not announced</span>}{' '}
                <span className="muted">
                  {algorithm}, valid from <Time at={validFrom} />
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
            Save the verifier key as well: <code>cas verify</code> and <code>cas watch</code> use it.
          </p>
        </>
      )}
    </Tile>
  );
}
