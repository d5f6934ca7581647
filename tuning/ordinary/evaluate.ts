import { readFileSync } from 'node:fs';
import Table from 'cli-table3';
import { dataFolderOf } from '../samples/data-folder.ts';
import { type OrdinaryExchange, ordinaryExchanges } from './exchanges.ts';
import { measureNoise, type Noise } from './noise.ts';

/**
 * Measures how much noise detection makes in ordinary traffic: `npm run -w tuning eval:ordinary` uses the sources in
 * DETECT_DATA on which nothing is tuned, `npm run -w tuning eval:ordinary -- FILE` your own JSON lines with `text`, or
 * `prompt` and `response`, and an optional `kind`. Prints only counts, never a text or a value.
 */

interface OwnText {
  readonly text?: string;
  readonly prompt?: string;
  readonly response?: string;
  readonly kind?: string;
}

const ownExchanges = (file: string): OrdinaryExchange[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as OwnText)
    .map(({ text = '', prompt = text, response = '', kind = 'text' }) => ({
      material: kind,
      prompt,
      response,
    }));

const REASONS_SHOWN = 5;
const HEAD = [
  'ordinary exchanges',
  'number',
  'changed by a scan',
  'MEDIUM or higher',
  'HIGH or higher',
  'raised by',
];

function rowOf(name: string, { exchanges, changed, medium, high, reasons }: Noise): string[] {
  const perThousand = (part: number): string => ((1_000 * part) / exchanges).toFixed(0);
  const most = [...reasons].sort(([, a], [, b]) => b - a).slice(0, REASONS_SHOWN);
  return [
    name,
    String(exchanges),
    perThousand(changed),
    perThousand(medium),
    perThousand(high),
    most.map(([reason, count]) => `${reason} ${perThousand(count)}`).join(', '),
  ];
}

function tableOf(rows: readonly string[][], markdown: boolean): string {
  if (markdown)
    return [HEAD, HEAD.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
  const table = new Table({
    head: HEAD,
    style: { head: [], border: [] },
    colWidths: [22, 9, 10, 10, 10, 70],
    wordWrap: true,
  });
  table.push(...rows);
  return `${table.toString()}\n`;
}

function exchangesOf(file: string | undefined): OrdinaryExchange[] {
  if (file !== undefined) return ownExchanges(file);
  const data = dataFolderOf(process.env);
  if (data === null)
    throw new Error('name a file of JSON lines, or set DETECT_DATA to the folder with the tuning data');
  return ordinaryExchanges(data);
}

const [markdown, files] = [
  process.argv.includes('--markdown'),
  process.argv.slice(2).filter((word) => !word.startsWith('--')),
];
const { byMaterial, byLength, all } = measureNoise(exchangesOf(files[0]));
const rows = [...byMaterial, ...byLength, ['all', all] as const].map(([name, noise]) => rowOf(name, noise));
process.stdout.write(`Per 1,000 exchanges.\n${tableOf(rows, markdown)}`);
