import { type ShellCommand, shellCommandsOf } from './commands.ts';
import { PREFIXES, PROBES, PROGRAMS, WORD_PROGRAMS } from './programs.ts';

/** Files that reveal something about a machine, or give access to it. */
const PRIVATE_FILE =
  /(?:^|[\s"'=(,:/\\])(?:\/{1,3}|[a-z]:[\\/])?(?:etc\/{1,3}(?:passwd|shadow|hosts|group|sudoers|issue|crontab|ssh|[a-z-]{2,12}-release|resolv)|proc\/(?:self|version|cpuinfo|net|\d)|root\/\.|var\/log\/(?:auth|apache|nginx|httpd|secure|mail)|windows\/(?:win\.ini|system32)|windows\\{1,2}(?:win\.ini|system32)|boot\.ini|win\.ini|\.ssh\/|id_rsa|id_dsa|\.aws\/|\.htpasswd|\.htaccess|\.bash_history|wp-config|web\.config|web-inf\/|\.git\/(?:config|head)|\.env$)/i;
const DEVICE = /^\/dev\/(?:tcp|udp)\//i;
/** A program path whose parts may be wildcards: `/???/c?t`, `/b[i]n/cat`. */
const WILD_PROGRAM = /^\/[\w?*[\]!-]{1,12}(?:\/[\w?*[\]!-]{1,12}){1,3}$/;

const BATCH =
  /^\W{0,6}(?:if\s{1,9}(?:\/i\s{1,4})?(?:not\s{1,4})?(?:\/i\s{1,4})?(?:defined|exist|errorlevel|cmdextversion|[\w"'%(]{1,24}\)?\s{0,4}(?:==|(?:equ|neq|lss|leq|gtr|geq)\s))|for\s{1,4}(?:\/[fldr]\s{1,4}.{0,40})?%{1,2}[-\w]\s{1,4}in\s)|\b(?:cmd(?:\.exe)?\s{1,4}\/[ck]\b|set\s{1,4}\/[ap]\s|for\s{1,4}\/[fldr]\s|net\s{1,4}(?:user|view|localgroup|share|use|start|stop|group|accounts)\b|reg\s{1,4}(?:add|query|delete|save|export)\s|(?:dir|type|del|copy|more|attrib)\s{1,4}[a-z]:[\\/]|%(?:errorlevel|comspec|systemroot|windir|programfiles|appdata|userprofile|username|computername|path:~)\b)/i;
const CMDLET =
  /\b(?:get|set|new|invoke|start|stop|remove|add|copy|move|out|write|import|export|test|select|where|foreach|convertto|convertfrom|enable|disable|register|restart|clear|read|resolve|send|measure|format|enter|wait|update|suspend|unblock|protect|join|push|pop|rename|sort|tee|trace|use|receive|debug|disconnect|connect|complete|limit|resume|show|split|undo)-(?:process|service|item(?:property)?|content|childitem|command|expression|webrequest|restmethod|sleep|object|host|output|location|variable|alias|module|job|computer|eventlog|wmiobject|ciminstance|acl|date|random|clipboard|credential|executionpolicy|scheduledtask|psdrive|pssession|string|path|history|event|member|transcript|localuser|netipaddress|csv|json|html|xml|tracesource|verb|uiculture|culture|unique)\b/i;
const FUNCTION = /(?:^|[\s=;"'(])\(\)\s{0,4}\{|\b\w{0,12}\(\)\s{0,4}\{\s{0,4}\S{1,12}\s{0,4}[|&]/;
const REVERSE_SHELL =
  /\/dev\/(?:tcp|udp)\/[\w.-]{1,60}\/\d|\bsocket\.socket|fsockopen|\bpty\.spawn|\bdup2\(|downloadstring|-enc(?:odedcommand)?\s{1,4}[a-z\d+/=]{16}|\bnc(?:at)?\s[^\n]{0,60}-\w{0,4}e\s{0,4}\S{0,24}(?:sh|cmd)/i;

const nameOf = (word: string): string =>
  word
    .toLowerCase()
    .replace(/^.{0,80}[\\/](?=[^\\/]{1,40}$)/, '')
    .replace(/^[@.-]{1,2}|\.(?:exe|com|bat|sh)$/g, '');

const isArgument = (word: string): boolean =>
  /^(?:--?[a-z]|\/[\w?*.[]|[a-z]:[\\/]|~\/?|\.{1,2}[\\/]|https?:|ftp:|\d{1,3}(?:\.\d{1,3}){3}|\*|\$|%\w{1,30}%)/i.test(
    word,
  ) ||
  /^[\w.-]{1,60}(?:\/[\w.*-]{0,60}){1,8}$|\.(?:txt|php|sh|py|pl|js|log|conf|cfg|ini|bak|sql|exe|html?|xml|json|ya?ml|zip|gz)$/i.test(
    word,
  );

interface Known {
  readonly name: string;
  readonly rest: readonly string[];
  readonly isWord: boolean;
}

/** The program of a command, after assignments and commands that start another one. */
function programOf({ words }: ShellCommand): Known | null {
  for (let index = 0; index < Math.min(words.length, 6); index++) {
    const word = words[index]!;
    const name = nameOf(word);
    if (/^\w{1,40}=/.test(word) && index < words.length - 1) continue;
    const isWord = WORD_PROGRAMS.has(name);
    const next = words[index + 1];
    if (PREFIXES.has(name) && next !== undefined && (PROGRAMS.has(nameOf(next)) || next.startsWith('-'))) {
      if (PROGRAMS.has(nameOf(next))) return { name, rest: words.slice(index + 1), isWord: false };
    }
    if (!isWord && !PROGRAMS.has(name)) return null;
    return { name, rest: words.slice(index + 1), isWord };
  }
  return null;
}

/** How certainly the text after a separator, or in a substitution, is a command. */
function separatedScore(known: Known, command: ShellCommand, isAtEdge: boolean): number {
  const { rest, isWord, name } = known;
  const used = isWord ? rest.slice(0, 2) : rest;
  const isUsed = used.some(isArgument) || command.redirected.length > 0 || command.isDisguised;
  if (isUsed) return 0.9;
  const isNumber = rest.length > 0 && /^\d{1,9}s?$/.test(rest[0]!);
  if (isNumber && /^(?:sleep|ping|timeout|kill|head|tail|wait|seq)$/.test(name)) return 0.85;
  if (command.before === '$(' || command.before === '`') return isWord ? 0.6 : rest.length <= 2 ? 0.8 : 0.6;
  if (isWord) return isAtEdge && rest.length <= 2 ? 0.65 : 0;
  if (command.before === '&' && !isAtEdge) return rest.length === 0 ? 0.55 : 0.4;
  if (rest.length === 0) return 0.8;
  return rest.length <= 3 || isAtEdge ? 0.65 : 0.4;
}

/** How certainly a whole value is a command line. */
function wholeScore(known: Known, command: ShellCommand, isFollowed: boolean): number {
  const { name, rest, isWord } = known;
  if (command.isDisguised) return 0.85;
  const used = isWord ? rest.slice(0, 2) : rest;
  if (used.some(isArgument) || command.redirected.some(isArgument)) return isWord ? 0.55 : 0.65;
  if (PROBES.has(name) && rest.length <= 2) return 0.6;
  if (isFollowed && !isWord && rest.length <= 3) return 0.6;
  return rest.length <= 2 && !isWord && rest.length > 0 ? 0.4 : 0;
}

function scoreOfCommand(command: ShellCommand, index: number, count: number): number {
  const { before, words, redirected } = command;
  if (words.some((word) => DEVICE.test(word)) || redirected.some((word) => DEVICE.test(word))) return 0.9;
  if (command.isCall && !command.isDisguised) return 0;
  if (command.isVariable) return words.some((word) => /^-c$|^-e$/.test(word)) ? 0.75 : 0;
  const first = words[0] ?? '';
  if (/[?*[]/.test(first) && WILD_PROGRAM.test(first) && first.length > 6) return 0.85;
  const known = programOf(command);
  if (known === null) return 0;
  if (before === '' || before === '(' || before === '{') return wholeScore(known, command, index < count - 1);
  return separatedScore(known, command, index === 0);
}

const COMMAND_SIGN = /[;|&`$\n/\\<>'"^{-]|\s/;
/** Five consecutive words: prose. */
const SENTENCE = /(?:\b[a-z]{2,14}[,']?\s){4}[a-z]{2,14}\b/i;

/** Text with quoted `code`, as in Markdown: a word and a blank precede the mark. */
export const QUOTES_CODE = /[a-z]{2}[,:]?\s`[^`\n]{1,80}`(?:[\s.,;:!?)]|$)/i;
/** A separate value before the first separator: nothing, a number, an address, a file. */
const VALUE_FIRST = /^\s{0,4}(?:[^\s;|&`$]{0,80}[\d."')%/][^\s;|&`$]{0,40})?\s{0,4}(?:[;|&`\n]|\$\()/;

/** Whether commands follow a value instead of forming the whole text. */
export const followsValue = (value: string): boolean =>
  VALUE_FIRST.test(value) || PRIVATE_FILE.test(value) || REVERSE_SHELL.test(value);

/** How certainly a value sent to a program is a shell command line; 0 if it is not. */
export function shellScoreOf(value: string): number {
  if (!COMMAND_SIGN.test(value)) return PROBES.has(value.trim().toLowerCase()) ? 0.6 : 0;
  let score = 0;
  if (PRIVATE_FILE.test(value)) score = 0.75;
  if (FUNCTION.test(value) || REVERSE_SHELL.test(value)) score = 0.9;
  if (BATCH.test(value)) score = Math.max(score, 0.7);
  if (CMDLET.test(value)) score = Math.max(score, 0.65);
  const commands = shellCommandsOf(value);
  for (let index = 0; index < commands.length && score < 0.9; index++)
    score = Math.max(score, scoreOfCommand(commands[index]!, index, commands.length));
  if (QUOTES_CODE.test(value)) return score * 0.5;
  return SENTENCE.test(value) && score < 0.9 ? score * 0.5 : score;
}
