import { isAsciiLetter } from '../../read/characters.ts';
import type { TermDetector } from '../detector.ts';
import words from '../lists/health-mention.json' with { type: 'json' };

/** Conditions attributed to a person. Most are long enough to be found inside longer words ("diabetic"). */
const CONDITIONS = words.conditions;
const DRUGS = words.drugs;

const PERSON =
  '(?:\\b(?:[Ii]|[Hh]e|[Ss]he|[Ww]e|[Tt]he (?:patient|client|employee|applicant|defendant)|[Pp]atient|[Mm]y (?:late )?(?:mother|mom|mum|father|dad|wife|husband|son|daughter|brother|sister|partner|friend|boss|colleague|neighbou?r|baby|child|client|patient|uncle|aunt|grand\\w{2,7})|(?:Mrs?|Ms|Dr)\\.? [A-Z]\\w{1,15}|[A-Z][a-z]{2,14}(?: [A-Z][a-z]{2,14})?))(?:,? (?:who|age[d]? \\d{1,3},?|\\d{1,3},))?';
const ADVERBS =
  '(?: (?:also|just|recently|now|currently|still|already|has|have|had|been|was|is|being|newly|first|later|once)){0,3}';
const DEGREES =
  '(?: (?:a|an|the|from|with|of|severe|chronic|mild|acute|clinical|major|advanced|terminal|early|late|onset|type|stage|history|long|rare|aggressive|metastatic|inoperable|untreated|breast|lung|prostate|skin|colon|ovarian|pancreatic|brain|bone|rheumatoid|stomach|thyroid|childhood|gestational|post-?partum|[1-4]|I{1,3}|IV|one|two|three|four|and)){0,4}';

const after = (verbs: string): RegExp =>
  new RegExp(`${PERSON}(?:(?:'m|'s)${ADVERBS}|(?:'m|'s|'ve|'d)?${ADVERBS} ?(?:${verbs}))${DEGREES} $`);

const HAS = after(
  'am|is|was|were|have|has|had|got|gets|suffers?|suffered|suffering|lives? with|living with|contracted|developed|died|diagnosed|treated for|tested positive for|battling|battles|fighting|survived|beat|hospitali[sz]ed for|recovering from',
);
const TAKES = after(
  '(?:am|is|was|went) on|takes?|took|taking|prescribed|on|started|starts|uses|injects?|receives?|received|receiving|undergoing|underwent|needs|gets|addicted to',
);
const DIAGNOSED = new RegExp(`${PERSON}(?:'ve|'s)?${ADVERBS}(?: (?:was|were|got|am|is|been))? $`);
const NOT_A_PERSON =
  /\b(?:People|Patients|Women|Men|Children|Many|Those|Anyone|Everyone|Someone|Who|What|When|Adults|Dogs|Cats|If|It|This|That|They|There|These|Which|Often|Usually)\b[^.!?]{0,30}$/;

const DIAGNOSED_WITH = 0;
const FIRST_DRUG = 1 + CONDITIONS.length;
const REACH = 72;

/** "if I have diabetes", "I do not have cancer", "whether she has asthma" reveal nothing about anyone's health. */
const HYPOTHETICAL_OR_NEGATED =
  /\b(?:if|whether|in case|suppose|imagine|pretend|not|never|n't|without)\b[^.!?]{0,24}$/i;

/** "a cancer researcher", "an HIV specialist". */
const OCCUPATION =
  /\w{0,8} (?:research\w*|specialists?|doctors?|nurses?|experts?|advocates?|activists?|charit\w+|awards?|clinics?|scientists?|surgeons?|units?|wards?|foundations?|cent(?:er|re)s?|stud(?:y|ies)|awareness|coach\w*|drugs?|vaccines?|tests?|questions?)\b/y;

/** A person's health in plain words: "I was diagnosed with ...", "she has epilepsy", "he takes lithium". */
export const healthMention: TermDetector = {
  name: 'health-mention',
  version: 1,
  terms: ['diagnosed with', ...CONDITIONS, ...DRUGS],
  visitor: (text, push) => {
    let done = 0;
    return (term, start, end) => {
      if (start < done || isAsciiLetter(text.charCodeAt(start - 1))) return;
      const before = text.slice(Math.max(0, start - REACH), start);
      const stop = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. '), before.lastIndexOf('? '));
      const clause = before.slice(stop + 1);
      const pattern = term === DIAGNOSED_WITH ? DIAGNOSED : term < FIRST_DRUG ? HAS : TAKES;
      const match = pattern.exec(clause);
      if (match === null || HYPOTHETICAL_OR_NEGATED.test(clause) || NOT_A_PERSON.test(clause)) return;
      OCCUPATION.lastIndex = end;
      if (OCCUPATION.test(text)) return;
      const from = start - (clause.length - match.index);
      if (from < done) return;
      done = end;
      push({ code: 'HEALTH_DATA', entity: null, start: from, end, confidence: 0.7 });
    };
  },
};
