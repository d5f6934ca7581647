/** The work, in characters, of one call of a built-in method. */
type Price = (receiver: string | RegExp, result: unknown, text: unknown, from: number) => number;

const lengthOf = (result: unknown): number => (typeof result === 'string' ? result.length : 1);
const whole: Price = (receiver, result) => (receiver as string).length + lengthOf(result);
/** Characters between the start and the end of a search. */
const searched: Price = (receiver, result, _text, from) =>
  ((result as number) === -1 ? (receiver as string).length : (result as number)) - from + 1;
const matched: Price = (receiver, result, text, from) => {
  const pattern = receiver as RegExp;
  const end = pattern.lastIndex === 0 ? String(text).length : pattern.lastIndex;
  return pattern.sticky ? 1 + Math.max(0, end - from) * Number(Boolean(result)) : Math.max(1, end - from);
};

const STRINGS: Readonly<Record<string, Price>> = {
  codePointAt: () => 1,
  at: () => 1,
  startsWith: () => 1,
  endsWith: () => 1,
  slice: (_text, result) => lengthOf(result),
  substring: (_text, result) => lengthOf(result),
  indexOf: (text, result, _wanted, from) => searched(text, result, _wanted, from),
  includes: whole,
  lastIndexOf: whole,
  replaceAll: whole,
  replace: whole,
  split: whole,
  trim: whole,
  normalize: whole,
  toLowerCase: whole,
  match: whole,
  search: whole,
};
const PATTERNS: Readonly<Record<string, Price>> = { exec: matched, test: matched };

type Methods = Record<string, (...given: unknown[]) => unknown>;

const { charCodeAt } = String.prototype;

/**
 * The most frequently called method gets its own wrapper, which V8 optimises. With the generic wrapper, counting took
 * two thirds of a test's time.
 */
function countingCharCodes(count: (work: number) => void): () => void {
  String.prototype.charCodeAt = function (this: string, index: number): number {
    count(1);
    return charCodeAt.call(this, index);
  };
  return () => {
    String.prototype.charCodeAt = charCodeAt;
  };
}

/** Replaces methods with counting ones; returns a function that restores them. */
function counting(methods: Methods, prices: Readonly<Record<string, Price>>, count: (work: number) => void) {
  const before = Object.entries(prices).map(([name, price]) => {
    const method = methods[name]!;
    methods[name] = function (this: unknown, ...given: unknown[]): unknown {
      const receiver = this as string | RegExp;
      const from = receiver instanceof RegExp ? receiver.lastIndex : Number(given[1] ?? 0);
      const result: unknown = Reflect.apply(method, this, given);
      count(price(receiver, result, given[0], from));
      return result;
    };
    return [name, method] as const;
  });
  return () => Object.assign(methods, Object.fromEntries(before));
}

/**
 * The number of characters that are read, compared or copied during `run`. Unlike time, it does not depend on the clock
 * or on other programs. Backtracking of a pattern at one offset is not counted; the architecture tests check patterns
 * for it.
 */
export function workOf(run: () => void): number {
  let work = 0;
  const count = (more: number): void => {
    work += more;
  };
  const restore = [
    countingCharCodes(count),
    counting(String.prototype as unknown as Methods, STRINGS, count),
    counting(RegExp.prototype as unknown as Methods, PATTERNS, count),
  ];
  try {
    run();
  } finally {
    for (const putBack of restore) putBack();
  }
  return work;
}
