import Table from 'cli-table3';
import { reliabilityPart } from '../ordinary/reliability.ts';
import { dataFolderOf } from '../samples/data-folder.ts';
import type { EvaluatedItem, EvaluationPart } from '../samples/items.ts';
import { evaluateBehaviour } from './behaviour.ts';
import { evaluateNames } from './names.ts';
import { obfuscatedPart } from './obfuscated.ts';
import { randomNumbers } from './random-numbers.ts';
import { secretsEvaluation } from './secrets.ts';
import { structuredData } from './structured-data.ts';
import { textModelPart } from './text-model.ts';
import { webAttacksEvaluation } from './web-attacks.ts';

const PARTS: readonly (readonly [string, EvaluationPart])[] = [
  ['numbers and other values', structuredData],
  ['numbers by chance', randomNumbers],
  ['values and orders in disguise', obfuscatedPart],
  ['names and addresses', evaluateNames],
  ['secrets', secretsEvaluation],
  ['attacks in code', webAttacksEvaluation],
  ['attacks on models, danger and hate', textModelPart],
  ['how often a confidence is right', reliabilityPart],
  ['agents, responses and content', evaluateBehaviour],
];
const HEAD = ['item', 'figure', 'value', 'first', 'goal', 'met', 'how'];

const meets = ({ value, better }: EvaluatedItem, bar: number): boolean =>
  better === 'HIGHER' ? value >= bar : value <= bar;

function verdictOf(item: EvaluatedItem): string {
  if (item.first === null) return '';
  if (item.goal !== null && meets(item, item.goal)) return 'goal';
  return meets(item, item.first) ? 'first' : 'not met';
}

function cellsOf(item: EvaluatedItem): string[] {
  const sign = item.better === 'HIGHER' ? '>=' : '<=';
  const bar = (limit: number | null): string => (limit === null ? '' : `${sign} ${limit}`);
  const { figure, value, first, goal, how } = item;
  return [item.item, figure, value.toFixed(3), bar(first), bar(goal), verdictOf(item), how];
}

function asMarkdown(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return line(HEAD) + line(HEAD.map(() => '---')) + rows.map(line).join('');
}

function asTable(rows: readonly string[][]): string {
  const style = { head: [], border: [] };
  const table = new Table({ head: HEAD, style, colWidths: [38, 14, 8, 9, 9, 9, 60], wordWrap: true });
  table.push(...rows);
  return `${table.toString()}\n`;
}

/** Parts that need tuning data say so if there is no folder with it. */
function evaluate(): EvaluatedItem[] {
  const data = dataFolderOf(process.env);
  if (data === null) {
    process.stderr.write('DETECT_DATA is not set: only the sets in the project are evaluated.\n');
  }
  return PARTS.flatMap(([name, part]) => {
    process.stderr.write(`${name} ...\n`);
    return part(data);
  });
}

const rows = evaluate().map(cellsOf);
process.stdout.write(process.argv.includes('--markdown') ? asMarkdown(rows) : asTable(rows));
