import {
  eraseSignal,
  getConsistencyProof,
  getErasure,
  getInclusionProof,
  getSignal,
  verifyHashChain,
} from '#schemas/endpoints.ts';
import { coveringCheckpoint, type Desk, dataOf, described, heading, refusalOf } from '../steps/desk.ts';
import { keep, verifyOffline } from './offline.ts';
import { showGone, type TakenPackage } from './package.ts';

interface Receipt {
  readonly index: number;
  readonly treeSize: number;
}

/** Erases the signal of a person who asked for it, with the receipt. */
export async function eraseForPerson(desk: Desk, auditId: string, held: TakenPackage): Promise<void> {
  heading('6. A person asks to be forgotten');
  const { client, show, steps } = desk;
  const before = await coveringCheckpoint(desk);
  const older = keep(desk, 'checkpoint-before.json', before);
  const answer = await client.call(eraseSignal, {
    params: { id: auditId },
    query: { reason: 'DATA_SUBJECT_REQUEST' },
  });
  steps.push({
    what: 'the erasure of a person’s signal',
    entries: [{ kind: 'ERASURE', id: `signal:${auditId}` }],
  });
  await coveringCheckpoint(desk);
  // The answer waits for the receipt five seconds; on a busy service it is fetched.
  const receipted =
    answer.statusCode === 202 ? await client.call(getErasure, { params: { id: auditId } }) : answer;
  const { deleted, receipt } = dataOf(receipted) as { deleted: boolean; receipt: Receipt | null };
  show(
    `signal ${auditId} is erased; its receipt is for entry ${receipt?.index} of ${receipt?.treeSize}`,
    deleted && receipt !== null,
  );
  show('the receipt verifies', await verifyOffline(desk, keep(desk, 'erasure-receipt.json', receipted)));
  const gone = await refusalOf(client.call(getSignal, { params: { id: auditId } }));
  show(`the signal is unknown from now on: ${described(gone)}`, gone?.statusCode === 404);
  await showGone(desk, held);
  await showUnbroken(desk, { auditId, older, olderSize: Number(dataOf(before).treeSize) });
}

/** That the ledger is as whole as before. `older`: file with the checkpoint from before the erasure. */
async function showUnbroken(
  desk: Desk,
  { auditId, older, olderSize }: { auditId: string; older: string; olderSize: number },
): Promise<void> {
  heading('7. The chain holds without what was erased');
  const { client, show } = desk;
  const verification = dataOf(await client.call(verifyHashChain));
  show(
    `the chain is ${String(verification.status)}: ${String(verification.checkedEntries)} of ${String(verification.treeSize)} entries re-hashed, ${String(verification.erasedSignals)} of them erased`,
    verification.valid === true &&
      verification.checkedEntries === verification.treeSize &&
      verification.erasedSignals === 1,
  );
  const proof = await client.call(getInclusionProof, { query: { auditId } });
  const { coreSalt, detailSalt } = dataOf(proof);
  show(
    'the salts of its hashes are gone, so that nobody can guess what it said',
    coreSalt === null && detailSalt === null,
  );
  show('its entry is still proved', await verifyOffline(desk, keep(desk, 'erased-entry.json', proof)));
  const onward = await client.call(getConsistencyProof, { query: { fromSize: olderSize } });
  show(
    'no entry from before the erasure was changed',
    await verifyOffline(desk, keep(desk, 'consistency.json', onward), older),
  );
}
