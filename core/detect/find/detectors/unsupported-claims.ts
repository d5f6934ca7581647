import phrases from '../lists/unsupported-claims.json' with { type: 'json' };
import {
  headed,
  oneOf,
  type PhraseConfidence,
  type PhraseRule,
  phraseDetector,
  words,
} from '../phrase-rules.ts';
import { markerOf } from '../prefilter/marks.ts';

const sourcesNamed = markerOf(
  /https?:|www\.|doi|\(\d{4}\)|\b(?:19|20)\d\d\b|\[\d{1,3}\]|et al|\b(?:published|journal|conducted|university|institute|bureau|census|gallup|pew|who|cdc|oecd|eurostat|nielsen|gartner|mckinsey|deloitte|statista|bls|nih|fda|nasa|un)\b|table|dataset|our|your|the (?:data|survey) (?:you|above|below)/i,
);

const unlessSourced =
  (confidence: number): PhraseConfidence =>
  ({ sentences, start, end, source }) => {
    if (source !== 'response') return 0;
    return sentences.saysWithin(sourcesNamed, start, end) ? 0 : confidence;
  };

const FIGURE = '\\d{1,3}(?:[.,]\\d{1,3})? ?(?:%|percent|per cent)';
const SHOW = oneOf(...phrases.show);

const STATISTICS: readonly PhraseRule[] = [
  headed(
    'INVENTED_STATISTIC',
    unlessSourced(0.45),
    phrases.studies,
    ` (?:\\p{L}{3,14} )?(?:have |has |consistently |clearly |also |recently )?${SHOW} ${words(14)}(?:exactly |about |nearly |over |approximately |precisely |more than |up to |around |almost |roughly )?(?=\\d)${FIGURE}`,
    { NEGATED: 'SILENT', FICTION: 'SILENT' },
  ),
  headed(
    'INVENTED_STATISTIC',
    unlessSourced(0.45),
    ['according to'],
    ` (?:a|an|one|several|some|many|recent|various|numerous|multiple|experts|studies|research|statistics|most)(?: (?:recent|new|leading|major))?(?: (?:stud(?:y|ies)|surveys?|research|reports?|polls?|experts|statistics|estimates))? ${words(10)}(?=\\d)${FIGURE}`,
    { NEGATED: 'SILENT', FICTION: 'SILENT' },
  ),
  headed(
    'INVENTED_STATISTIC',
    unlessSourced(0.42),
    phrases.exactness,
    `,? ${words(5)}(?=\\d)\\d{1,3}[.,]\\d{1,3} ?(?:%|percent|per cent) ?(?:of (?:all |the )?(?:people|users|companies|adults|patients|americans|customers|women|men|students|developers|cases|businesses|employees|projects|children|humans|marriages|startups))`,
    { NEGATED: 'SILENT', FICTION: 'SILENT' },
  ),
];

const ANSWER = { response: 0.42 };
const CERTAIN: readonly PhraseRule[] = [
  headed(
    'FALSE_CONFIDENCE',
    ANSWER,
    phrases.certainty,
    `(?:% (?:certain|sure|confident|positive|certainty|confidence|accuracy)| percent (?:certain|sure|confident|positive)|,? ?(?:that|you|this|it|the|doubt|certainty|confidence|your|of)|(?=[.,!;]))`,
    { NEGATED: 'SILENT', FICTION: 'SILENT' },
  ),
  headed('FALSE_CONFIDENCE', ANSWER, phrases.noDoubt, '', {
    NEGATED: 'SILENT',
    REPORTED: 'SILENT',
    FICTION: 'SILENT',
    QUESTION: 'SILENT',
  }),
];

const EXPERT = oneOf(...phrases.experts);
const PAPERS = oneOf(...phrases.papers);
/** A model never has a licence; other such words may belong to a requested role. */
const byClaimedLicence: PhraseConfidence = ({ text, start, end, source }) => {
  if (source !== 'response') return 0;
  return /\b(?:licensed|certified|registered|chartered|accredited|board)/i.test(text.slice(start, end))
    ? 0.6
    : 0.42;
};
const ASSUMED = { NEGATED: 'SILENT', REPORTED: 'SILENT', FICTION: 'SILENT', QUESTION: 'SILENT' } as const;

const EXPERTS: readonly PhraseRule[] = [
  headed(
    'EXPERT_IMPERSONATION',
    byClaimedLicence,
    phrases.asExpert,
    ` (?:(?:${PAPERS}|fully|medical|clinical|your|legal|trial|criminal|tax|family|personal) ){0,4}${EXPERT}(?: (?:with|for) ${words(5)}(?:years?|decades)(?: of experience| of practice)?)?(?=,? (?:i|my|in my|let me|licensed)\\b|,? (?:and|so) (?:i|my)\\b|\\. (?:i|my|you|based|take|in my|from)\\b|,? with (?:over |more than )?\\d)`,
    ASSUMED,
  ),
  headed('EXPERT_IMPERSONATION', { response: 0.45 }, phrases.experience, '', ASSUMED),
];

/**
 * Answers that give figures without a source, or claim undue certainty or a profession. Words do not show whether a
 * claim is true, so all matches are hints, except a licence that a model claims to hold.
 */
export const unsupportedClaims = phraseDetector(
  'unsupported-claims',
  2,
  [...STATISTICS, ...CERTAIN, ...EXPERTS],
  ['response'],
);
