/**
 * Numeric constants of the source, including private ones, for comparison with a page. Evaluates only arithmetic over
 * numbers and other constants of the same file; `known` contains names from elsewhere.
 */
export type Known = Readonly<Record<string, number>>;

const DECLARATION = (name: string): RegExp => new RegExp(`(?:^|\\n)(?:export )?const ${name}\\b[^=\\n]*= `);

/** The text after `const NAME = `, up to the end of its first line or of its object. */
function initializer(text: string, name: string): string | null {
  const found = DECLARATION(name).exec(text);
  if (found === null) return null;
  const rest = text.slice(found.index + found[0].length);
  const end = rest.search(/;\n/);
  return rest.slice(0, end === -1 ? rest.length : end);
}

/** The value of `NAME` or `NAME.field`. Throws when it is missing or cannot be evaluated. */
export function constantOf(text: string, name: string, known: Known): number {
  if (known[name] !== undefined) return known[name];
  const [constant = '', field] = name.split('.');
  const whole = initializer(text, constant);
  if (whole === null) throw new Error(`there is no constant ${constant}`);
  if (field === undefined) return evaluate(whole, text, known);
  const value = new RegExp(`\\b${field}: ([^,}\\n]+)`).exec(whole)?.[1];
  if (value === undefined) throw new Error(`${constant} has no ${field}`);
  return evaluate(value, text, known);
}

/** Sums and products of numbers and names; `String(...)` around them is ignored. */
function evaluate(expression: string, text: string, known: Known): number {
  const tokens = expression.match(/\*\*|[\w.]+|[-+*/()]/g)?.filter((token) => token !== 'String') ?? [];
  let at = 0;
  const value = (): number => {
    const token = tokens[at++] ?? '';
    if (token === '(') {
      const inner = sum();
      at++;
      return inner;
    }
    if (!/^\d/.test(token)) return constantOf(text, token, known);
    const number = Number(token.replaceAll('_', ''));
    if (Number.isNaN(number)) throw new Error(`${token} of "${expression}" is no number`);
    return number;
  };
  const power = (): number => {
    const base = value();
    if (tokens[at] !== '**') return base;
    at++;
    return base ** value();
  };
  const chain = (
    next: () => number,
    operators: Readonly<Record<string, (a: number, b: number) => number>>,
  ): number => {
    let result = next();
    for (
      let operate = operators[tokens[at] ?? ''];
      operate !== undefined;
      operate = operators[tokens[at] ?? '']
    ) {
      at++;
      result = operate(result, next());
    }
    return result;
  };
  const product = (): number => chain(power, { '*': (a, b) => a * b, '/': (a, b) => a / b });
  const sum = (): number => chain(product, { '+': (a, b) => a + b, '-': (a, b) => a - b });
  const result = sum();
  if (at < tokens.length) throw new Error(`"${expression}" is more than arithmetic`);
  return result;
}

const UNITS = {
  time: [
    ['ms', 1],
    ['s', 1_000],
    ['minutes', 60_000],
    ['hours', 3_600_000],
    ['days', 86_400_000],
  ],
  bytes: [
    ['KiB', 2 ** 10],
    ['MiB', 2 ** 20],
    ['GiB', 2 ** 30],
  ],
} as const;

/** Ways a page may write the value of a constant of this name: 65,536 as 64 KiB, 90,000 ms as 90 s, 0.8 as 80 %. */
export function spellings(name: string, value: number): string[] {
  const isTime = /(?:_MS|Ms|_SECONDS|Seconds)$/.test(name);
  const scaled = /(?:_SECONDS|Seconds)$/.test(name) ? value * 1_000 : value;
  const units = (isTime ? UNITS.time : UNITS.bytes)
    .filter(([, size]) => scaled >= size && scaled % size === 0)
    .map(([unit, size]) => `${(scaled / size).toLocaleString('en-US')} ${unit}`);
  if (isTime)
    return [
      ...units,
      ...(scaled === 3_600_000 ? ['an hour'] : []),
      ...(scaled === 60_000 ? ['a minute'] : []),
    ];
  return [...units, value < 1 ? `${value * 100} %` : value.toLocaleString('en-US')];
}
