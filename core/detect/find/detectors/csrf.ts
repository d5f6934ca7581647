import type { TermDetector } from '../detector.ts';
import { confidenceOf, type Trait, weigherOf } from '../web/traits.ts';

const BEFORE = 120;
const AFTER = 700;

const sign = (pattern: RegExp, weight: number): Trait => ({ pattern, weight });
const ACTION =
  '(?:transfer|delete|remove|withdraw|pay(?:ment)?|send(?:money)?|change|update|reset|set|add|create|grant|promote|logout|follow|vote|buy|purchase|disable|approve)';

/** Traits of a page that makes the visitor's browser act on another site. */
const weigh = weigherOf([
  sign(/<form\b[^>]{0,200}\baction\s{0,2}=\s{0,2}["']?https?:\/\/[^>]{0,200}>/i, 0.3),
  sign(/<form\b[^>]{0,200}\bmethod\s{0,2}=\s{0,2}["']?post/i, 0.1),
  sign(
    /(?:forms?(?:\[\d\]|\.\w{1,30})?|getelementbyid\([^)]{1,40}\)|queryselector\([^)]{1,40}\))\s{0,2}\.\s{0,2}submit\s{0,2}\(\s{0,2}\)|(?:onload|onerror|onmouseover)\s{0,2}=\s{0,2}["']?[^"'>]{0,60}submit\(\)/i,
    0.3,
  ),
  sign(
    /type\s{0,2}=\s{0,2}["']?hidden["']?[^>]{0,80}(?:amount|password|email|role|account|to|user|admin|new_?\w{0,10}|confirm)|(?:amount|password|email|role|account|user)["']?[^>]{0,60}type\s{0,2}=\s{0,2}["']?hidden/i,
    0.2,
  ),
  sign(
    /(?:width|height)\s{0,2}[=:]\s{0,2}["']?[01](?:px)?["'\s;/>]|display\s{0,2}:\s{0,2}none|visibility\s{0,2}:\s{0,2}hidden/i,
    0.1,
  ),
  sign(
    new RegExp(
      `<(?:img|iframe|script|link|embed)\\b[^>]{0,120}\\b(?:src|href)\\s{0,2}=\\s{0,2}["']?https?://[^"'\\s>]{1,120}(?:/${ACTION}[\\w-]{0,20}(?:\\.\\w{2,4})?\\?[^"'\\s>]{3,200}|[?&](?:action|cmd|do|op|act)=${ACTION}[^"'\\s>]{0,120}|[?&](?:amount|newpassword|new_password|role)=[^"'\\s>]{1,120})`,
      'i',
    ),
    0.8,
  ),
  sign(
    new RegExp(
      `(?:fetch|\\.open)\\s{0,2}\\([^\\n]{0,20}["'\`]https?://[^"'\`\\n]{1,120}${ACTION}[^\\n]{0,200}credentials["']?\\s{0,2}:\\s{0,2}["']include|withcredentials\\s{0,2}=\\s{0,2}true[^]{0,200}${ACTION}`,
      'i',
    ),
    0.5,
  ),
  sign(/\bcsrf\b[^\n]{0,40}(?:exploit|attack|poc|proof of concept|payload)/i, 0.3),
]);

/** Ways to disable the protection, by framework. A bare setting says little about the reason. */
const SWITCHED_OFF =
  /csrf\s{0,2}\(\s{0,2}\)\s{0,2}\.\s{0,2}disable|csrf\s{0,2}\(\s{0,2}(?:csrf|c|\w{1,12})\s{0,2}->\s{0,2}\w{1,12}\.disable|\.csrf\s{0,2}\(\s{0,2}abstracthttpconfigurer::disable|@csrf_exempt|csrf_exempt\s{0,2}\(|wtf_csrf_enabled['"\]]{0,2}\s{0,2}[=:]\s{0,2}false|skip_before_action\s{1,3}:verify_authenticity_token|skip_forgery_protection|\[ignoreantiforgerytoken|csrf_protection['"]?\s{0,3}(?:=>|:)\s{0,3}false|csrf(?:protection|check|_enabled|enabled)?['"]?\s{0,2}[:=]\s{0,2}false\b/iy;
const SWITCH_TERMS = ['csrf', 'verify_authenticity_token', 'skip_forgery', 'ignoreantiforgery'];
const TERMS = [
  '<form',
  '.submit(',
  'submit()',
  '<img',
  '<iframe',
  'credentials',
  'withcredentials',
  ...SWITCH_TERMS,
];
const FIRST_SWITCH = TERMS.indexOf('csrf');
const CONFIDENCE_OF_SWITCH = 0.45;
const MAX_CONFIDENCE = 0.7;

/** Requests that another site makes on the visitor's behalf, and code that removes the protection against them. */
export const csrf: TermDetector = {
  name: 'csrf',
  version: 1,
  terms: TERMS,
  visitor: (text, push) => {
    let done = 0;
    let checked = 0;
    return (term, start) => {
      if (start < done) return;
      if (term >= FIRST_SWITCH) {
        for (let at = start; at >= Math.max(done, start - 24); at--) {
          SWITCHED_OFF.lastIndex = at;
          const match = SWITCHED_OFF.exec(text);
          if (match === null || at + match[0].length <= start) continue;
          done = at + match[0].length;
          push({ code: 'CSRF', entity: null, start: at, end: done, confidence: CONFIDENCE_OF_SWITCH });
          return;
        }
        return;
      }
      if (start < checked) return;
      checked = start + AFTER / 4;
      const base = Math.max(0, start - BEFORE, done);
      const { score, start: first, end: last } = weigh(text.slice(base, start + AFTER));
      const confidence = confidenceOf(score);
      if (confidence < 0.5) return;
      done = base + last;
      push({
        code: 'CSRF',
        entity: null,
        start: base + first,
        end: done,
        confidence: Math.min(MAX_CONFIDENCE, confidence),
      });
    };
  },
};
