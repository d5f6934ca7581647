import type { Candidate } from '../detector.ts';
import phrases from '../lists/dangerous-requests.json' with { type: 'json' };
import {
  after,
  oneOf,
  type PhraseConfidence,
  type PhraseRule,
  phrase,
  phraseDetector,
} from '../phrase-rules.ts';
import { markerOf } from '../prefilter/marks.ts';
import { createTermSearch } from '../term-search.ts';

import { ACT_HEADS, ACTS, THING_HEADS, THINGS } from './dangerous-things.ts';

const CODE = 'DANGEROUS_INSTRUCTIONS';

const MAKING = oneOf(...phrases.making);

const ASKING = oneOf(...phrases.asking);

/** Requests for protection, history or play. */
const harmless = markerOf(
  /\b(?:prevent\p{L}{0,4}|protect\p{L}{0,4}|detect\p{L}{0,4}|recogni[sz]\p{L}{1,4}|defend\p{L}{0,4}|defen[sc]es?|guard against|avoid (?:being|getting (?:hacked|infected|robbed|scammed))|remov(?:e|ing|al)|clean up|get rid of (?:malware|spyware|a (?:virus|trojan)|ransomware|keyloggers?)|report|stop(?:ping)?|combat\p{L}{0,3}|mitigat\p{L}{1,4}|recover\p{L}{0,3} from|surviv\p{L}{1,4}|histor(?:y|ical|ian|ians)|who (?:invented|discovered|made|built|was)|when (?:was|were|did)|why (?:is|are|was|were|do|does|did)|what (?:is|are|was|were|happens)|legal(?:ly|ity)?|laws?|legislation|policy|treat(?:ment|ing|ed)?|antidotes?|symptoms?|addict(?:s|ed|ion|ions)?|rehab\p{L}{0,10}|overcome|quit(?:ting)?|help(?:ing)? (?:\p{L}{2,12} )?victims?|museum|movie|novel|film|game|minecraft|fortnite|gta|roblox|skyrim|dnd|d&d|essay|article|presentation|documentary|thesis|research paper|bath|cake|photo|jager\p{L}{0,7}|cherry|glitter|seed|sex|smart|honey|fruit|chocolate|time-saving|penetration test\p{L}{0,3}|pentest|ctf|my own|our own|authori[sz]ed|(?:anti|counter)-?\p{L}{0,12}|awareness|training for (?:staff|employees)|safely|safety|safe (?:handling|disposal|storage)|first aid|disarm\p{L}{0,3}|defus\p{L}{1,4}|neutrali[sz]\p{L}{1,4}|dangers? of|effects? of|risks? of|debunk|refuse|refused|condemn\p{L}{0,3})\b/iu,
  /(?<=what (?:is|are|was|were|happens)) (?:the |some |a )?(?:[a-z]{2,12} ){0,4}(?:ways?|methods?|steps|techniques?|practices?|strateg(?:y|ies)|tips|tools?|ingredients|materials?)|(?<=laws?) enforcement/iy,
);

/** Code units at the start and the end of a text in which requests count; the rest of a long text is a document. */
const NEAR_AN_END = 600;

const isInTheMiddle = (text: string, start: number, end: number): boolean =>
  start > NEAR_AN_END && end < text.length - NEAR_AN_END;

const unlessHarmless: PhraseConfidence = ({ text, sentences, start, end, source }) => {
  if (sentences.saysOpenly(harmless, start, end)) return 0;
  if (source === 'response') return 0;
  return source === 'thinkingBlock' || isInTheMiddle(text, start, end) ? 0.4 : 0.75;
};

const asked = (triggers: readonly string[], source: string, before: string): PhraseRule =>
  after(before, { code: CODE, triggers, phrase: phrase(source), confidence: unlessHarmless, contexts: {} });

/**
 * Clear requests for dangerous instructions: a word for making or obtaining, and explosives, agents, drugs, weapons or
 * malware; or "how to" with a crime. Requests that do not name the thing are not found here.
 */
export const dangerousRequests = phraseDetector('dangerous-requests', 3, [
  asked(THING_HEADS, THINGS, MAKING),
  asked(ACT_HEADS, ACTS, ASKING),
]);

const searchForRequests = createTermSearch([dangerousRequests]);
/** Maximum code units of a text that are scanned, because requests are near its start or end. */
const REACH = 4_000;

/** Whether a text asks for dangerous instructions. */
export function asksForDanger(text: string): boolean {
  const found: Candidate[] = [];
  const parts = text.length <= 2 * REACH ? [text] : [text.slice(0, REACH), text.slice(-REACH)];
  for (const part of parts)
    searchForRequests(part, 'prompt', (_detector, candidate) => found.push(candidate));
  return found.some(({ confidence }) => confidence >= 0.5);
}
