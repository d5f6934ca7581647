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
    <p className="muted">The ledger has no entry yet, so nothing is signed.</p>
  ) : fault.code === 'LEDGER_ROLLED_BACK' ? (
    <Verdict isGood={false}>{fault.message}</Verdict>
  ) : null;

/** What was signed last: size, root and head of the ledger, to be kept elsewhere. */
export function CheckpointTile() {
  const checkpoint = useGet(getCheckpoint);
  return (
    <Tile title="Signed checkpoint" size="wide" query={checkpoint} emptyOf={withoutCheckpoint}>
      {({ data }) => (
        <>
          <dl className="facts">
            <div>
              <dt>entries</dt>
              <dd>{exactNumber(data.treeSize)}</dd>
            </div>
            <div>
              <dt>signed</dt>
              <dd>
                <Time at={data.issuedAt} withAge />
              </dd>
            </div>
            <div>
              <dt>root</dt>
              <dd>
                <code>{data.rootHash}</code>
              </dd>
            </div>
            <div>
              <dt>head of the chain</dt>
              <dd>
                <code>{data.chainHead}</code>
              </dd>
            </div>
            <div>
              <dt>key</dt>
              <dd>
                <code>{data.keyId}</code>
              </dd>
            </div>
          </dl>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <pre tabIndex={0} role="region" aria-label="The signed note">
            <code>{data.note}</code>
          </pre>
          <p className="muted">
            Keep it outside the service: whoever changes the whole ledger cannot change what you kept.
          </p>
          <p>
            <Button className="button" onPress={() => saveText(data.note, `checkpoint-${data.treeSize}.txt`)}>
              Download the checkpoint
            </Button>
          </p>
        </>
      )}
    </Tile>
  );
}
