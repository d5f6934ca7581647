import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import Table from 'cli-table3';
import { detect } from '#core/detect/detect.ts';
import { scanInSteps } from '#core/detect/scan.ts';
import { finish } from '#core/detect/steps.ts';

/**
 * How much a scan changes in texts that are nothing special: `npm run eval:ordinary -- FILE`, JSON lines with `text` and
 * an optional `kind`. Prints counts only, never a text or a value.
 */

interface OrdinaryText {
  readonly text: string;
  readonly kind?: string;
}

interface Counts {
  texts: number;
  changed: number;
  /** Texts in which something was found, a phrase of an attack too. */
  notAllowed: number;
  /** Texts by the type of what was found in them. */
  readonly types: Map<string, number>;
}

const POLICY = {
  sandboxType: 'FULL_SPECTRUM',
  guardianAction: 'REDACT_AND_CONTINUE',
  redactionStrategy: 'FULL',
} as const;

function count(counts: Counts, text: string): void {
  const texts = [{ source: 'userInput', text }] as const;
  const findings = detect(texts);
  const outcome = finish(scanInSteps(texts, findings, POLICY, () => ''));
  counts.texts += 1;
  if (outcome.cleanTexts.get('userInput') !== text) counts.changed += 1;
  if (outcome.action !== 'ALLOW') counts.notAllowed += 1;
  for (const type of new Set(findings.map(({ entity, code }) => entity ?? code)))
    counts.types.set(type, (counts.types.get(type) ?? 0) + 1);
}

const newCounts = (): Counts => ({ texts: 0, changed: 0, notAllowed: 0, types: new Map() });

const TYPES_SHOWN = 6;

function rowOf(kind: string, { texts, changed, notAllowed, types }: Counts): string[] {
  const most = [...types].sort(([, a], [, b]) => b - a).slice(0, TYPES_SHOWN);
  const share = (part: number): string => `${part} (${((100 * part) / texts).toFixed(1)} %)`;
  const found = most.map(([type, number]) => `${type} ${number}`).join(', ');
  return [kind, String(texts), share(changed), share(notAllowed), found];
}

async function evaluate(file: string): Promise<void> {
  const all = newCounts();
  const kinds = new Map<string, Counts>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.trim() === '') continue;
    const { text, kind = 'text' } = JSON.parse(line) as OrdinaryText;
    let counts = kinds.get(kind);
    if (counts === undefined) {
      counts = newCounts();
      kinds.set(kind, counts);
    }
    count(counts, text);
    count(all, text);
  }
  const head = ['kind', 'texts', 'changed by a scan', 'not ALLOW', 'texts with'];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const [kind, counts] of [...kinds, ['all', all] as const]) table.push(rowOf(kind, counts));
  process.stdout.write(`${table.toString()}\n`);
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name a file of JSON lines: npm run eval:ordinary -- FILE');
await evaluate(file);
