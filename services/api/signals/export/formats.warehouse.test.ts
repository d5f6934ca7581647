import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import fc from 'fast-check';
import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { blanked } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { EXPORT_COLUMNS, EXPORT_FORMATS, EXPORT_TYPES, type ExportRow } from '#schemas/api/export.ts';
import type { Signal } from '#schemas/api/signals.ts';
import { SIGNALS } from '#schemas/tables/tables.ts';
import { awkwardSignal } from './testing/awkward-signals.ts';
import { parseCsv } from './testing/csv-parser.ts';
import { type ExportWorld, SLUG, startExportWorld } from './testing/export-world.ts';
import { readSheet, unzip } from './testing/read-sheet.ts';

const EXPORT = '/dashboard/signals/export';

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(() => world.clear());

const bytesOf = async (query: string): Promise<Buffer> => {
  const answer = await world.get(`${EXPORT}?${query}`);
  expect([answer.status, answer.error]).toEqual([200, null]);
  return answer.bytes;
};

/** The columns of every signal that the list shows, in its order. */
async function listed(query = ''): Promise<ExportRow[]> {
  const rows: Signal[] = [];
  for (let cursor = ''; ; ) {
    const url = `/dashboard/signals?limit=100&${query}${cursor}`;
    const { body } = await world.harness.call({ url, headers: world.customer.headers });
    rows.push(...(body.signals as Signal[]));
    if (body.pagination.nextCursor === null) break;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
  return rows.map((row) => {
    const { confidences = [] } = row;
    const shown = { ...row, confidences, detections: canonicalJson(row.detections) };
    return Object.fromEntries(EXPORT_COLUMNS.map((name) => [name, shown[name]])) as ExportRow;
  });
}

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/** Characters that spreadsheets skip before a formula character. */
const SKIPPED = [' ', '"', '\u00a0', '\v', '\f', '\0'];

/** Whether a spreadsheet may treat the cell as a formula. */
function isFormula(text: string): boolean {
  if (['\t', '\r', '\n', '\0'].includes(text[0] ?? '')) return true;
  return SIGNS.includes(first(text));
}

/** The cells seen by a reader that separates by semicolons, tabs and line breaks. */
const otherCells = (text: string): string[] => text.split(/[;\t\r\n]/);

type Cell = string | number | boolean | Date | null;

/** A value as a sheet holds it: typed and unchanged. */
function sheetCellOf(value: ExportRow[keyof ExportRow], name: keyof ExportRow): Cell {
  if (name === 'createdAt') return new Date(value as string);
  const cell = Array.isArray(value) ? value.join(';') : value;
  return cell === '' ? null : cell;
}

/** A value in a text file, where readers with other separators see other cells. */
function csvCellOf(value: ExportRow[keyof ExportRow]): Cell {
  if (!Array.isArray(value) && typeof value !== 'string') return value;
  const text = Array.isArray(value) ? value.join(';') : value;
  const parts = text.split(/([;\t\r\n])/).map((part) => (SIGNS.includes(first(part)) ? `'${part}` : part));
  const whole = parts.join('');
  return isFormula(whole) ? `'${whole}` : whole;
}

const first = (text: string): string => [...text].find((character) => !SKIPPED.includes(character)) ?? '';

const cellsOf = (row: ExportRow, of: typeof sheetCellOf) => EXPORT_COLUMNS.map((name) => of(row[name], name));

describe('every format agrees with the list', () => {
  const inAll = async (rows: readonly ExportRow[], query = ''): Promise<void> => {
    const json = (await bytesOf(`format=json&${query}`)).toString('utf8');
    expect(JSON.parse(json)).toEqual(rows);
    const lines = (await bytesOf(`format=ndjson&${query}`)).toString('utf8').split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
    for (const line of lines) expect(Object.keys(JSON.parse(line))).toEqual([...EXPORT_COLUMNS]);
    const [names, ...records] = parseCsv((await bytesOf(`format=csv&${query}`)).toString('utf8'));
    expect(names).toEqual([...EXPORT_COLUMNS]);
    // A number is written in its shortest form, as JSON writes it.
    expect(records).toEqual(
      rows.map((row) => cellsOf(row, csvCellOf).map((cell) => (cell === null ? '' : String(cell)))),
    );
    const [head, ...cells] = readSheet(await bytesOf(`format=xlsx&${query}`));
    expect(head).toEqual([...EXPORT_COLUMNS]);
    expect(cells).toEqual(rows.map((row) => cellsOf(row, sheetCellOf)));
    expect(await readParquet(await bytesOf(`format=parquet&${query}`))).toEqual(rows);
  };

  /** Reads the file with the engine, which like any other program does not know how it was assembled. */
  async function readParquet(bytes: Buffer): Promise<unknown[]> {
    const { warehouse } = world.real;
    const content = `unhex('${bytes.toString('hex')}')`;
    const columns = await warehouse.query<{ name: string }>(`DESCRIBE TABLE format(Parquet, ${content})`);
    expect(columns.map(({ name }) => name)).toEqual([...EXPORT_COLUMNS]);
    // The engine fails on a statement that reads a file without rows, so the file's row count is queried first.
    const [found] = await warehouse.query<{ n: number }>(
      `SELECT num_rows AS n FROM format(ParquetMetadata, ${content})`,
    );
    return found?.n === 0 ? [] : warehouse.query(`SELECT * FROM format(Parquet, ${content})`);
  }

  test('for texts, lists and numbers of all kinds', async () => {
    const signals = fc.sample(awkwardSignal, { numRuns: 250, seed: 20261122 });
    await world.store(signals);
    const rows = await listed();
    expect(rows).toHaveLength(250);
    expect(rows.filter(({ reasoning }) => reasoning !== null && isFormula(reasoning)).length).toBeGreaterThan(
      9,
    );
    await inAll(rows);
  });

  test('and CSV contains no formula, whatever separator its reader uses', async () => {
    const attacks = SIGNS.flatMap((sign) => {
      const formula = `${sign}cmd|' /C calc'!A0`;
      const starts = [
        '',
        ' ',
        '"',
        ';',
        '; ',
        ';"',
        'a;',
        'a; ',
        'a;"',
        'a;;',
        '\t',
        'a\t',
        'a\t\t',
        '\r',
        'a\r',
      ];
      return [...starts, '\n', 'a\n', 'a\r\n', '\0', 'a;\0', '\u00a0', 'a;\u00a0', '\v', "'\t"].map(
        (start) => start + formula,
      );
    });
    await world.store(attacks.map((reasoning) => ({ reasoning })));
    const [, ...records] = parseCsv((await bytesOf('format=csv')).toString('utf8'));
    expect(records).toHaveLength(attacks.length);
    const reasoning = EXPORT_COLUMNS.indexOf('reasoning');
    for (const record of records) {
      const cell = record[reasoning]!;
      expect([cell, isFormula(cell)]).toEqual([cell, false]);
      const others = otherCells(cell).filter((text) => SIGNS.includes(first(text)));
      expect([cell, others]).toEqual([cell, []]);
    }
    // Only the quote mark was added.
    const kept = records.map((record) => record[reasoning]!.replaceAll("'", '')).sort();
    expect(kept).toEqual(attacks.map((text) => text.replaceAll("'", '')).sort());
  });

  test('for every filter, and for none that match', async () => {
    const rows = await world.store([
      { riskLevel: 'LOW', provider: 'gemini' },
      { riskLevel: 'HIGH', violations: ['SSN'] },
      { riskLevel: 'HIGH', sandboxId: 'another' },
      { riskLevel: 'HIGH', violations: ['SSN'] },
    ]);
    const at = rows[1]!.createdAt;
    const queries = [
      ['riskLevel=LOW', 1],
      ['provider=gemini', 1],
      ['violation=SSN', 2],
      [`sandboxSlug=${SLUG.replace('-', '_')}`, 3],
      [`riskLevel=HIGH&sandboxSlug=${SLUG}`, 2],
      [`from=${at}`, 3],
      [`startDate=${at}&endDate=${at}`, 1],
      ['sandboxSlug=unknown', 0],
      ['to=2020-01-01', 0],
    ] as const;
    for (const [query, matching] of queries) {
      const found = await listed(query);
      expect([query, found.length]).toEqual([query, matching]);
      expect(JSON.parse((await bytesOf(`format=json&${query}`)).toString('utf8'))).toEqual(found);
    }
    await inAll(await listed('violation=SSN'), 'violation=SSN');
    await inAll([], 'sandboxSlug=unknown');
  }, 60_000);

  test('for signals that were erased, anonymized, or stored twice', async () => {
    const confidences = [0.9, 1];
    const [first, second, third] = await world.store([{}, { reasoning: '=kept' }, { v: 4, confidences }]);
    // Content that an erasure should have blanked is not exported either.
    const left = { ...blanked(third!, 'DETAIL', 6), reasoning: 'left', confidences };
    await world.real.insert(SIGNALS, [
      blanked(first!, 'ALL', 5),
      second!,
      { ...left, detections: third!.detections },
    ]);
    const rows = await listed();
    expect(rows.map(({ auditId, reasoning }) => [auditId, reasoning])).toEqual([
      [third!.auditId, null],
      [second!.auditId, '=kept'],
    ]);
    await inAll(rows);
  });
});

describe('an exported file', () => {
  test('has its type, a name, and its digest and row count in trailers', async () => {
    await world.store([{}, {}]);
    for (const format of EXPORT_FORMATS) {
      const { headers, trailers, bytes } = await world.get(`${EXPORT}?format=${format}`);
      expect(headers['content-type']).toBe(EXPORT_TYPES[format]);
      expect(headers['content-disposition']).toMatch(
        new RegExp(`^attachment; filename="signals-\\d{8}T\\d{9}Z\\.${format}"$`),
      );
      expect(headers.trailer).toBe('Content-Digest, X-Row-Count, X-As-Of, X-Tree-Size');
      expect([headers['x-as-of'], headers['x-tree-size']]).toEqual([
        trailers['x-as-of'],
        trailers['x-tree-size'],
      ]);
      const digest = createHash('sha256').update(bytes).digest('base64');
      expect(trailers).toEqual({
        'content-digest': `sha-256=:${digest}:`,
        'x-row-count': '2',
        'x-as-of': expect.stringMatching(/^\d{4}-.*Z$/),
        'x-tree-size': '2',
      });
    }
  });

  test('has the digest and row count of its manifest', async () => {
    await world.store([{ riskLevel: 'LOW' }, { riskLevel: 'LOW' }, { riskLevel: 'HIGH' }]);
    for (const format of EXPORT_FORMATS) {
      const query = `format=${format}&riskLevel=LOW&sandboxSlug=${SLUG}&from=2026-01-01&to=2026-01-02`;
      const { trailers } = await world.get(`${EXPORT}?${query}`);
      const { body } = await world.harness.call({
        url: `${EXPORT}/manifest?${query}`,
        headers: world.customer.headers,
      });
      const { data, ...manifest } = body;
      expect(data).toEqual(manifest);
      expect(manifest).toEqual({
        contentDigest: trailers['content-digest'],
        rowCount: 2,
        format,
        asOf: expect.any(String),
        treeSize: 3,
        complete: expect.any(Boolean),
        filters: {
          riskLevel: 'LOW',
          sandboxSlug: SLUG,
          from: '2026-01-01T00:00:00.000Z',
          to: '2026-01-02T23:59:59.999Z',
        },
        checkpoint: null,
      });
    }
  });

  test('is CSV unless another format is requested; an unknown one is refused', async () => {
    await world.store([{}]);
    expect((await bytesOf('')).toString()).toMatch(/^auditId,createdAt,sandboxSlug,/);
    const { status, bytes } = await world.get(`${EXPORT}?format=pdf`);
    expect(status).toBe(400);
    expect(JSON.parse(bytes.toString()).message).toMatch(/^format: .*csv.*parquet/);
  });

  test('is sent without trailers, as one piece, to an HTTP/1.0 client', async () => {
    await world.store([{}, {}]);
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    const key = world.customer.headers['x-service-key'];
    socket.write(`GET ${EXPORT}?format=ndjson HTTP/1.0\r\nx-service-key: ${key}\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    const [head, body] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(head).not.toMatch(/transfer-encoding|trailer/i);
    expect(body).toBe((await bytesOf('format=ndjson')).toString());
  });

  test('as a workbook has the parts that spreadsheets need', async () => {
    const files = unzip(await bytesOf('format=xlsx'));
    expect([...files.keys()]).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/worksheets/sheet1.xml',
    ]);
    for (const text of files.values()) expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"/);
    // Office refuses a workbook whose parts are not declared by these attributes (Open Packaging Conventions).
    const declared = [...files.get('[Content_Types].xml')!.matchAll(/<Override (\w+)="([^"]+)" (\w+)=/g)];
    expect(declared.map(([, name, part, type]) => [name, part, type])).toEqual([
      ['PartName', '/xl/workbook.xml', 'ContentType'],
      ['PartName', '/xl/worksheets/sheet1.xml', 'ContentType'],
      ['PartName', '/xl/styles.xml', 'ContentType'],
    ]);
  });

  test('as CSV starts with a byte-order mark on request, covered by its digest; no other format has one', async () => {
    await world.store([{}]);
    const plain = await bytesOf('format=csv');
    const query = 'format=csv&bom=true';
    const { bytes, trailers } = await world.get(`${EXPORT}?${query}`);
    expect(bytes).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
    const { headers } = world.customer;
    const { body } = await world.harness.call({ url: `${EXPORT}/manifest?${query}`, headers });
    expect([body.contentDigest, body.rowCount]).toEqual([trailers['content-digest'], 1]);
    expect(await bytesOf('bom=false')).toEqual(plain);
    const refused = await world.get(`${EXPORT}?format=xlsx&bom=true`);
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.bytes.toString()).message).toBe(
      'bom: only csv supports a byte-order mark; omit bom',
    );
  });

  test('as a workbook keeps texts that start like a formula unchanged, as text, even when edited', async () => {
    const models = ['@cf/meta/llama', '=1+1', '-1', '+1', '＝1'];
    await world.store(models.map((model) => ({ model })));
    const bytes = await bytesOf('format=xlsx');
    const column = EXPORT_COLUMNS.indexOf('model');
    const found = readSheet(bytes)
      .slice(1)
      .map((row) => row[column]);
    expect(found.sort()).toEqual(models.toSorted());
    const files = unzip(bytes);
    const sheet = files.get('xl/worksheets/sheet1.xml')!;
    expect(sheet).not.toContain('<f');
    const letter = String.fromCharCode(0x41 + column);
    for (const [, style] of sheet.matchAll(new RegExp(`<c r="${letter}[2-6]" s="(\\d)" t="inlineStr">`, 'g')))
      expect(files.get('xl/styles.xml')!.match(/<xf [^>]*>/g)![Number(style) + 1]).toContain(
        'quotePrefix="1"',
      );
    expect([...sheet.matchAll(new RegExp(`<c r="${letter}[2-6]" s=`, 'g'))]).toHaveLength(models.length);
  });
});
