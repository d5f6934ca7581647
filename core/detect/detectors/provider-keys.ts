import { isTokenUnit } from '../characters.ts';
import type { TermDetector } from '../detector.ts';

interface KeyFormat {
  /** How the key begins, as issued; looked for in any case, then matched exactly by `pattern`. */
  readonly prefixes: readonly string[];
  /** The whole key from its first character. Sticky, quantifiers bounded. */
  readonly pattern: RegExp;
  /** Keys whose format is loose must also mix digits and letters after the prefix. */
  readonly mixed?: boolean;
}

/** Formats as their issuers document them. */
const FORMATS: readonly KeyFormat[] = [
  { prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], pattern: /A[KSBC][IC]A[A-Z0-9]{16}(?!\w)/y },
  { prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], pattern: /gh[pousr]_[A-Za-z0-9]{36,255}(?!\w)/y },
  { prefixes: ['github_pat_'], pattern: /github_pat_\w{22,255}(?!\w)/y },
  { prefixes: ['glpat-'], pattern: /glpat-[\w-]{20,64}(?![\w-])/y, mixed: true },
  {
    prefixes: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxr-', 'xoxs-'],
    pattern: /xox[abeprs]-[\w-]{10,250}(?![\w-])/y,
    mixed: true,
  },
  { prefixes: ['xapp-'], pattern: /xapp-\d-[\w-]{10,250}(?![\w-])/y },
  {
    prefixes: ['hooks.slack.com/services/'],
    pattern: /hooks\.slack\.com\/services\/T\w{6,14}\/B\w{6,14}\/\w{16,40}(?!\w)/y,
  },
  {
    prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    pattern: /[sr]k_(?:live|test)_[A-Za-z0-9_]{10,250}(?!\w)/y,
  },
  { prefixes: ['whsec_'], pattern: /whsec_[A-Za-z0-9+/]{20,100}={0,2}(?!\w)/y },
  { prefixes: ['AIza'], pattern: /AIza[\w-]{35}(?![\w-])/y },
  { prefixes: ['GOCSPX-'], pattern: /GOCSPX-[\w-]{28}(?![\w-])/y },
  { prefixes: ['ya29.'], pattern: /ya29\.[\w-]{20,512}(?![\w-])/y },
  {
    prefixes: ['sk-'],
    pattern: /sk-(?:ant-|proj-|svcacct-|admin-|or-v1-)?[\w-]{20,250}(?![\w-])/y,
    mixed: true,
  },
  { prefixes: ['npm_'], pattern: /npm_[A-Za-z0-9]{36}(?!\w)/y },
  { prefixes: ['SG.'], pattern: /SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/y },
  { prefixes: ['hf_'], pattern: /hf_[A-Za-z0-9]{30,40}(?!\w)/y, mixed: true },
  { prefixes: ['cas_'], pattern: /cas_[0-9a-f]{48}(?!\w)/y },
];

const PREFIXES = FORMATS.flatMap((format) => format.prefixes.map((prefix) => ({ prefix, format })));

/** `sk-learn-pipeline-with-a-long-name` is a name, a key is not made of words alone. */
function mixesDigitsAndLetters(body: string): boolean {
  return /\d/.test(body) && /[A-Za-z]/.test(body);
}

/** API keys whose issuer gives them a recognisable beginning. */
export const providerKeys: TermDetector = {
  name: 'provider-keys',
  version: 1,
  terms: PREFIXES.map(({ prefix }) => prefix.toLowerCase()),
  visitor: (text, push) => {
    let done = 0;
    return (term, start) => {
      const { prefix, format } = PREFIXES[term]!;
      // One key is read once: what begins inside a longer token is not a key of its own.
      if (start < done || isTokenUnit(text.charCodeAt(start - 1)) || !text.startsWith(prefix, start)) return;
      format.pattern.lastIndex = start;
      const match = format.pattern.exec(text);
      if (match === null) return;
      if (format.mixed === true && !mixesDigitsAndLetters(match[0].slice(prefix.length))) return;
      done = start + match[0].length;
      push({ code: 'SECRET_LEAK', entity: 'API_KEY', start, end: done, confidence: 0.97 });
    };
  },
};
