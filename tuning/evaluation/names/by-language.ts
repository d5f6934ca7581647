import type { DataFolder } from '../../samples/data-folder.ts';
import type { EvaluatedItem } from '../../samples/items.ts';
import {
  addScores,
  compareSpans,
  fMeasure,
  type LabelledSpan,
  precisionOf,
  recallOf,
  type Score,
} from '../../samples/spans.ts';
import { isHeldOut, type Sentence, TREEBANK_LANGUAGES } from '../../training/names/languages/treebanks.ts';
import { LANGUAGES, namesOfLanguage } from '../sets/names/names-by-language.ts';

type Find = (text: string) => readonly LabelledSpan[];

/** Maximum number of false matches in 1,000 sentences; more for German, which capitalises every noun. */
const [MAX_FALSE, MAX_FALSE_GERMAN] = [20, 50];
/** The Vietnamese treebank does not tag persons as proper nouns, so its sentences cannot show false matches. */
const UNLABELLED = 'vi';
const EAST_ASIAN = ['ja', 'ko', 'zh'];
/** Also tags nouns for people as persons. */
const WITHOUT_ENTITIES = 'ronec';

interface Seen {
  readonly sentences: number;
  readonly finds: number;
}

const perThousand = ({ sentences, finds }: Seen): number =>
  sentences === 0 ? 0 : (1_000 * finds) / sentences;

/** Persons found in sentences that certainly contain no proper noun. */
function falseFinds(sentences: readonly Sentence[], find: Find): Seen {
  const plain = sentences.filter(({ spans, entities }) => spans?.length === 0 && !entities?.some(isPerson));
  const finds = plain.flatMap(({ text }) => find(text)).filter(isPerson).length;
  return { sentences: plain.length, finds };
}

const isPerson = ({ type }: { readonly type: string }): boolean => type === 'PERSON';

function personScore(sentences: readonly Sentence[], find: Find): Score {
  const labelled = sentences.filter(
    ({ entities, source }) => entities !== undefined && !source.includes(WITHOUT_ENTITIES),
  );
  return addScores(labelled.map(({ text, entities }) => compareSpans(entities!, find(text), 'PERSON')));
}

const describeFalse = (seen: Seen): string =>
  `${perThousand(seen).toFixed(1)} in ${seen.sentences} sentences`;

const describePersons = (score: Score): string =>
  score.hits + score.missed === 0
    ? 'none labelled'
    : `recall ${recallOf(score).toFixed(3)}, precision ${precisionOf(score).toFixed(3)}, F2 ${fMeasure(score, 2).toFixed(3)} of ${score.hits + score.missed}`;

/** Minimum number of sentences or persons for a meaningful result. */
const ENOUGH = 20;

/** Results on a language's treebank: on sentences held out of training, and on those trained on. */
function itemsOf(data: DataFolder, language: string, find: Find): readonly EvaluatedItem[] {
  const all = data.cases<Sentence>(`pii/treebank-${language}.jsonl`);
  const [left, seen] = [all.filter(isHeldOut), all.filter((sentence) => !isHeldOut(sentence))];
  const [leftFalse, seenFalse] = [falseFinds(left, find), falseFinds(seen, find)];
  const [leftPersons, seenPersons] = [personScore(left, find), personScore(seen, find)];
  const items: EvaluatedItem[] = [];
  if (language !== UNLABELLED && leftFalse.sentences >= ENOUGH) {
    items.push({
      item: `PERSON in sentences without a proper noun: ${language}`,
      figure: 'false matches per 1,000 sentences',
      value: perThousand(leftFalse),
      first: language === 'de' ? MAX_FALSE_GERMAN : MAX_FALSE,
      goal: null,
      better: 'LOWER',
      how: `sentences left out of training: ${describeFalse(leftFalse)}; trained on: ${describeFalse(seenFalse)}`,
    });
  }
  if (leftPersons.hits + leftPersons.missed >= ENOUGH) {
    items.push({
      item: `PERSON in sentences of a treebank: ${language}`,
      figure: 'F2',
      value: fMeasure(leftPersons, 2),
      first: null,
      goal: null,
      better: 'HIGHER',
      how: `left out: ${describePersons(leftPersons)}; trained on: ${describePersons(seenPersons)}`,
    });
  }
  return items;
}

/** Names and addresses of the language, in sentences written for evaluation. */
function ownItem(language: string, find: Find): EvaluatedItem {
  const texts = namesOfLanguage(language);
  const scoreFor = (type: string): Score =>
    addScores(texts.map(({ text, spans }) => compareSpans(spans, find(text), type)));
  const [persons, addresses] = [scoreFor('PERSON'), scoreFor('ADDRESS')];
  const describe = ({ hits, missed, wrong }: Score): string =>
    `${hits} hits, ${missed} missed, ${wrong} wrong`;
  return {
    item: `names and addresses in own sentences: ${language}`,
    figure: 'F2',
    value: fMeasure(addScores([persons, addresses]), 2),
    first: 0.8,
    goal: 0.92,
    better: 'HIGHER',
    how: `${texts.length} texts in words and with names that are not in the training, looked at while tuning; PERSON ${describe(persons)}; ADDRESS ${describe(addresses)}`,
  };
}

/** Names by language: false matches and recall. */
export function namesByLanguage(data: DataFolder | null, find: Find): readonly EvaluatedItem[] {
  const own = Object.keys(LANGUAGES).map((language) => ownItem(language, find));
  if (data === null) return own;
  const languages = [...TREEBANK_LANGUAGES, ...EAST_ASIAN].toSorted();
  return [...own, ...languages.flatMap((language) => itemsOf(data, language, find))];
}
