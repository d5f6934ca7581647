import { HASH_BYTES } from '../hashing.ts';

/** C2SP tlog-checkpoint: origin, size and root of a tree, with extension lines of this service. */
export interface Checkpoint {
  /** `<ledger's origin>/<customerId>`. */
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
  readonly root: Buffer;
  /** Hash of the last entry of the chain, 32 bytes. */
  readonly chainHead: Buffer;
  /**
   * Log epoch, if a loss was accepted: size and root may then differ from those of an earlier note, and the two must
   * not be confused. null: no loss was accepted.
   */
  readonly epoch: number | null;
}

const CHAIN_HEAD = 'chain-head ';
const EPOCH = 'log-epoch ';
/** Decimal without leading zeros, as required in a checkpoint. */
const NUMBER = /^(?:0|[1-9]\d{0,15})$/;

/** Text of the note: a pure function of the checkpoint, so that all nodes sign the same bytes. */
export function checkpointText({ origin, size, root, chainHead, epoch }: Checkpoint): string {
  const lines = [
    origin,
    String(size),
    root.toString('base64'),
    `${CHAIN_HEAD}${chainHead.toString('base64')}`,
  ];
  if (epoch !== null) lines.push(`${EPOCH}${epoch}`);
  return `${lines.join('\n')}\n`;
}

const numberOf = (text: string): number | null => {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
};

const hashOf = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === HASH_BYTES && bytes.toString('base64') === text ? bytes : null;
};

const extensionOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(name))?.slice(name.length);

/** Parses the text of a note; null: not a checkpoint of a ledger. Ignores unknown extension lines. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', sizeText = '', rootText = '', ...extensions] = text.split('\n');
  const epochText = extensionOf(extensions, EPOCH);
  const [size, root] = [numberOf(sizeText), hashOf(rootText)];
  const chainHead = hashOf(extensionOf(extensions, CHAIN_HEAD) ?? '');
  const epoch = epochText === undefined ? null : numberOf(epochText);
  if (origin === '' || size === null || root === null || chainHead === null) return null;
  if (epochText !== undefined && epoch === null) return null;
  return { origin, size, root, chainHead, epoch };
}
