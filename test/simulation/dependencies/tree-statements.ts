import type { MemoryStore } from '#services/sink/testing/memory-store.ts';

type Params = Readonly<Record<string, unknown>>;
type Statement = readonly [RegExp, (store: MemoryStore, params: Params) => readonly object[]];

interface Position {
  readonly epoch: number;
  readonly partition: number;
  readonly offset: number;
}

/** Removes rows that are equal in every column. */
function distinct<Row extends object>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

const within =
  ({ customerId, from, to }: Params) =>
  (row: { customerId: string; index: number }): boolean =>
    row.customerId === customerId && row.index >= Number(from) && row.index < Number(to);

const byIndex = (one: { index: number }, other: { index: number }): number => one.index - other.index;

const linkOf = ({ index, leafHash, previousHash, hash }: MemoryStore['rows']['ledger'][number]) => ({
  index,
  leafHash,
  previousHash,
  hash,
});

/** Statements of the tree job and of checkpoints (`platform/warehouse/queries/trees.ts`). */
export const TREE_STATEMENTS: readonly Statement[] = [
  [/SELECT DISTINCT customerId, `index`, leafHash/, linksOfLedgers],
  [/SELECT DISTINCT height, `index`, hash FROM subtrees/, subtreeRoots],
  [
    /uniqExact\(`index`\) AS stored/,
    ({ rows }, { customerIds, height }) =>
      (customerIds as unknown as readonly string[]).flatMap((customerId) => {
        const own = rows.subtrees.filter((row) => row.customerId === customerId && row.height === height);
        const indexes = new Set(own.map(({ index }) => index));
        return indexes.size === 0
          ? []
          : [{ customerId, stored: indexes.size, next: Math.max(...indexes) + 1 }];
      }),
  ],
  [
    /SELECT `index` FROM subtrees/,
    ({ rows }, { customerId, height }) =>
      rows.subtrees
        .filter((row) => row.customerId === customerId && row.height === height)
        .sort((one, other) => other.index - one.index)
        .slice(0, 1),
  ],
  [/SELECT customerId, max\(`index`\) \+ 1 AS size/, ledgerSizes],
  [
    /SELECT DISTINCT `index`, leafHash FROM ledger/,
    ({ rows }, params) =>
      distinct(rows.ledger.filter(within(params)).map(({ index, leafHash }) => ({ index, leafHash }))).sort(
        byIndex,
      ),
  ],
  [/AS stored\s+SELECT `index`, leafHash, previousHash, hash FROM ledger/, foldedTip],
  [
    /FROM checkpoints WHERE customerId/,
    ({ rows }, { customerId }) =>
      rows.checkpoints
        .filter((row) => row.customerId === customerId)
        .sort((one, other) => other.epoch - one.epoch || other.size - one.size)
        .slice(0, 1),
  ],
];

/** Spans are numbered: `customer0`, `from0`, `to0` and so on. */
function linksOfLedgers({ rows }: MemoryStore, params: Params): object[] {
  const links: object[] = [];
  for (let n = 0; params[`customer${n}`] !== undefined; n += 1) {
    const customerId = params[`customer${n}`];
    const span = { customerId, from: params[`from${n}`], to: params[`to${n}`] } as Params;
    const own = distinct(rows.ledger.filter(within(span)).map(linkOf)).sort(byIndex);
    links.push(...own.map((link) => ({ customerId, ...link })));
  }
  return links;
}

/** Runs are numbered: `height0`, `from0`, `to0` and so on. */
function subtreeRoots({ rows }: MemoryStore, params: Params): object[] {
  const roots: { height: number; index: number; hash: string }[] = [];
  for (let n = 0; params[`height${n}`] !== undefined; n += 1) {
    const run = within({ customerId: params.customerId, from: params[`from${n}`], to: params[`to${n}`] });
    const ofHeight = rows.subtrees.filter((row) => row.height === params[`height${n}`] && run(row));
    roots.push(...ofHeight.map(({ height, index, hash }) => ({ height, index, hash })));
  }
  return distinct(roots).sort((one, other) => one.height - other.height || byIndex(one, other));
}

const isBelow = (row: Position, epoch: number, offset: number): boolean =>
  row.epoch < epoch || (row.epoch === epoch && row.offset < offset);

function foldedTip({ rows }: MemoryStore, { customerId, topic, partition }: Params): object[] {
  const positions = rows.positions.filter((row) => row.topic === topic);
  const epoch = Math.max(0, ...positions.map((row) => row.epoch));
  const own = positions.filter((row) => row.partition === partition && row.epoch === epoch);
  if (own.length === 0) return [];
  const offset = Math.max(...own.map(({ nextOffset }) => nextOffset));
  return rows.ledger
    .filter((row) => row.customerId === customerId && isBelow(row, epoch, offset))
    .map(linkOf)
    .sort((one, other) => other.index - one.index)
    .slice(0, 1);
}

function ledgerSizes({ rows }: MemoryStore, { epoch, nextOffsets, after, limit }: Params): object[] {
  const sizes = new Map<string, number>();
  for (const row of rows.ledger) {
    const nextOffset = (nextOffsets as readonly number[])[row.partition] ?? 0;
    if (row.customerId <= String(after) || !isBelow(row, Number(epoch), nextOffset)) continue;
    sizes.set(row.customerId, Math.max(sizes.get(row.customerId) ?? 0, row.index + 1));
  }
  return [...sizes]
    .map(([customerId, size]) => ({ customerId, size }))
    .sort((one, other) => (one.customerId < other.customerId ? -1 : 1))
    .slice(0, Number(limit));
}
