import type { Receipt } from '#schemas/api/audits.ts';

/**
 * The answer to an accepted audit (`AcceptedAudit`) in JSON. The service makes every text in it from letters, digits
 * and marks that JSON does not escape (ids, slugs, times, hex, base64), so it is concatenated rather than serialised,
 * which takes four times as long.
 */
export function acceptedText(auditId: string, sandboxSlug: string, receipt: Receipt): string {
  const audit = `"auditId":"${auditId}","status":"QUEUED"`;
  const data = `${audit},"sandboxSlug":"${sandboxSlug}","acceptedAt":"${receipt.acceptedAt}"`;
  return `{"success":true,${audit},"data":{${data},"receipt":${receiptText(receipt)}}}`;
}

function receiptText(receipt: Receipt): string {
  const { payloadDigest, nonce, acceptedAt, partition, offset, keyId, inclusion, signature } = receipt;
  const digests = `"payloadDigest":"${payloadDigest}","nonce":"${nonce}"`;
  const position = `"acceptedAt":"${acceptedAt}","partition":${partition},"offset":${offset},"keyId":"${keyId}"`;
  const path = inclusion === undefined ? '' : `"inclusion":${inclusionText(inclusion)},`;
  return `{${digests},${position},${path}"signature":"${signature}"}`;
}

function inclusionText({ leafIndex, treeSize, rootHash, hashes }: NonNullable<Receipt['inclusion']>): string {
  const list = hashes.length === 0 ? '' : `"${hashes.join('","')}"`;
  return `{"leafIndex":${leafIndex},"treeSize":${treeSize},"rootHash":"${rootHash}","hashes":[${list}]}`;
}
