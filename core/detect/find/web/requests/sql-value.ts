import { bareScoreOf, PROSE, weighSql } from '../sql-fingerprints.ts';
import { hasPlusForBlank, sqlTokensOf } from '../sql-tokens.ts';
import { confidenceOf } from '../traits.ts';

/** A shape of tokens, as `sqlTokensOf` writes them, with the certainty that it is SQL where a value is expected. */
type Shape = readonly [RegExp, number];

/**
 * Shapes of values that change the surrounding statement. Only for values of requests: in programs and manuals the same
 * shapes are ordinary. Weak ones come last.
 */
const SHAPES: readonly Shape[] = [
  // ' union a, 1 union select, except select
  [/u[ao]{0,3}p{0,4}o?e/, 0.9],
  [/qr{0,3}u|[nr]r{0,3}u(?:a|p|o?e)/, 0.75],
  // select sleep(5), 1(select*from(select ...
  [/e[^s]{0,12}f/, 0.9],
  [/e[ao]{0,2}o?Fp{0,3}[ewz]|pe[^s]{0,20}F/, 0.85],
  [/ep{1,3}[eC]|eC/, 0.8],
  [/^[^w]{0,3}e[^sF]{1,20}F[wqz]{1,4}(?:[WhluskRm]|$|r)/, 0.75],
  [/e(?:gp|[nqvt][mFkr])/, 0.7],
  [/e[wo]{1,2}h|^e[wom]{1,5}Fw(?:W|$|k|s|l|r|h)/, 0.55],
  [/s{1,2}d{1,2}[vwgz]|dz|(?:^|[qnr])r{0,3}d{1,2}[wg]{1,3}s{0,2}k/, 0.8],
  [/^d{1,2}w[wg]{0,2}(?:s{1,2}$|W)/, 0.55],
  [/ii/, 0.8],
  [/z/, 0.6],
  // HAVING 1=, ORDER BY 9, ' group by
  [/^[qnr?]{0,3}(?:h{1,2}x[pn]{1,3}(?:$|k|m|c)|h[pn]{1,3}c)/, 0.75],
  [/^n?qr{0,3}h/, 0.7],
  // ' or, 1' like, ") and, ' || ', /3 and(
  [/^[n?]?qr{0,4}[lcu]|^[wn?]{1,3}qr{0,4}[lcu][lpo]{0,3}[qntfp]/, 0.75],
  [/l[lpo]{0,3}q[wn]{0,3}qc/, 0.7],
  [/^[wn?]{0,2}qr{0,4}[lco]|[nrt]r{0,3}l[lpo]{0,3}[qntvpf]|[on]lp/, 0.45],
  // or 1=1, and 1=(, xor 'b' >, or x=x#
  [/^[?]?l[lpo]{0,3}(?:[ntv]|q[wn]{1,2}q)r{0,3}c/, 0.8],
  [/^l[lpo]{0,3}q/, 0.6],
  [/^lwcwk|^lgp/, 0.6],
  // 1!=11, 42 like 42, 'x'!='y
  [/^q[wn]qcq[wn]q?$|^q?[wn]qcq[wn]/, 0.75],
  // 'a'--, ' #, */2--
  [/^[^w]{0,8}[qnrt]r{0,4}s{0,2}k$|qr{0,4}s{0,2}k$/, 0.65],
  // sleep(, extractvalue(
  [/fp/, 0.75],
  [/f/, 0.6],
  [/^w?qr{0,3}s?k/, 0.75],
  [/Cp{1,2}[nqw]{1,3}c[nqw]{1,3}[rC]/, 0.6],
];
const SURE = 0.85;
/** Factor for scores in prose. */
const IN_PROSE = 0.55;
/** Score of a complete statement, as consoles and reports send. */
const STATEMENT_SCORE = 0.55;

const STATEMENT =
  /^\s{0,8}(?:select|insert\s{1,4}into|update|delete\s{1,4}from|create|alter|with|explain|show|describe)\s/i;

/** Whether the value is a complete statement, with closed quotes and nothing that breaks out of another statement. */
function isStatement(value: string, kinds: string): boolean {
  if (!STATEMENT.test(value) || /[kfzu]|ii|s{1,2}[ed]/.test(kinds)) return false;
  return (kinds.split('q').length - 1) % 2 === 0;
}

const BREAKS_OUT = 0.6;
const AFTER_QUOTE = /r{0,3}l[lpo]{0,3}[qntvpf]/y;

/** Whether AND or OR follows a quote that closes no quote of the value: `x' or 1`, not `"this" or "that"`. */
function endsString(kinds: string): boolean {
  let isOpen = false;
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] !== 'q') continue;
    AFTER_QUOTE.lastIndex = at + 1;
    if (!isOpen && AFTER_QUOTE.test(kinds)) return true;
    isOpen = !isOpen;
  }
  return false;
}

