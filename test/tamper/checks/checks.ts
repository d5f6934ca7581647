import { refusals } from '../served/snapshot.ts';

import type { World } from '../world/world.ts';
import { type Check, type Finding, SOMETHING } from './check.ts';
import { newPackage } from './new-package.ts';
import { verifiedOffline } from './offline.ts';
import { scrub } from './scrub.ts';
import { readiness, start } from './start.ts';
import { witnessed } from './witness.ts';

/** Checks by their name in docs/proof.md. */
export const CHECKS: Readonly<Record<string, Check>> = {
  read: async ({ before, after }) => (refusals(before, after).length > 0 ? SOMETHING : null),
  verification: async ({ after }) => faultOf(after.get('GET /evidence/hash-chain/verify')!),
  incremental: async ({ world }) => faultOf(await ask(world, '/evidence/hash-chain/verify?mode=incremental')),
  scrub,
  start,
  readiness,
  books: async ({ after }) => unbalanced(after.get('GET /dashboard/books')!),
  witness: witnessed,
  'cas verify': verifiedOffline,
  'new package': newPackage,
};

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

async function ask({ harness, headers }: World, url: string): Promise<Answer> {
  const { statusCode, rawPayload } = await harness.app.inject({ url, headers: headers.key });
  return { status: statusCode, bytes: rawPayload };
}

const bodyOf = ({ bytes }: Answer) => JSON.parse(bytes.toString()) as { data?: unknown };

function faultOf(answer: Answer): Finding | null {
  // Without access a client finds nothing about the ledger; `read` reports that.
  if (answer.status === 401) return null;
  if (answer.status !== 200) return SOMETHING;
  const { status, errors, signingKey } = bodyOf(answer).data as {
    readonly status: string;
    readonly errors: readonly { readonly index: number }[];
    readonly signingKey: { readonly announced: boolean; readonly listIntact: boolean };
  };
  const isValid = status === 'VALID' && signingKey.announced && signingKey.listIntact;
  return isValid ? null : { entries: errors.map(({ index }) => index) };
}

function unbalanced(answer: Answer): Finding | null {
  if (answer.status !== 200) return null;
  const body = bodyOf(answer) as { balanced?: boolean; data?: { balanced: boolean } };
  return (body.data?.balanced ?? body.balanced) ? null : SOMETHING;
}
