import type { Finding } from './checks/check.ts';
import { CHECKS } from './checks/checks.ts';
import type { Case, Change, Part } from './places/case.ts';
import { packageCases } from './places/package-cases.ts';
import { stateCases } from './places/state-cases.ts';
import { tableCases } from './places/table-cases.ts';
import { differences, type Look, look, type ServedField } from './served/look.ts';
import { type Question, questionsOf } from './served/questions.ts';
import { withReads } from './world/reads.ts';
import type { World } from './world/world.ts';

/** What came of one change. */
export interface Observed {
  readonly place: string;
  readonly what: string;
  readonly change: Change;
  /** Names of checks. */
  readonly found: ReadonlySet<string>;
  /** Fields that are served otherwise. */
  readonly served: readonly ServedField[];
}

type Reads = ReadonlyMap<string, ReadonlySet<string>>;

/** Changes everything in turn, and observes. Throws when something is found or served otherwise before any change. */
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
  const left = differences(before, await look(world.harness.app, questions)).filter(
    ({ field }) => field !== DURATION,
  );
  if (left.length > 0) throw new Error(`a change was not undone: ${JSON.stringify(left)}`);
  return observed;
}

interface Baseline {
  readonly before: Look;
  readonly reads: Reads;
}

async function baseline(world: World, questions: readonly Question[]): Promise<Baseline> {
  const reads = new Map<string, Set<string>>();
  const before = new Map<string, Look extends ReadonlyMap<string, infer Served> ? Served : never>();
  for (const question of questions) {
    const [answer, places] = await withReads(() => look(world.harness.app, [question]));
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

/** How long something took is another time each time. */
const DURATION = 'durationMs';

const isReport = (operation: string, found: ReadonlyMap<string, Finding>): boolean =>
  (found.has('verification') && operation.endsWith('/hash-chain/verify')) ||
  (found.has('books') && operation === 'GET /dashboard/books');

/** Run before anything is asked: answers are noted in the state, and the note has a seal that fits again. */
const UNASKED = ['start', 'readiness'];

async function observe(
  world: World,
  { place, parts, change, readAs }: Case,
  { before, reads, questions }: Baseline & { readonly questions: readonly Question[] },
): Promise<Observed[]> {
  const isAffected = (name: string): boolean => readAs === null || reads.get(name)!.has(readAs);
  const found = new Map<string, Finding>();
  const run = async (names: readonly string[], after: Look): Promise<void> => {
    for (const name of names) {
      // What looks at answers alone reads nothing by itself.
      if (reads.get(name)!.size > 0 && !isAffected(name)) continue;
      const fault = await CHECKS[name]!({ world, before, after });
      if (fault !== null) found.set(name, fault);
    }
  };
  await run(UNASKED, before);
  const asked = questions.filter(({ name }) => isAffected(name));
  const after = new Map([...before, ...(await look(world.harness.app, asked))]);
  await run(
    Object.keys(CHECKS).filter((name) => !UNASKED.includes(name)),
    after,
  );
  // What a check found is what its answer says, not what a change made it serve.
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

/** Of several changes at once, a check has found those whose entry it names. */
const isFoundBy = ({ entries }: Finding, { index }: Part, parts: readonly Part[]): boolean =>
  parts.length === 1 || (index !== null && entries.includes(index));

/** Of several columns, the one with the name of the field is it, or any. */
function isServedAs(field: string, { what }: Part, parts: readonly Part[]): boolean {
  const name = field.split(/[.\]]/).at(-1);
  return parts.some((part) => part.what === name) ? what === name : true;
}
