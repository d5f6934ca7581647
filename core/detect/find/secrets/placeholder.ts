/**
 * Placeholders for a value: a reference to a variable, a word in brackets, a repeated character. A password may start
 * with the same letters ("Trueblue1!").
 */
const REFERENCE =
  /^(?:\$[A-Za-z_{(]|\$\$|[<{[]|%[(\w]{1,40}%?$|#\{|@\w{1,40}@$|!(?:ref|sub|vault)\b|process\.env|os\.environ|env[.:[(]|var\.|vars?\.|secrets?\.|config\.|data\.|local\.|vault:|arn:aws|op:\/\/|ssm:|file:)/i;
const FILLER =
  /^(?:set[\s._-](?:as|by|via|with|from)[\s._-]|(?:your|my|the|an?|some|this|insert|enter|replace|change|add|put|paste|use)[\s._-]?(?:me|your|own|new|api|access|secret|super|strong|secure|password|passwd|token|key|here|with|actual|real|db|database|root|account|client|app|private|user)|(?:your|my|insert|enter|dummy|fake|placeholder)(?:[\s._-][a-z\s._-]{0,64}\d{0,3})?$|your[\s._-]|(?:todo|tbd|null|nil|none|undefined|true|false|redacted|removed|hidden|masked|placeholder|changeme|n\/a)(?!\w))/i;
/** Words that example values consist of ("secret_key", "mypassword", "db-password"). */
const WORDS_OF_EXAMPLES =
  /^(?:(?:my|your|the|an?|some|new|old|db|root|user|admin|test|super|very|strong|secure|secret|password|passwd|pass|pwd|token|api|key|access|client|id|value|here|example|sample|dummy|fake|demo|default|string|foo|bar|app|jwt|auth|database|username|login|smtp|mysql|postgres|redis|email|private|hash(?:ed)?|encrypted|plain|text|correct|wrong|valid|invalid|confirm|current)[\s._-]{0,2}){1,6}$/i;
const EXAMPLE_INSIDE =
  /(?:placeholder|redacted|your[_-]|[_-]here$|^x{4,}|x{4,}$|x{6}|\*\*\*\*|\.\.\.|dummy|changeme|change_me)/i;
/** The name of an environment variable instead of its value: "DB_PASSWORD_1", "OPENAI_API_KEY". */
const VARIABLE =
  /^(?=[A-Z0-9_]{0,64}(?:^|_)(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|KEY|CREDENTIALS?|AUTH|ENV|VAR)\d{0,3}(?:_|$))[A-Z][A-Z0-9]{0,24}(?:_[A-Z0-9]{1,24}){1,6}$/;
/** The name of a setting repeated as its value: "vcenter-password", "@my-secret-name". */
const NAME_AGAIN = /^@?(?:[a-z]{1,16}[-_]){1,3}(?:password|passwd|secret|token|key)(?:[-_]name)?$/i;
const ROW_OF_ONE = /^(.)\1{2,}$/;
const COUNTED =
  /^(?:0?123456789\w{0,8}|1234(?:5|56|567|5678)?|abcd(?:ef)?\w{0,4}|abc123(?:def456)?(?:ghi789)?\w{0,12})$/i;

export function isPlaceholder(value: string): boolean {
  if (REFERENCE.test(value) || FILLER.test(value) || VARIABLE.test(value) || NAME_AGAIN.test(value))
    return true;
  return ROW_OF_ONE.test(value) || WORDS_OF_EXAMPLES.test(value) || EXAMPLE_INSIDE.test(value);
}

/** Sequences that occur in made-up keys but never in generated ones. */
const MADE_UP_KEY = /([B-Zb-z])\1{5}|[xX]{5}|#{4}/;
/** Marks that the rest of the key was omitted: "glpat-abc...", "ops_eyJ..[Redacted]". */
const CUT_OFF = /^(?:\.{2,}|\u2026|\[redacted|\[\.\.|\*{3}|#{3})/i;
/** Longer keys contain data, in which short sequences occur by chance. */
const MAX_KEY = 200;
const ROW_INSIDE = /([B-Zb-z\d])\1{15}/;

/** Whether this is an example key from documentation: repeated, counting or marked, or with its end omitted. */
export function isMadeUpKey(text: string, start: number, end: number): boolean {
  if (CUT_OFF.test(text.slice(end, end + 10))) return true;
  const key = text.slice(start, end);
  return ROW_INSIDE.test(key) || (end - start <= MAX_KEY && MADE_UP_KEY.test(key));
}

/** The same for keys and tokens. Unlike passwords ("12345678"), they are never counting sequences. */
export function isPlaceholderKey(value: string): boolean {
  return isPlaceholder(value) || COUNTED.test(value);
}
