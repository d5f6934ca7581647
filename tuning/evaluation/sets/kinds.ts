import { DEVICES_AND_SESSIONS } from './devices.ts';
import { DOCUMENTS } from './documents.ts';
import { HEALTH } from './health.ts';
import type { Kind } from './kind.ts';
import { MONEY } from './money.ts';

/** Every kind of value with a label. */
export const KINDS: readonly Kind[] = [...DOCUMENTS, ...MONEY, ...HEALTH, ...DEVICES_AND_SESSIONS];
