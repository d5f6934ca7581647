import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { SigningKeyRecord } from '#schemas/api/evidence/hash-chain.ts';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import type { auditCheckpoint } from '#schemas/endpoints.ts';
import { exactNumber } from '../../format/numbers.ts';
import { saveJson } from '../../ui/save-file.ts';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';

interface CheckpointProps {
  readonly checkpoint: AnswerOf<typeof auditCheckpoint>['data'];
  readonly keys: readonly SigningKeyRecord[];
}

/** A signed checkpoint to keep elsewhere, whose signature is checked here. */
export function Checkpoint({ checkpoint, keys }: CheckpointProps) {
  const { note, treeSize, rootHash, issuedAt } = checkpoint;
  const checked = useQuery({
    queryKey: ['check', note],
    queryFn: async () => {
      const { noteFault } = await import('../../proof/check-note.ts');
      return {
        fault: noteFault(
          note,
          keys.map(({ vkey }) => vkey),
        ),
      };
    },
  });
  return (
    <>
      {checked.data !== undefined && (
        <Verdict isGood={checked.data.fault === null}>
          {checked.data.fault === null
            ? 'Signed by the key below'
            : `Signature not valid: ${checked.data.fault}`}
        </Verdict>
      )}
      <dl className="facts">
        <div>
          <dt>Entries</dt>
          <dd>{exactNumber(treeSize)}</dd>
        </div>
        <div>
          <dt>Signed</dt>
          <dd>
            <Time at={issuedAt} />
          </dd>
        </div>
        <div>
          <dt>Root hash</dt>
          <dd>
            <code>{rootHash}</code>
          </dd>
        </div>
      </dl>
      <pre>{note}</pre>
      <Button
        className="button"
        onPress={() => saveJson({ success: true, data: checkpoint }, `checkpoint-${treeSize}.json`)}
      >
        Download checkpoint
      </Button>
    </>
  );
}
