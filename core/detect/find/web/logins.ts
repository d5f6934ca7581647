import { isSpace, skipBackWhile, skipWhile } from '../../read/characters.ts';

/** Text that looks like an email address, but names an account on a machine, a message or a piece of code. */

/** A match that looks like an address. */
interface AddressSpan {
  readonly start: number;
  /** Offset of the `@`. */
  readonly at: number;
  readonly end: number;
}

/** Code units read before an address, and after it. */
const [REACH, REACH_AFTER] = [200, 72];
/** Maximum code units of a URL's user information. */
const MAX_LOGIN = 128;

const endsAuthority = (unit: number): boolean =>
  isSpace(unit) || '/?#"\'<>`'.includes(String.fromCharCode(unit));
const isOfAuthority = (unit: number): boolean => !endsAuthority(unit);

/** `scheme://user@host`, `scheme://user:password@host`: the last `@` of an authority separates the login from the host. */
function isUrlLogin(text: string, { start, end }: AddressSpan): boolean {
  const from = skipBackWhile(text, start, start - MAX_LOGIN, isOfAuthority);
  if (!text.startsWith('://', from - 3) || /mailto$/i.test(text.slice(Math.max(0, from - 9), from - 3)))
    return false;
  return !text.slice(end, skipWhile(text, end, end + MAX_LOGIN, isOfAuthority)).includes('@');
}

/** `host:/path`, `host:~`, `host:team/app.git`, `host:1521/service`, `host::module`, and messages of SSH clients. */
const PATH_AFTER =
  /^(?::(?:[~/]|\.{1,2}\/|:\w|[\w.-]{1,48}(?:\/|\.git(?!\w)))|: permission denied|['’]s password:)/i;
/** The rest of a shell prompt: "[user@host ~]$". */
const PROMPT_AFTER = /^ [~/\w.-]{1,64}\][$#%]/;

const LOGS_IN =
  /(?:^|[\s;&|`"'($=>:])(?:ssh|slogin|sftp|mosh|autossh|sshfs|ssh-copy-id)(?:\s{1,4}(?:to|into|as|-\S{1,40}(?: [^\s-]\S{0,80})?)){0,10}\s{1,4}["']?$/i;
const COPIES =
  /(?:^|[\s;&|`"'($=>:])(?:scp|pscp|rsync|git (?:clone|remote|push|pull|fetch|ls-remote|submodule))\s[^\n]{0,160}$/i;
const COMMANDS = /ssh|slogin|sftp|mosh|scp|rsync|git /i;

const IDENTIFIES =
  /(?:(?:message-?_?id|in-reply-to|references|content-id|msg-?_?id)["']?\s{0,2}[:=]\s{0,2}["']?(?:<[^<>\s]{1,100}>\s{1,4}){0,3}<?(?:[\w.+~$-]{1,64}=){0,3}|(?<!\w)[cm]id:|(?<!\w)uid:)$/i;

/**
 * "foo@1.2.3-beta.one" is a package version, "icon@2x.png" an image, "this@Outer.name" code, "app.git@main" a branch.
 */
const VERSION = /^(?:v?\d{1,4}\.\d|\dx\.)/i;
const LOCAL_OF_CODE = /^(?:this|super)$|\.git$/;
/** `q@k.to(device)` is a matrix product. */
const SHORT_NAMES = /^\w{1,2}@\w{1,2}\./;

function isCode(text: string, { start, at, end }: AddressSpan): boolean {
  if (VERSION.test(text.slice(at + 1, at + 8)) || LOCAL_OF_CODE.test(text.slice(start, at))) return true;
  return text[end] === '(' && SHORT_NAMES.test(text.slice(start, at + 4));
}

/** An account on a machine that someone logs in to, or copies from or to. */
function isLogin(text: string, { start, at, end }: AddressSpan, before: string): boolean {
  if (text.slice(start, at) === 'git') return true;
  const after = text.slice(end, end + REACH_AFTER);
  if (PATH_AFTER.test(after) || (text[start - 1] === '[' && PROMPT_AFTER.test(after))) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (!COMMANDS.test(line)) return false;
  return LOGS_IN.test(line) || (text[end] === ':' && COPIES.test(line));
}

/** The ID of a message, or of a part of one. */
const isIdentifier = (before: string): boolean =>
  (before.includes(':') || before.includes('=')) && IDENTIFIES.test(before);

/** Whether a match is not an email address. */
export function isNoAddress(text: string, span: AddressSpan): boolean {
  if (isCode(text, span) || isUrlLogin(text, span)) return true;
  const before = text.slice(Math.max(0, span.start - REACH), span.start);
  return isLogin(text, span, before) || isIdentifier(before);
}
