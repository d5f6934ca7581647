import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { draftEntry } from '#core/evidence/entry.ts';
import { chainHash, dataHash, leafHash } from '#core/evidence/hashing.ts';
import { packageRoot } from '#platform/config/package-root.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import { versionOf } from '#schemas/ledger/kinds.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { foldBatch } from '../../services/sink/fold/fold-batch.ts';
import { opened, storedRecord } from '../../services/sink/testing/sample-log.ts';
import { emittedDrafts } from './emitted.ts';

/**
 * Completes fixtures of ledger entries: `npm run make:fixture -- KIND.vN.type`. The author writes `given`, except for
 * entries that `emitted.ts` creates. A fixture with hashes is never changed.
 */

interface Given {
  readonly kind: LedgerKind;
  readonly id: string;
  readonly customerId: string;
  readonly at: string;
  readonly core: object;
  readonly detail: object;
  readonly coreSalt: string;
  readonly detailSalt: string;
}

const SALTS = { coreSalt: '4c'.repeat(32), detailSalt: '6c'.repeat(32) };
/** Its position in its customer's chain. */
const [INDEX, PREVIOUS] = [1, Buffer.alloc(32, 0x2c)];

const hexed = (draft: LedgerDraft): object =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? value.toString('hex') : value,
    ]),
  );

function givenOf({ kind, id, customerId, at, core, detail, coreSalt, detailSalt }: LedgerDraft): Given {
  const contents = { core: JSON.parse(core) as object, detail: JSON.parse(detail) as object };
  const salts = { coreSalt: coreSalt.toString('hex'), detailSalt: detailSalt.toString('hex') };
  return { kind, id, customerId, at, ...contents, ...salts };
}

async function readGiven(name: string, file: string): Promise<Given> {
  if (existsSync(file)) {
    const { given, hash } = JSON.parse(readFileSync(file, 'utf8')) as { given: Given; hash?: string };
    if (hash === undefined) return { ...given, ...SALTS };
    throw new Error(`${file} has its hashes. If nothing emits it yet, leave \`given\` alone in it.`);
  }
  const made = (await emittedDrafts()).get(name);
  if (made !== undefined) return givenOf(made);
  throw new Error(`write ${file}: { "given": { kind, id, customerId, at, core, detail } }`);
}

async function makeFixture(name: string): Promise<void> {
  const folder = (file: string): string => path.join(packageRoot(), file, `${name}.json`);
  const [file, ofRows] = [folder('schemas/ledger/fixtures'), folder('services/sink/fold/fixtures')];
  const given = await readGiven(name, file);
  const { kind, id, customerId, at } = given;
  const v = Number(/^[A-Z_]+\.v(\d+)(\.|$)/.exec(name)?.[1]);
  const version = name.startsWith(`${kind}.v`) ? versionOf(kind, v) : null;
  if (version === null) throw new Error(`${name} names no version of ${kind}; it is called KIND.vN.type`);
  const salt = (text: string): Buffer => Buffer.from(text, 'hex');
  const salts = { coreSalt: salt(given.coreSalt), detailSalt: salt(given.detailSalt) };
  const draft = draftEntry({ ...given, ...salts }, version);
  const data = dataHash(draft.coreHash, draft.detailHash).toString('hex');
  const leaf = { v, kind, customerId, index: INDEX, id, at, dataHash: data };
  const previousHash = PREVIOUS.toString('hex');
  const hash = chainHash(PREVIOUS, leafHash(leaf)).toString('hex');
  const { rows, refused } = foldBatch({
    epoch: 3,
    records: [await opened(storedRecord(draft, 17))],
    known: new Set(),
    cores: new Map(),
    heads: new Map([[customerId, { index: INDEX - 1, hash: previousHash, closed: false }]]),
    targets: { signals: [], entries: [], audits: [] },
  });
  if (refused !== null) throw refused;
  const fixture = {
    given,
    draft: hexed(draft),
    leaf,
    leafHash: leafHash(leaf).toString('hex'),
    previousHash,
    hash,
  };
  for (const [target, content] of [[file, fixture] as const, [ofRows, rows] as const]) {
    writeFileSync(target, `${JSON.stringify(content, null, 2)}\n`);
    process.stdout.write(`${path.relative(packageRoot(), target)}\n`);
  }
}

for (const name of process.argv.slice(2)) await makeFixture(name);
