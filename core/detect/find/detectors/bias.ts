import { type AssertionContext, type Sentences, sentenceAfter } from '../assertion-context.ts';
import type { TermDetector } from '../detector.ts';
import { phrase } from '../phrase-rules.ts';
import { prefiltered, prefilteredAt } from '../prefilter/prefilter.ts';
import { GROUP_TERMS, groupAt } from './bias-groups.ts';
import { STATEMENTS, shutsOut } from './bias-traits.ts';

const STATEMENT_MATCHERS = STATEMENTS.map(([source, confidence]) => ({
  matchAt: prefilteredAt(phrase(`(?:${source})`)),
  confidence,
}));
/** "Most women", "all immigrants" are generalisations by themselves. */
const generalisesAt = prefiltered(
  /\b(?:all|every|most|many|typical(?:ly)?|those|these|any|you know how|everyone knows(?: that)?|the fact is(?: that)?|obviously|clearly|as (?:a|an|we all know))\s{1,2}$/i,
);
/** Text right before a group that limits the sentence to particular members ("two women are", "my girls"). */
const isParticular = prefiltered(
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+|my|our|his|her|their|your|both|several|which|some of the)\s{1,2}$/i,
);
/** Pity for a group, or a report of what was done to it, is not the writer's prejudice. */
const isDoneToThem = prefiltered(
  /\b(?:were|are|is|was|being|been|be)\s(?:\p{L}{2,12}\s){0,2}(?:underrepresented|discriminated|oppressed|treated|paid|denied|stereotyped|portrayed|labell?ed|perceived|seen as|considered|viewed as|called|accused|blamed)\b/iu,
);
const REACH = 96;
const HINT = 0.35;

/** First words of the patterns. Checking one word avoids running the full patterns for most groups in a text. */
const firstWordAt = prefilteredAt(
  /(?:'re|\s{1,4}(?:are|is|were|was|being|be|tend|seem|look|act|become|get|will|can|end|could|can't|cannot|aren't|isn't|weren't|couldn't|don't|do|does|doesn't|lack|struggle|fail|won't|would|wouldn't|should|shouldn't|must|mustn't|ought|have|has|need|belong|make|only|always|just|simply|often|usually|generally|love|like|steal|stealing|take|taking|took|commit|cause|hate|ruin|destroy|control|run|want|live|never|ask|smell|breed|cost|slow|hold|drag|handle|deal|manage|understand|think|lead|work|drive|perform|learn|cope|negotiate|adapt|code|write|produce|raise|deliver|were)\b)/iy,
);

function statementAfter(text: string, end: number): { end: number; confidence: number } | null {
  if (firstWordAt(text, end) === null) return null;
  for (const { matchAt, confidence } of STATEMENT_MATCHERS) {
    const match = matchAt(text, end);
    if (match !== null && match[0].length > 2) return { end: end + match[0].length, confidence };
  }
  return null;
}

interface Statement {
  readonly text: string;
  readonly sentences: Sentences;
  readonly start: number;
  readonly end: number;
}

function weighed({ text, sentences, start, end }: Statement, confidence: number): number {
  const isInContext = (context: AssertionContext): boolean => sentences.isInContext(context, start, end);
  if (isInContext('REPORTED') || isInContext('NEGATED')) return 0;
  if (isDoneToThem(text.slice(start, end))) return 0;
  if (isInContext('QUESTION') || isInContext('EXPLAINED')) return HINT;
  if (isInContext('FICTION')) return HINT;
  return confidence;
}

/**
 * Generalisations about groups (sex, race and origin, age, disability, religion) that belittle or exclude, found by
 * grammar: a group's name, then a statement about it. Two groups in one name are also INTERSECTIONAL_BIAS.
 * Counter-speech and reported speech are ignored, questions give hints. Prejudice implied by a story about one person
 * is not found.
 */
export const bias: TermDetector = {
  name: 'bias',
  version: 2,
  terms: GROUP_TERMS,
  atWordStart: true,
  visitor: (text, push, _source, sentences) => {
    let done = 0;
    return (_term, start) => {
      if (start < done) return;
      const group = groupAt(text, start);
      if (group === null || group.codes.length === 0) return;
      const before = text.slice(Math.max(0, start - REACH), start);
      const statement = statementAfter(text, group.end);
      const shutOut = shutsOut(before);
      if (statement === null && !shutOut) return;
      const isOne = /(?:wom|m)an$|girl$|boy$|lady$|wife$/i.test(text.slice(start, group.end));
      const generalises = generalisesAt(before);
      if (!shutOut && (isParticular(before) || (isOne && /\b(?:the|this|that)\s{1,2}$/i.test(before))))
        return;
      const end = statement?.end ?? group.end;
      const base = shutOut ? 0.72 : Math.min(0.85, statement!.confidence + (generalises ? 0.08 : 0));
      const confidence =
        shutOut && !sentences.isInContext('REPORTED', start, end)
          ? base
          : weighed({ text, sentences, start, end }, base);
      if (confidence === 0 || sentenceAfter(text, end).includes('is a stereotype')) return;
      for (const code of group.codes) push({ code, entity: null, start, end, confidence });
      if (group.codes.length > 1) push({ code: 'INTERSECTIONAL_BIAS', entity: null, start, end, confidence });
      done = group.end;
    };
  },
};
