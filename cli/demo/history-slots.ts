import { hash } from 'node:crypto';

/** Content of an exchange's text. */
export type Content = 'CLEAN' | 'PERSONAL' | 'SECRET' | 'ATTACK';

/** One exchange of the demo's history: time, sandbox and content; its text is chosen later. */
export interface Slot {
  readonly auditId: string;
  /** Unix ms. */
  readonly at: number;
  readonly sandboxSlug: string;
  readonly content: Content;
  /** Number of earlier slots with the same sandbox and content: examples take turns, so that each of them occurs. */
  readonly turn: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const HISTORY_DAYS = 30;

/** Exchanges in each hour (UTC) of a busy day, scaled by `WEEKDAYS` from Sunday to Saturday. */
const HOURS = [1, 1, 1, 1, 1, 2, 3, 5, 7, 8, 8, 7, 6, 7, 8, 8, 6, 5, 3, 2, 2, 1, 1, 1];
const WEEKDAYS = [0.12, 0.72, 0.8, 0.82, 0.76, 0.62, 0.16];

/** Share of the traffic, and shares of the contents; the rest is clean. */
const SANDBOXES = [
  { slug: 'customer-support', share: 0.5, PERSONAL: 0.13, SECRET: 0, ATTACK: 0 },
  { slug: 'code-assistant', share: 0.32, PERSONAL: 0, SECRET: 0.03, ATTACK: 0.015 },
  { slug: 'hr-assistant', share: 0.18, PERSONAL: 0.14, SECRET: 0, ATTACK: 0.01 },
] as const;

const NOT_CLEAN = ['PERSONAL', 'SECRET', 'ATTACK'] as const;

/** Secrets that one broken deployment prints within an hour, and attacks that continue for most of a day. */
const BURST = { daysAgo: 2, fromHour: 14, hours: 1, count: 36, content: 'SECRET' } as const;
const CAMPAIGN = { daysAgo: 6, fromHour: 8, hours: 10, count: 24, content: 'ATTACK' } as const;
const SLUG_OF_EVENTS = 'code-assistant';

/** A number from 0 to 1, always the same for the same name. */
const chance = (name: string): number => Number.parseInt(hash('sha256', name).slice(0, 8), 16) / 2 ** 32;

/** A UUID (version 8), always the same for the same name. */
function uuidOf(name: string): string {
  const hex = hash('sha256', name);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const startOf = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs;

/** The last working day at least this many days back. */
function workday(until: number, daysAgo: number): number {
  const day = startOf(until, DAY_MS) - daysAgo * DAY_MS;
  const weekday = new Date(day).getUTCDay();
  return day - (weekday === 0 ? 2 : weekday === 6 ? 1 : 0) * DAY_MS;
}

/** The first one whose share the number falls into; undefined when it exceeds all of them. */
function drawn<One>(ones: readonly One[], shareOf: (one: One) => number, number: number): One | undefined {
  let end = 0;
  return ones.find((one) => {
    end += shareOf(one);
    return number < end;
  });
}

type Planned = Omit<Slot, 'turn'>;

function ordinarySlot(name: string, hour: number): Omit<Planned, 'auditId'> {
  const sandbox = drawn(SANDBOXES, ({ share }) => share, chance(`${name} sandbox`)) ?? SANDBOXES[0];
  return {
    at: hour + Math.floor(chance(`${name} minute`) * HOUR_MS),
    sandboxSlug: sandbox.slug,
    content: drawn(NOT_CLEAN, (content) => sandbox[content], chance(`${name} content`)) ?? 'CLEAN',
  };
}

function* ordinarySlots(customerId: string, until: number): Generator<Planned> {
  for (let hour = startOf(until, HOUR_MS) - HISTORY_DAYS * DAY_MS; hour < until; hour += HOUR_MS) {
    const date = new Date(hour);
    const expected = HOURS[date.getUTCHours()]! * WEEKDAYS[date.getUTCDay()]!;
    const count = Math.floor(expected + chance(`${customerId} ${hour}`));
    for (let index = 0; index < count; index += 1) {
      const name = `${customerId} ${hour} ${index}`;
      yield { auditId: uuidOf(name), ...ordinarySlot(name, hour) };
    }
  }
}

function* eventSlots(
  customerId: string,
  until: number,
  { daysAgo, fromHour, hours, count, content }: typeof BURST | typeof CAMPAIGN,
): Generator<Planned> {
  const start = workday(until, daysAgo) + fromHour * HOUR_MS;
  for (let index = 0; index < count; index += 1) {
    const name = `${customerId} ${content} ${index}`;
    const at = start + Math.floor(((index + chance(`${name} minute`)) / count) * hours * HOUR_MS);
    yield { auditId: uuidOf(name), at, sandboxSlug: SLUG_OF_EVENTS, content };
  }
}

/** The history of the 30 days before `until`, oldest first: the same for the same customer and time. */
export function historySlots(customerId: string, until: number): Slot[] {
  const slots = [
    ...ordinarySlots(customerId, until),
    ...eventSlots(customerId, until, BURST),
    ...eventSlots(customerId, until, CAMPAIGN),
  ];
  const turns = new Map<string, number>();
  return slots
    .filter(({ at }) => at < until)
    .sort((one, other) => one.at - other.at)
    .map((slot) => {
      const kind = `${slot.sandboxSlug} ${slot.content}`;
      const turn = turns.get(kind) ?? 0;
      turns.set(kind, turn + 1);
      return { ...slot, turn };
    });
}
