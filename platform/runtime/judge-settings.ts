import { isIP } from 'node:net';
import type { JudgedCode } from '../../schemas/vocabulary.ts';

/** The endpoint of the optional judge, and what may be asked of it. */
export interface JudgeSettings {
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly callsPerMinute: number;
  readonly maxCharacters: number;
  readonly onOutage: 'pause' | 'skip';
  /** Codes that it may add besides CUSTOM_RULE. */
  readonly codes: readonly JudgedCode[];
  /** Further fields of each request. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** https anywhere, http on this machine alone: what is sent is nobody else's business. No credentials in it. */
export function isJudgeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, hash } = new URL(value);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}

/** The settings as they were checked; null: there is no judge. `text`, `number`: a value by its name. */
export function judgeOf(
  text: (name: string) => string | null,
  number: (name: string) => number,
): JudgeSettings | null {
  const [url, model] = [text('JUDGE_URL'), text('JUDGE_MODEL')];
  if (url === null || model === null) return null;
  return {
    url,
    model,
    apiKey: text('JUDGE_API_KEY'),
    timeoutMs: number('JUDGE_TIMEOUT_MS'),
    concurrency: number('JUDGE_CONCURRENCY'),
    callsPerMinute: number('JUDGE_CALLS_PER_MINUTE'),
    maxCharacters: number('JUDGE_MAX_CHARACTERS'),
    onOutage: text('JUDGE_ON_OUTAGE') as JudgeSettings['onOutage'],
    codes: (text('JUDGE_CODES')?.split(',') ?? []) as JudgedCode[],
    parameters: requestFields(text('JUDGE_PARAMETERS') ?? '{}') ?? {},
  };
}

const OWN_FIELDS = ['model', 'messages', 'stream'];

/** The fields, or null when the text is no JSON object or names a field that the service fills in. */
export function requestFields(text: string): Record<string, unknown> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return OWN_FIELDS.some((field) => field in value) ? null : (value as Record<string, unknown>);
}