/** Whether consecutive words are mostly not SQL words: a sentence. */
function isTalk(kinds: string): boolean {
  if (PROSE.test(kinds)) return true;
  for (const [run] of kinds.matchAll(/[wFleuhaxdCiWtc]{5,}/g)) {
    if (run.split('w').length - 1 >= 0.6 * run.length) return true;
  }
  return false;
}

/** Operators and types of a single dialect, server variables, and calls that are typical of attacks. */
const SIGNS: readonly Shape[] = [
  [
    /^[\W_]{0,4}\d{1,12}["')\s]{0,4}(?:!=|<>|<=>|\b(?:sounds\s{1,3})?r?like\b|\bregexp\b)["'(\s]{0,4}\d{1,12}[\W_]{0,4}$/i,
    0.75,
  ],
  [/\b(?:declare|set)\s{1,4}@{1,2}[\w.]{1,40}\s{0,4}(?:=|:=|n?varchar|n?char|int|table|as\s)/i, 0.8],
  [
    /['"\])\d]\s{0,3}(?:::\s{0,2}(?:int|text|json|varchar|numeric|regclass|bool|date|xml)|#>{1,2}|->>?\s{0,2}['"$\d]|@>|<@|\?[&|]\s)/i,
    0.7,
  ],
  [
    /@@(?:version|hostname|datadir|global|basedir|servername|tmpdir|plugin|language|innodb|max_|sql_|character)/i,
    0.75,
  ],
  [/\/\*!\d{0,5}\s{0,4}[a-z]/i, 0.8],
  [/["'[{]\s{0,3}\$(?:ne|nin|where|nor|func|elemmatch)\b/i, 0.6],
  [/["'[{]\s{0,3}\$(?:in|regex|exists|or|and|not|gte?|lte?)\b/i, 0.45],
  [
    /\b(?:current_(?:user|database|schema)|session_user|system_user|user_name|db_name|host_name)\b\s{0,3}(?:\(|::)?/i,
    0.6,
  ],
  [
    /\b(?:concat(?:_ws)?|group_concat|char|chr|ascii|substr(?:ing)?|unhex|md5|sha1|row_count|found_rows|last_insert_id|connection_id|coalesce|ifnull|nullif|nvl2?|isnull|iif|make_set|export_set|strcmp|load_file|uncompress|aes_(?:en|de)crypt|to_base64|from_base64|json_(?:extract|depth|keys|value|length|array|object)|xmltype|benchmark|sleep|pg_sleep|quotename|char_length|octet_length|bit_(?:and|or|xor|count)|std(?:dev)?_(?:pop|samp)|var_(?:pop|samp)|utl_\w{2,12}|dbms_\w{2,12})\s{0,3}\(\s{0,4}(?:[\w'"@),(-]|$)/i,
    0.55,
  ],
  [
    /\b(?:mid|hex|bin|ord|version|database|schema|convert|cast|elt|greatest|least|instr|locate|position|encode|decode|compress|rand|pi|floor|round|mod|row|values|analyse|user|length|upper|lower|now|count|sum|avg|min|max)\((?:\s{0,4}[\w'"@),(*-]|$)/i,
    0.4,
  ],
  [/0x[0-9a-f]{4,}[\s,)]/i, 0.5],
  [/(?:(?:^|\W)--|[^\w\s]\s{0,2}#|\/\*)\s{0,3}-?\s{0,2}$/, 0.4],
];

const APOSTROPHE = /^[^'"`]{0,2000}[a-z]'[a-z][^'"`]{0,2000}$/i;

/** How certainly a value sent to a program changes an SQL statement; 0 without evidence. */
export function sqlScoreOf(sent: string): number {
  // "d'or", "players' group": an apostrophe, not the end of a string.
  const isApostrophe = APOSTROPHE.test(sent);
  const value = isApostrophe ? sent.replace("'", ' ') : sent;
  const tokens = sqlTokensOf(value, hasPlusForBlank(value));
  const { kinds } = tokens;
  const isProse = isTalk(kinds);
  let score = 0;
  for (const [shape, worth] of SHAPES) {
    const counted = isProse ? worth * IN_PROSE : worth;
    if (counted > score && shape.test(kinds)) score = counted;
  }
  for (const [sign, worth] of SIGNS) {
    const counted = isProse ? worth * IN_PROSE : worth;
    if (counted > score && sign.test(value)) score = counted;
  }
  if (score < BREAKS_OUT && !isProse && endsString(kinds)) score = BREAKS_OUT;
  if (isStatement(value, kinds)) return Math.min(score, STATEMENT_SCORE);
  if (score >= SURE) return score;
  const bare = isProse ? 0 : bareScoreOf(kinds);
  return Math.max(score, confidenceOf(bare + Math.max(0, weighSql(kinds).score)));
}
