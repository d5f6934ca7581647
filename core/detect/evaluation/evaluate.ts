import Table from 'cli-table3';
import { dataFolderOf } from './data-folder.ts';
import type { EvaluatedItem, EvaluationPart } from './items.ts';
import { textModelPart } from './text-model.ts';

const PARTS: readonly (readonly [string, EvaluationPart])[] = [['attacks, danger and hate', textModelPart]];

const meets = ({ value, better }: EvaluatedItem, bar: number): boolean =>
  better === 'HIGHER' ? value >= bar : value <= bar;

function verdictOf(item: EvaluatedItem): string {
  if (item.first === null) return '';
  if (item.goal !== null && meets(item, item.goal)) return 'goal';
  return meets(item, item.first) ? 'first' : 'not met';
}

const shown = (value: number | null): string => (value === null ? '' : value.toFixed(3));

const table = new Table({
  head: ['item', 'figure', 'value', 'first', 'goal', 'met', 'how'],
  style: { head: [], border: [] },
  colWidths: [null, null, null, null, null, null, 70],
  wordWrap: true,
});
const data = dataFolderOf(process.env);
if (data === null) {
  process.stderr.write('DETECT_DATA is not set: only the sets that are made up here are judged.\n');
}
const all: EvaluatedItem[] = [];
for (const [name, part] of PARTS) {
  process.stderr.write(`${name} ...\n`);
  all.push(...part(data));
}
for (const item of all) {
  const { figure, value, first, goal, better, how } = item;
  const bar = (limit: number | null): string =>
    limit === null ? '' : `${better === 'HIGHER' ? '>=' : '<='} ${limit}`;
  table.push([item.item, figure, shown(value), bar(first), bar(goal), verdictOf(item), how]);
}
process.stdout.write(`${table.toString()}\n`);
