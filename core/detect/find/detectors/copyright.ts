import phrases from '../lists/copyright.json' with { type: 'json' };
import {
  after,
  byRole,
  headed,
  oneOf,
  type PhraseRule,
  phrase,
  phraseDetector,
  words,
} from '../phrase-rules.ts';

const WORK = oneOf(...phrases.works);
const RULES: readonly PhraseRule[] = [
  headed(
    'COPYRIGHT',
    byRole(0.68, 0.55),
    phrases.requests,
    ` (?:me )?(?:the |all |all of |all the )?(?:full|entire|complete|whole|verbatim|exact|word for word) (?:(?:text|lyrics|content|contents|script|transcript|copy|pdf|chapter|first chapter|book|novel|words|score|screenplay|article)(?: (?:of|to|from) | )?)(?:${words(5)})(?=[\\p{L}"'])(?:${WORK}|(?:of|to|from)|\\p{L}{3,20})`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT' },
  ),
  after(
    '(?:send|need|download|get|find|watch|stream|where|torrents?|install|use|how|give|crack|provide|want|link|links|upload|share|sell|bypass|here|try)',
    {
      code: 'COPYRIGHT',
      triggers: phrases.pirated,
      phrase: phrase(
        `(?:pirat(?:ed|e|ing) (?:${words(3)})(?:${WORK}|copy|copies|version|sites?|streams?|downloads?|content|bay)|torrents? (?:${words(4)})(?:${WORK}|sites?|files?|links?)|cracked (?:${words(3)})(?:${WORK}|copy|copies|version|apps?|apk|license|adobe)|keygens?|warez|libgen|z-library|sci-hub|the pirate ?bay|pirate ?bay|piratebay|(?:license key|activation) crack|serial key|bootleg (?:${words(2)})(?:${WORK}|copy|copies|dvds?)|illegal(?:ly)? (?:downloads?|streams?|cop(?:y|ies))(?:ing)? (?:${words(3)})(?:${WORK})?|unauthori[sz]ed cop(?:y|ies)|without paying (?:for (?:it|the|a|them)|the (?:license|author|publisher))|free pdf (?:${words(3)})(?:textbooks?|books?|novel))`,
      ),
      confidence: byRole(0.68, 0.6),
      contexts: { NEGATED: 'SILENT', EXPLAINED: 'HINT', REPORTED: 'SILENT' },
    },
  ),
  headed(
    'COPYRIGHT',
    byRole(0.72, 0.62),
    phrases.removals,
    ` (?:the |a |its |any |all |this ){0,2}(?:${words(3)})(?:drm|digital rights management|copy ?protection|watermarks?|copyright (?:notices?|protection|filters?|claims?)|content id|license checks?|licen[cs]e (?:key|verification|activation)|activation lock|paywalls?|shutterstock|getty)`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', REPORTED: 'SILENT' },
  ),
  headed(
    'COPYRIGHT',
    byRole(0.66, 0.6),
    phrases.plagiarism,
    `(?:'s| else's)? ${words(5)}(?:work|book|article|copyright|essay|novel|design|song|trademark|paper|disney|marvel|content|blog|post|as my own|without (?:permission|credit|getting caught|a license))`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', REPORTED: 'SILENT', QUESTION: 'HINT' },
  ),
  headed(
    'COPYRIGHT',
    byRole(0.5, 0.5),
    [
      'all rights reserved',
      'no part of this publication may be reproduced',
      'no part of this book may be reproduced',
    ],
    '(?=[^\\n]{0,60}(?:\\d{4}|permission|publisher|transmitted|©|\\(c\\)))',
    {},
  ),
  headed(
    'COPYRIGHT',
    byRole(0.66, 0.55),
    ['crack', 'cracking', 'pirate', 'pirating'],
    ` (?:the |a |this )?(?:latest |new |full )?(?:version of )?(?:adobe|photoshop|microsoft|windows|office|autocad|matlab|games?|software|final cut|netflix|spotify|premium|paid)`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', REPORTED: 'SILENT' },
  ),
];

/** Help with copying protected works: whole texts, pirated copies, removal of copy protection. */
export const copyright = phraseDetector('copyright', 2, RULES);
