import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { ProofFault } from '#core/evidence/checkpoint/check-proof.ts';
import { receipt } from '#schemas/api/audits.ts';
import { checkpoint, consistencyProof, inclusionProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import { erasureReceipt } from '#schemas/api/evidence/retention/erasures.ts';
import { getCheckpoint } from '#schemas/endpoints.ts';
import { fileFault } from '../command/file-fault.ts';

/** A proof over a billion entries has about thirty hashes: far less than this. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Accepted content of a file: a response of the service, its `data`, or the bare text of a note. */
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
  try {
    const { size } = statSync(file);
    if (size <= MAX_FILE_BYTES) return readFileSync(file, 'utf8');
    throw new ProofFault(
      `${file} has ${size} bytes. Proofs, receipts and checkpoints have at most ${MAX_FILE_BYTES}`,
    );
  } catch (error) {
    throw error instanceof ProofFault ? error : new ProofFault(`Cannot read ${file}: ${fileFault(error)}`);
  }
}

export function readEvidence(file: string): Evidence {
  const text = readSmallFile(file);
  if (!text.trimStart().startsWith('{')) return { kind: 'checkpoint', note: text };
  const parsed = EVIDENCE.safeParse(dataOf(parseJson(text, file)));
  if (parsed.success) return parsed.data;
  throw new ProofFault(
    `${file} is not evidence. Give a response of ${getCheckpoint.path} or of its proofs, the receipt of an audit or an erasure, or the text of a signed note`,
  );
}

/** The checkpoint note in a file, in any of its forms. */
export function readCheckpoint(file: string): string {
  const evidence = readEvidence(file);
  if (evidence.kind === 'checkpoint') return evidence.note;
  throw new ProofFault(`${file} has no checkpoint. Name a new file to start with the next one`);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message may quote the file.
    throw new ProofFault(`${file} is not valid JSON`);
  }
}

const dataOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'data' in value ? value.data : value;
