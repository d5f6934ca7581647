import { Button } from 'react-aria-components';
import { getCheckpoint } from '#schemas/endpoints.ts';
import type { Fault } from '../../api/fault.ts';
import { useGet } from '../../api/use-get.ts';
import { exactNumber } from '../../format/numbers.ts';
import { saveText } from '../../ui/save-file.ts';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';

const withoutCheckpoint = (fault: Fault) =>
  fault.status === 404 ? (
    <p className="muted">No ledger entries yet, so there is no checkpoint.</p>
  ) : fault.code === 'LEDGER_ROLLED_BACK' ? (
    <Verdict isGood={false}>{fault.message}</Verdict>
  ) : null;

/** The newest signed checkpoint: size, root and head of the ledger, to keep elsewhere. */
export function CheckpointTile() {
  const checkpoint = useGet(getCheckpoint);
  return (
    <Tile title="Signed checkpoint" size="wide" query={checkpoint} emptyOf={withoutCheckpoint}>
      {({ data }) => (
        <>
          <dl className="facts">
            <div>
              <dt>Entries</dt>
              <dd>{exactNumber(data.treeSize)}</dd>
            </div>
            <div>
              <dt>Signed</dt>
              <dd>
                <Time at={data.issuedAt} withAge />
              </dd>
            </div>
            <div>
              <dt>Root hash</dt>
              <dd>
                <code>{data.rootHash}</code>
              </dd>
            </div>
            <div>
              <dt>Chain head</dt>
              <dd>
                <code>{data.chainHead}</code>
              </dd>
            </div>
            <div>
              <dt>Key ID</dt>
              <dd>
                <code>{data.keyId}</code>
              </dd>
            </div>
          </dl>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <pre tabIndex={0} role="region" aria-label="Signed note">
            <code>{data.note}</code>
          </pre>
          <p className="muted">Store it outside this service, so that a rewritten ledger can be detected.</p>
          <p>
            <Button className="button" onPress={() => saveText(data.note, `checkpoint-${data.treeSize}.txt`)}>
              Download checkpoint
            </Button>
          </p>
        </>
      )}
    </Tile>
  );
}
