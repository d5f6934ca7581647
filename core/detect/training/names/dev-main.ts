import { openDataFolder } from '../../evaluation/data-folder.ts';
import { seededRandom } from '../../evaluation/random.ts';
import { decodeLexicon } from '../../names/lexicon.ts';
import type { NameModel } from '../../names/model.ts';
import { benignTexts, talkativeTexts, labelledTexts } from './corpus.ts';
import { runsOf } from './examples.ts';
import { mergedInto, wholeAddresses } from './whole-addresses.ts';
import { addScores, compareSpans } from '../../evaluation/spans.ts';
import { asLabelled, describeScore, expectedSpans, FOLDS, foldsOf, scoreOf, spansFound } from './folds.ts';
import { buildLexicon } from './lexicon.ts';
import { readNameLists } from './lists.ts';
import { learn, quantised, withoutRareFeatures } from './perceptron.ts';
import { substitutedTexts } from './substituted.ts';
import { madeUpTexts } from './sentences.ts';

const t0 = Date.now();
const log = (...a: unknown[]) => process.stdout.write(`${((Date.now() - t0) / 1000).toFixed(1)} ${a.join(' ')}\n`);
const data = openDataFolder(process.env.DETECT_DATA!);
const lists = readNameLists();
const packed = buildLexicon(lists, data);
log('lexicon', packed.length, lists.given.length, lists.surnames.length, lists.rareSurnames.length);
const lexicon = decodeLexicon(packed);
const labelled = labelledTexts(data);
const random = seededRandom(7);
const times = Number(process.env.TIMES ?? 30);
const epochs = Number(process.env.EPOCHS ?? 6);
const opts = { epochs, margin: Number(process.env.MARGIN ?? 3), missedMargin: Number(process.env.MISSED ?? 2), leftOut: Number(process.env.OUT ?? 16) };
const shared = madeUpTexts(random, lists, times).flatMap((t) => runsOf(t, lexicon, random.below(100) < 12));
log('made up runs', shared.length);
const subst = substitutedTexts(talkativeTexts(data), random, lists).filter(() => random.below(100) < Number(process.env.SUB ?? 50));
log('substituted', subst.length);
const substRuns = subst.flatMap((t) => runsOf(t, lexicon, random.below(100) < 12));
const benign = benignTexts(data).flatMap((t) => runsOf(t, lexicon, false));
log('benign runs', benign.length, benign.reduce((s, r) => s + r.length, 0));
const folds = foldsOf(labelled);
const runsByText = labelled.map((t) => runsOf(t, lexicon, false));
log('groups', folds.size);
const only = process.env.FOLD === undefined ? [0, 1, 2, 3, 4] : [Number(process.env.FOLD)];
const all: [any, any][] = [];
const texts: any[] = [];
const show: string[] = [];
for (const fold of only) {
  const runs = [...shared, ...substRuns, ...benign, ...labelled.flatMap((t, i) => (folds.get(t.group) === fold ? [] : runsByText[i]!))];
  const model: NameModel = { lexicon, weights: quantised(learn(withoutRareFeatures(runs), seededRandom(fold + 1), opts)) };
  const w = model.weights.rows; const hist = new Map<number, number>(); let nz = 0, rowsUsed = 0; const th = Number(process.env.PRUNE ?? 0);
  for (let r = 0; r < w.length; r += 7) { let m = 0; for (let k = 0; k < 7; k++) m = Math.max(m, Math.abs(w[r + k]!)); hist.set(Math.min(m, 20), (hist.get(Math.min(m, 20)) ?? 0) + 1); if (m < th) { for (let k = 0; k < 7; k++) w[r + k] = 0; } else if (m > 0) { rowsUsed++; for (let k = 0; k < 7; k++) if (w[r + k] !== 0) nz++; } }
  log('rows', rowsUsed, 'nonzero', nz, JSON.stringify([...hist].sort((a, b) => a[0] - b[0])));
  const mine = labelled.filter((t) => folds.get(t.group) === fold && t.file === 'synth-v2');
  const pairs = mine.map((t) => [expectedSpans(t), asLabelled(spansFound(t.text, model, Number(process.env.LEAST ?? -99)))] as [any, any]);
  all.push(...pairs);
  texts.push(...mine);
  mine.forEach((t, i) => {
    for (const type of ['PERSON', 'ADDRESS']) {
      const [e, f] = pairs[i]!.map((s: any[]) => s.filter((x) => x.type === type).map((x) => t.text.slice(x.start, x.end))) as [string[], string[]];
      if (e.join('¦') !== f.join('¦')) show.push(`${type} [${t.original.template}] ${JSON.stringify(e)} != ${JSON.stringify(f)} :: ${JSON.stringify(t.text.slice(0, 200))}`);
    }
  });
  log('fold', fold, runs.length, mine.length, '| PERSON', describeScore(scoreOf(pairs, 'PERSON')), '| ADDRESS', describeScore(scoreOf(pairs, 'ADDRESS')));
}
log('ALL PERSON', describeScore(scoreOf(all, 'PERSON')));
log('MERGED ADDRESS', describeScore(addScores(all.map(([e, f], i) => compareSpans(wholeAddresses(texts[i]!.original), mergedInto(wholeAddresses(texts[i]!.original), f), 'ADDRESS')))));
log('ALL ADDRESS', describeScore(scoreOf(all, 'ADDRESS')));
(await import('node:fs')).writeFileSync('/tmp/b/errors.txt', show.join('\n'));
void FOLDS;
