import type { ValueSpan } from './value.ts';

/** Code units read of a line. */
const REACH = 96;

/**
 * A line of settings, of a script or of a list: "DB_ENABLED=1", "enabled: true", "export PORT=8080", "# comment",
 * "[section]", "- item". A password may contain `=` too, so after a colon only typical setting names count.
 */
const SETTING =
  /^(?:[A-Z][A-Z0-9_]{1,48}=|[A-Za-z][\w-]{0,32}(?:\.[\w-]{1,32}){1,5}=|["']?[A-Za-z_][\w.-]{0,48}["']?(?:\s{1,8}=|\s{0,4}:(?:\s|$))|(?:export|set|env|ENV|ARG|let|const|var)\s|\$env:|[#;]\s|\/\/|\[[\w. "-]{1,64}\]\s{0,4}$|-{1,3}(?:\s|$))/;
const ASSIGNMENT = /^[A-Za-z_][\w.-]{0,63}\s{0,8}=/;

/**
 * Whether the value is on a line below its name, and that line is another setting: the secret's own setting is empty.
 */
export function isOnSettingBelow(text: string, nameEnd: number, { start, quoted }: ValueSpan): boolean {
  const between = text.slice(nameEnd, start);
  if (quoted || !between.includes('\n')) return false;
  const reached = text.slice(start, start + REACH);
  const [line] = reached.split('\n', 1) as [string];
  return SETTING.test(line) || (between.includes('=') && ASSIGNMENT.test(line));
}
