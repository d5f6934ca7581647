import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ExportManifest } from '#schemas/api/export.ts';
import { getExportManifest } from '#schemas/endpoints.ts';
import { type Client, RequestFailed } from '../command/client.ts';
import { fileFault } from '../command/file-fault.ts';

interface CheckedFile {
  /** The file is byte for byte what the service would export. */
  readonly isSame: boolean;
  readonly contentDigest: string;
  readonly manifest: ExportManifest;
}

/** Compares a file with the manifest of an export with the same parameters. */
export async function checkFile(client: Client, query: string, path: string): Promise<CheckedFile> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw new RequestFailed(`Cannot read ${path}: ${fileFault(error)}`, null, null);
  }
  const contentDigest = `sha-256=:${hash.digest('base64')}:`;
  const { body } = await client.call(getExportManifest, {
    query: Object.fromEntries(new URLSearchParams(query)),
  });
  const manifest = body as unknown as ExportManifest;
  return { isSame: manifest.contentDigest === contentDigest, contentDigest, manifest };
}
