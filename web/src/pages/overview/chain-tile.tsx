import { getCheckpoint } from '#schemas/endpoints.ts';
import type { Fault } from '../../api/fault.ts';
import { useGet } from '../../api/use-get.ts';
import { Amount } from '../../ui/amount.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';

/** An empty ledger has no checkpoint; a rolled-back ledger gets none, which must be shown as a fault. */
const withoutCheckpoint = (fault: Fault) =>
  fault.status === 404 ? (
    <p className="muted">No ledger entries yet.</p>
  ) : fault.code === 'LEDGER_ROLLED_BACK' ? (
    <Verdict isGood={false}>{fault.message}</Verdict>
  ) : null;

export function ChainTile() {
  const checkpoint = useGet(getCheckpoint);
  return (
    <Tile title={<PageLink to="/chain">Ledger</PageLink>} query={checkpoint} emptyOf={withoutCheckpoint}>
      {({ data }) => (
        <>
          <Verdict isGood>Consistent with the last signed checkpoint</Verdict>
          <dl className="facts">
            <div>
              <dt>Entries</dt>
              <dd>
                <Amount value={data.treeSize} />
              </dd>
            </div>
            <div>
              <dt>Signed</dt>
              <dd>
                <Time at={data.issuedAt} />
              </dd>
            </div>
            <div>
              <dt>Root hash</dt>
              <dd>
                <code className="hash" title={data.rootHash}>
                  {data.rootHash.slice(0, 16)}…
                </code>
              </dd>
            </div>
          </dl>
          <p className="muted">
            Save checkpoints outside this service so that you can prove nothing was rewritten.
          </p>
        </>
      )}
    </Tile>
  );
}
