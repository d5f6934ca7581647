import type { Finding } from './checks/check.ts';
import { CHECKS } from './checks/checks.ts';
import type { Case, Change, Part } from './places/case.ts';
import { packageCases } from './places/package-cases.ts';
import { stateCases } from './places/state-cases.ts';
import { tableCases } from './places/table-cases.ts';
import { type Question, questionsOf } from './served/questions.ts';
import { differences, type ServedField, type Snapshot, snapshotOf } from './served/snapshot.ts';
import { withReads } from './world/reads.ts';
import type { World } from './world/world.ts';

/** The result of one change. */
export interface Observed {
  readonly place: string;
  readonly what: string;
  readonly change: Change;
  /** Names of the checks that found it. */
  readonly found: ReadonlySet<string>;
  /** Fields whose served value changed. */
  readonly served: readonly ServedField[];
}

type Reads = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Makes every change in turn and records the results. Throws if a check finds something, or a response differs, before
 * any change.
 */
export async function runCases(world: World): Promise<Observed[]> {
  const questions = questionsOf(world);
  await world.state.restore();
  const { before, reads } = await baseline(world, questions);
  const cases = [...(await tableCases(world)), ...(await stateCases(world)), ...(await packageCases(world))];
  const observed: Observed[] = [];
  for (const one of cases) {
    await world.state.restore(one.changeState);
    await one.apply?.();
    try {
      observed.push(...(await observe(world, one, { before, reads, questions })));
    } finally {
      await one.undo?.();
    }
  }
  await world.state.restore();
  const left = differences(before, await snapshotOf(world.harness.app, questions)).filter(
    ({ field }) => field !== DURATION,
  );
  if (left.length > 0) throw new Error(`a change was not undone: ${JSON.stringify(left)}`);
  return observed;
}

interface Baseline {
  readonly before: Snapshot;
  readonly reads: Reads;
}

async function baseline(world: World, questions: readonly Question[]): Promise<Baseline> {
  const reads = new Map<string, Set<string>>();
  const before = new Map<string, Snapshot extends ReadonlyMap<string, infer Served> ? Served : never>();
  for (const question of questions) {
    const [answer, places] = await withReads(() => snapshotOf(world.harness.app, [question]));
    before.set(question.name, answer.get(question.name)!);
    reads.set(question.name, places);
  }
  for (const [name, check] of Object.entries(CHECKS)) {
    await world.state.restore();
    const [found, places] = await withReads(() => check({ world, before, after: before }));
    if (found !== null) throw new Error(`${name} finds something before any change`);
    reads.set(name, places);
  }
  return { before, reads };
}

/** Durations differ on each call. */
const DURATION = 'durationMs';

const isReport = (operation: string, found: ReadonlyMap<string, Finding>): boolean =>
  (found.has('verification') && operation.endsWith('/hash-chain/verify')) ||
  (found.has('books') && operation === 'GET /dashboard/books');

/** Run before any request: some responses are recorded in the state, and that record has a valid seal again. */
const UNASKED = ['start', 'readiness'];

async function observe(
  world: World,
  { place, parts, change, readAs }: Case,
  { before, reads, questions }: Baseline & { readonly questions: readonly Question[] },
): Promise<Observed[]> {
  const isAffected = (name: string): boolean => readAs === null || reads.get(name)!.has(readAs);
  const found = new Map<string, Finding>();
  const run = async (names: readonly string[], after: Snapshot): Promise<void> => {
    for (const name of names) {
      // Checks that only compare responses read nothing themselves.
      if (reads.get(name)!.size > 0 && !isAffected(name)) continue;
      const fault = await CHECKS[name]!({ world, before, after });
      if (fault !== null) found.set(name, fault);
    }
  };
  await run(UNASKED, before);
  const asked = questions.filter(({ name }) => isAffected(name));
  const after = new Map([...before, ...(await snapshotOf(world.harness.app, asked))]);
  await run(
    Object.keys(CHECKS).filter((name) => !UNASKED.includes(name)),
    after,
  );
  // A check's own report is not a changed field.
  const served = differences(before, after).filter(
    ({ operation, field }) => field !== DURATION && !isReport(operation, found),
  );
  return parts.map((part) => ({
    place,
    what: part.what,
    change,
    found: new Set([...found].filter(([, one]) => isFoundBy(one, part, parts)).map(([name]) => name)),
    served: served.filter(({ field }) => isServedAs(field, part, parts)),
  }));
}

/** With several changes at once, a check has found those whose entry it names. */
const isFoundBy = ({ entries }: Finding, { index }: Part, parts: readonly Part[]): boolean =>
  parts.length === 1 || (index !== null && entries.includes(index));

/** With several columns, the one named like the field changed it; if there is none, any of them may have. */
function isServedAs(field: string, { what }: Part, parts: readonly Part[]): boolean {
  const name = field.split(/[.\]]/).at(-1);
  return parts.some((part) => part.what === name) ? what === name : true;
}
