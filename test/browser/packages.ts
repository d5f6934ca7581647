import { readFileSync } from 'node:fs';
import { verifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { openArchive } from '#core/evidence/package/archive.ts';
import { builtFile } from '#platform/config/package-root.ts';
import { MANIFEST, type PackageFile, SIGNATURE } from '#schemas/api/evidence/evidence-package.ts';
import { archiveFile } from '#services/api/evidence/packages/archive-file.ts';
import { runPackageRound } from '#services/api/evidence/packages/package-rounds.ts';
import { startPackageWorld } from '../../services/api/testing/package-world.ts';
import { archiveBytes } from '../../services/api/testing/sample-package.ts';

/** Text that a sender of triplets may get into a signal. */
export const MARKUP = '<img src=x onerror="document.title=`taken over`"><script>alert(1)</script>';

export interface MadePackage {
  readonly bytes: Buffer;
  /** As a person pastes it. */
  readonly key: string;
}

/**
 * A package built by the service, requested over HTTP and including the built page. Its second signal contains markup.
 */
export async function makePackage(signals: number): Promise<MadePackage> {
  const world = await startPackageWorld();
  try {
    const owner = await world.customer();
    const ids: string[] = [];
    for (let number = 0; number < signals; number += 1)
      ids.push(await world.signal(owner, number === 1 ? { reasoning: MARKUP } : {}));
    await world.fold();
    await world.send(owner, 'POST', '/incidents', { signalId: ids[0]! });
    await world.fold();
    world.harness.skew += 2_000;
    const asked = { framework: 'GDPR', startDate: '2026-01-01', endDate: '2099-12-31' };
    const { body } = await world.send(owner, 'POST', '/packages', asked);
    await runPackageRound(
      world.jobs({ verifyPage: readFileSync(builtFile('page/verify.html'), 'utf8') }),
      owner.id,
    );
    const response = await world.harness.app.inject({
      url: `/evidence/packages/${body.data.id}/download`,
      headers: owner.headers,
    });
    if (response.statusCode !== 200) throw new Error(`the package cannot be downloaded: ${response.body}`);
    const { signingKey, settings } = world.harness.dependencies;
    return {
      bytes: response.rawPayload,
      key: verifierKey({ ...signingKey, name: settings.ledgerOrigin }),
    };
  } finally {
    await world.close();
  }
}

/** The texts of an archive's files. */
export async function textsOf(bytes: Buffer): Promise<Map<string, string>> {
  const archive = await openArchive(archiveBytes(bytes));
  const texts = new Map<string, string>();
  for (const name of archive.files.keys()) {
    const pieces: Uint8Array[] = [];
    for await (const piece of archive.chunks(name)) pieces.push(piece);
    texts.set(name, Buffer.concat(pieces).toString());
  }
  return texts;
}

/** The archive with some texts replaced, or without a file (null); manifest and signature are unchanged. */
export async function changedPackage(
  bytes: Buffer,
  change: Readonly<Partial<Record<string, string | null>>>,
): Promise<Buffer> {
  const texts = await textsOf(bytes);
  for (const [name, text] of Object.entries(change)) {
    if (text === null || text === undefined) texts.delete(name);
    else texts.set(name, text);
  }
  const parts = [...texts].filter(([name]) => name !== MANIFEST && name !== SIGNATURE);
  const archive = archiveFile({
    issuedAt: '2026-06-01T10:00:00.000Z',
    parts: parts.map(([name, text]) => ({
      name: name as PackageFile,
      async *content() {
        yield text;
      },
    })),
    manifestText: () => texts.get(MANIFEST)!,
    sign: () => texts.get(SIGNATURE)!,
  });
  const pieces: Buffer[] = [];
  for await (const piece of archive) pieces.push(piece);
  return Buffer.concat(pieces);
}
