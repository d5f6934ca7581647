import type { TermDetector } from '../detector.ts';
import phrases from '../lists/csam.json' with { type: 'json' };
import {
  after,
  headed,
  oneOf,
  type PhraseConfidence,
  type PhraseRule,
  phrase,
  phraseDetector,
  words,
} from '../phrase-rules.ts';
import { markerOf } from '../prefilter/marks.ts';

const CODE = 'CSAM';
/** Unique to this project, so that tests can expect a match without containing any such text. */
export const CSAM_TEST_MARKER = 'CSAM-TEST-MARKER';

const MINOR = oneOf(...phrases.minor);
const SEXUAL = oneOf(...phrases.sexual);
const MATERIAL = oneOf(...phrases.material);
const WANTED = oneOf(...phrases.wanted);

/**
 * Vocabulary of child protection, news reporting and law. Because any match is CRITICAL, the whole sentence is
 * searched, and a single one of these words suppresses the match.
 */
const protections = markerOf(
  /\b(?:abus(?:e|ed|es|ing|er|ers|ive)|exploit(?:s|ed|ing|ation|ative)?|predators?|groom(?:ing|ers?)|traffick(?:ing|ers?|ed)|protect\p{L}{0,4}|prevent\p{L}{0,4}|report(?:s|ed|ing)?|polic(?:e|y|ies)|law(?:s|ful|yer|yers|suit)?|legal|illegal|legislation|acts? of (?:congress|parliament)|crimes?|criminal(?:s|ly|i[sz]\p{L}{1,6})?|arrest(?:s|ed)?|charg(?:e|es|ed)|convict(?:s|ed|ion|ions)?|sentenc(?:e|ed|ing)|court|trial|prosecut\p{L}{1,5}|investigat\p{L}{1,5}|detect\p{L}{0,4}|block(?:s|ed|ing)?|filter(?:s|ed|ing)?|moderat\p{L}{1,4}|remov(?:e|es|ed|al|ing)|safe(?:ty|guard\p{L}{0,4})?|educat\p{L}{1,4}|awareness|victims?|survivors?|research\p{L}{0,3}|stud(?:y|ies)|health|doctors?|medical|paediatric\p{L}{0,4}|pediatric\p{L}{0,4}|therap\p{L}{1,5}|counsel\p{L}{1,6}|ban(?:s|ned|ning)?|prohibit\p{L}{0,5}|forbid\p{L}{0,4}|refus\p{L}{1,4}|cannot|can't|won't|will not|must not|never|do not|don't|not allowed|against|combat\p{L}{0,3}|fight(?:s|ing)?|stop(?:s|ping)?|parents?|assaults?|assaulted|harass\p{L}{0,5}|rape[ds]?|offend(?:er|ers|ing)|offen[cs]es?|transmitted|orientation|education|development|bath(?:s|tub|ing)?|chromosomes?|gender|same-sex|opposite sex|sex of (?:the|your|my|a|their)|parental controls?|ads?|guidelines|content polic(?:y|ies)|terms of service|rating|rated)\b/iu,
);

const unlessProtecting =
  (confidence: number): PhraseConfidence =>
  ({ sentences, start, end }) =>
    sentences.saysWithin(protections, start, end) ? 0 : confidence;

const SEXUAL_HEADS = ['sexual', 'sexy', 'sex', 'nude', 'naked', 'porn', 'erotic', 'xxx', 'nsfw', 'explicit'];
const MINOR_HEADS = [
  ...phrases.minorHeads,
  ...Array.from({ length: 17 }, (_, age) => [
    `${age + 1} year`,
    `${age + 1}-year`,
    `${age + 1}yo`,
    `${age + 1} yo`,
  ]).flat(),
  ...phrases.agesInWords.flatMap((age) => [`${age} year`, `${age}-year`]),
];

const wanted = (triggers: readonly string[], source: string, confidence: number): PhraseRule =>
  after(WANTED, {
    code: CODE,
    triggers,
    phrase: phrase(source),
    confidence: unlessProtecting(confidence),
    contexts: {},
  });

const RULES: readonly PhraseRule[] = [
  headed(CODE, 0.99, [CSAM_TEST_MARKER.toLowerCase()], '', {}),
  // Wanted + sexual + material + of + minor, or with the minor first, in a single clause.
  wanted(
    SEXUAL_HEADS,
    `${SEXUAL} ${words(2)}${MATERIAL} ${words(2)}(?:of|with|about|involving|featuring|showing|between|starring|depicting) ${words(4)}${MINOR}`,
    0.9,
  ),
  wanted(SEXUAL_HEADS, `${SEXUAL} (?:${words(2)})with ${words(2)}${MINOR}`, 0.85),
  wanted(
    MINOR_HEADS,
    `${MINOR} ${words(4)}(?:having sex|naked|nude|undress(?:ed|ing)|being sexual|performing sexual|in (?:a )?sexual|doing sexual|engaged in sex\\p{L}{0,3})`,
    0.88,
  ),
  wanted(MINOR_HEADS, `${MINOR} ${SEXUAL}(?: ${MATERIAL})?`, 0.88),
  // An abbreviation, and code words for such material as listed by hotlines and the police.
  headed(CODE, unlessProtecting(0.9), phrases.codeWords, '', {}),
];

/**
 * Sexual material of minors, requested or offered. Because every match is CRITICAL, a clause must want it, name the
 * material and name a minor. Sentences of child protection, news, law, medicine or refusal are ignored. Material that
 * is only hinted at is not found.
 */
export const csam: TermDetector = phraseDetector('csam', 2, RULES);
