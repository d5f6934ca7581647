import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { ProofFault } from '#core/evidence/checkpoint/check-proof.ts';
import { receipt } from '#schemas/api/audits.ts';
import { checkpoint, consistencyProof, inclusionProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import { erasureReceipt } from '#schemas/api/evidence/retention/erasures.ts';
import { getCheckpoint } from '#schemas/endpoints.ts';

/** A proof of a billion entries has some thirty hashes; nothing that is read here comes near this. */
const MAX_FILE_BYTES = 1024 * 1024;

/** What a file may hold: an answer of the service, or what stands in its `data`, or the bare text of a note. */
const EVIDENCE = z.union([
  inclusionProof.transform((proof) => ({ kind: 'inclusion' as const, proof })),
  consistencyProof.transform((proof) => ({ kind: 'consistency' as const, proof })),
  z
    .object({ signalId: z.string(), receipt: erasureReceipt })
    .transform((answer) => ({ kind: 'erasure' as const, ...answer })),
  erasureReceipt.transform((one) => ({ kind: 'erasure' as const, signalId: null, receipt: one })),
  checkpoint.transform(({ note }) => ({ kind: 'checkpoint' as const, note })),
  receipt.transform((one) => ({ kind: 'receipt' as const, receipt: one })),
  z.object({ receipt }).transform(({ receipt: one }) => ({ kind: 'receipt' as const, receipt: one })),
]);
export type Evidence = z.output<typeof EVIDENCE>;

/** The text of a file of at most 1 MiB. */
function readSmallFile(file: string): string {
  const { size } = statSync(file);
  if (size > MAX_FILE_BYTES)
    throw new ProofFault(
      `${file} has ${size} bytes; no proof, receipt or checkpoint has more than ${MAX_FILE_BYTES}`,
    );
  return readFileSync(file, 'utf8');
}

export function readEvidence(file: string): Evidence {
  const text = readSmallFile(file);
  if (!text.trimStart().startsWith('{')) return { kind: 'checkpoint', note: text };
  const parsed = EVIDENCE.safeParse(dataOf(parseJson(text, file)));
  if (parsed.success) return parsed.data;
  throw new ProofFault(
    `${file} is none of what can be verified: an answer of ${getCheckpoint.path} or of one of its proofs, the receipt of an audit or of an erasure, or the text of a signed note`,
  );
}

/** The note of a file with a checkpoint, in any of its forms. */
export function readCheckpoint(file: string): string {
  const evidence = readEvidence(file);
  if (evidence.kind === 'checkpoint') return evidence.note;
  throw new ProofFault(`${file} holds no checkpoint; name a new file, and the next one is kept in it`);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message may quote the file.
    throw new ProofFault(`${file} begins as JSON and is not`);
  }
}

const dataOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'data' in value ? value.data : value;
