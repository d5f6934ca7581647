import { weighInterpreter } from '../shell-traits.ts';
import { confidenceOf } from '../traits.ts';
import { traversalAt } from '../traversal.ts';
import { GADGETS, PHP_FUNCTIONS } from './code-names.ts';

type Sign = readonly [RegExp, number];

/** Code in server-side languages, where a value is expected. */
const SIGNS: readonly Sign[] = [
  // PHP
  [
    /<\?(?:php|=|\s)(?!xml)|<\?\s{0,3}(?:echo|print|system|eval|passthru|phpinfo)|<%\s?(?:=|@|eval|execute|response)/i,
    0.85,
  ],
  [
    /\$_?(?:_(?:get|post|request|cookie|server|files|session|env)|globals|_+)\s{0,3}[[{]|\$\w{0,20}\[@?!|@\$_/i,
    0.75,
  ],
  [/\$[a-z_]\w{0,30}\s{0,3}(?:\[[^\]]{1,20}\]\s{0,3}){0,3}\([^)]/i, 0.6],
  [/\$\s?\{\s{0,3}['"@$_a-z][^}\n]{0,200}[\])'"(.:][^}\n]{0,200}\}/i, 0.65],
  [/\b(?:O|C):\d{1,4}:(?:"[\w\\]{1,80}"(?::\d|;)|\{)/, 0.75],
  [
    /\(\s{0,3}["']\s{0,3}\w{2,30}\s{0,3}["']\s{0,3}\)\s{0,3}\(|\[\s{0,2}["']?(?:system|exec|passthru|eval|assert)["']?\s{0,2}\](?:\[\d\])?\W{0,3}\(/i,
    0.8,
  ],
  [
    /\b(?:php|phar|expect|glob|ogg|rar|ssh2(?:\.\w{3,6})?|zlib|compress\.\w{4,5}|jar|netdoc|local_file|gopher|dict):\/\/(?:\/|\w|%)/i,
    0.65,
  ],
  [/^\W{0,4}(?:file|data|zip|url):\/{0,2}(?:\/|\w|%)/i, 0.45],
  [/;\s{0,3}(?:phpinfo|system|passthru|exec|shell_exec|assert|eval|print(?:_r)?|echo)\s{0,3}\(/i, 0.75],
  [/\.(?:php\d?|phtml|phar|pht|jspx?|aspx?|cgi|shtml|war)(?:\.[a-z]{2,4})?[.\s%]{0,20}$/i, 0],
  // Java and its expression languages
  [
    /\bjava(?:x)?\.(?:lang(?!\.(?:string|integer|long|boolean|object|double|\w{0,40}(?:exception|error))\b)|io(?!\.\w{0,20}exception)|util|net|nio|script|naming|sql|rmi|beans|security)\.[A-Z]?\w|\b(?:com\.sun|org\.(?:apache\.commons\.collections|apache\.xalan|codehaus\.groovy|mozilla\.javascript)|sun\.(?:misc|rmi)|ognl)\.\w{2,40}|\b(?:java\.lang\.)?(?:processbuilder|runtime)\b(?:\.\w|\()|getruntime|\.getclass\(|\bclass\.(?:forname|module|classloader)|multipartcontent|xstream/i,
    0.7,
  ],
  [
    /\$\{(?:jndi|\$\{|env:|sys:|lower:|upper:|date:|ctx:|java:|main:|script:|dns:|url:|::-)|\$\{[^}\n]{0,60}(?:lower|upper|env|:-)[^}\n]{0,60}\}/i,
    0.8,
  ],
  [/(?:ro0ab|kztaau|cs7qaf|aced0005)/i, 0.75],
  [
    /\bT\(java|#(?:_memberaccess|context|parameters|request|application|session|rt|cmd)\b|@(?:java|org|com)\.[\w.]{2,60}@|%\{[(#'"]/i,
    0.8,
  ],
  // JavaScript on a server
  [/__proto__|constructor\W{1,4}prototype|_\$\$nd_func|prototype\.polluted/i, 0.75],
  [
    /\bprocess\s{0,3}(?:\.|\[)\W{0,3}(?:env|binding|mainmodule|argv|exit|version|kill|stdout)|\brequire\s{0,3}\(|\bchild_process|global\.process|\bnew\s{1,3}function\b|\bfunction\s{0,3}\w{0,20}\(\s{0,3}\)\s{0,3}\{|\bconsole\.(?:log|debug|error|info|trace|warn|table)\s{0,3}\(|\bthis\.constructor|string\.fromcharcode/i,
    0.7,
  ],
  [
    /\bwhile\s{0,3}\(\s{0,3}(?:!{1,4}\S|1|true|new\b)|;\s{0,3}while\s{0,3}\(|\bdo\s{0,3}\{[^}\n]{0,80}\}\s{0,3}while|\bnew\s{1,3}date\(/i,
    0.65,
  ],
  // Perl, Ruby, Python, templates
  [/@\{\s{0,6}\[|\$\{\\\s{0,3}\w|\bopen\s{0,3}\(\s{0,3}["']?\||\bqx[/{(]/i, 0.8],
  [
    /%x[({[]|\bkernel\.(?:system|exec|open|`)|\bio\.popen|\berb\.new|\byaml\.load|\bobject\.send|\binstance_eval|\bprocess\.(?:spawn|kill|clock)|\bfile\.(?:read|open|write)\(/i,
    0.65,
  ],
  [
    /\b(?:os|subprocess|commands|pty|importlib|builtins|pickle)\.(?:system|popen|call|run|spawn\w?|check_output|getoutput|loads|import_module)\b|__(?:class|import|globals|subclasses|builtins|mro|init|reduce)__|!!(?:python|javax|ruby)\//i,
    0.8,
  ],
  [
    /\{\{[^}\n]{0,200}[([*'"_+-][^}\n]{0,200}\}\}|\{%[^%\n]{1,200}%\}|<%[^%\n]{0,200}[([*'"._`+-][^%\n]{0,200}%>|#\{[^}\n]{0,80}[*(.`][^}\n]{0,80}\}|\$\{[^}\n]{0,60}[*+(][^}\n]{0,60}\}|\{\d{1,6}[*+-]\d{1,6}\}|[<[]#(?:assign|if|list|include|import|macro|setting)\s|#set\s?\(|\*\{[^}\n]{2,80}\}|~\{[^}\n]{2,80}\}|@\(\d{1,4}[*+]/i,
    0.65,
  ],
  // server-side includes, XML, directories, line breaks
  [/<!--#\s{0,4}(?:exec|include|echo|printenv|set|config|flastmod|fsize)/i, 0.85],
  [
    /<!(?:entity|doctype[^>\n]{0,200}(?:\[|system|public\s{1,3}["'][^"'\n]{0,80}["']\s{1,3}["'](?:file|http)))|<xi:include|<xsl:|<esi:/i,
    0.75,
  ],
  [
    /[\r\n]\s{0,3}(?:set-cookie|location|content-(?:type|length|disposition)|http\/\d|x-[a-z-]{3,20}|host|refresh):?\s?\S/i,
    0.65,
  ],
  [/\)\s{0,2}\(\s{0,2}(?:[|&!]|\w{1,24}[~<>]?=)|\*\)\s{0,2}\(|\(\s{0,2}[|&!]\s{0,2}\(/i, 0.45],
];

const CALL =
  /(?:^|[^\w$.>-])([a-z][\w$]{1,60})\s{0,6}(?:\/\*[^*\n]{0,40}\*\/|\/\/[^\n]{0,20}\n|#[^\n]{0,20}\n|\s){0,3}\(/gi;
const MAX_CALLS = 200;
const BASE64 = /^[\w+/=-]{8,4000}$/;
const STEP = /\.{2,4}[;%\\/]/g;

/** Decodes Base64 from each offset, because a payload in a serialised object may not start on a three-byte boundary. */
function isHiddenGadget(value: string): boolean {
  if (!BASE64.test(value) || !/[A-Z]/.test(value) || !/[a-z]/.test(value)) return false;
  for (let cut = 0; cut < 4; cut++) {
    const plain = fromBase64(value.slice(cut));
    if (GADGETS.test(plain)) return true;
  }
  return false;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SIXES = new Map([...ALPHABET].map((sign, value) => [sign, value]));

function fromBase64(value: string): string {
  let bits = 0;
  let held = 0;
  let plain = '';
  for (const sign of value) {
    const six = SIXES.get(sign === '-' ? '+' : sign === '_' ? '/' : sign);
    if (six === undefined) break;
    bits = ((bits << 6) | six) & 0xff_ffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    plain += String.fromCharCode((bits >> held) & 0xff);
  }
  return plain;
}

/** Functions that are also English words: "copy (2)", "file (optional)". */
const WORDS: ReadonlySet<string> = new Set(
  'file copy link mail sleep define extract header include require rename pack glob touch constant assert invoke include_once'.split(
    ' ',
  ),
);
const SURE_NAME = /_|\d|^(?:eval|exec|system|passthru|popen|unserialize|phpinfo)$/;

/** Scores a call of a PHP function, by its full name. */
function callScore(value: string): number {
  let score = 0;
  let calls = 0;
  CALL.lastIndex = 0;
  for (let match = CALL.exec(value); match !== null && calls < MAX_CALLS; match = CALL.exec(value)) {
    calls++;
    const name = match[1]!.toLowerCase();
    if (PHP_FUNCTIONS.has(name))
      score = Math.max(score, WORDS.has(name) ? 0.4 : SURE_NAME.test(name) ? 0.7 : 0.6);
  }
  return score;
}

function traversalScore(value: string): number {
  let score = 0;
  STEP.lastIndex = 0;
  for (let match = STEP.exec(value); match !== null; match = STEP.exec(value)) {
    const steps = traversalAt(value, match.index);
    if (steps === null) continue;
    const isLong = steps.end - match.index >= 9;
    score = Math.max(score, steps.confidence, isLong ? 0.6 : 0);
    STEP.lastIndex = Math.max(steps.end, match.index + 1);
  }
  return score;
}

/** How certainly a value sent to a program is code for it, or a path out of its folder. */
export function codeScoreOf(value: string): number {
  let score = 0;
  for (const [sign, worth] of SIGNS) if (worth > score && sign.test(value)) score = worth;
  if (score < 0.9) score = Math.max(score, confidenceOf(weighInterpreter(value).score));
  if (score < 0.75 && (GADGETS.test(value) || isHiddenGadget(value))) score = 0.7;
  if (score < 0.75) score = Math.max(score, callScore(value));
  return Math.max(score, traversalScore(value));
}
