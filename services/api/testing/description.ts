import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** An OpenAPI description with the lookups that tests need. */

type Json = Readonly<Record<string, unknown>>;

interface Reference {
  readonly $ref: string;
}

export interface DescribedAnswer {
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
  readonly 'x-error-codes'?: readonly string[];
}

export interface DescribedHeader {
  readonly required?: boolean;
  readonly schema: { readonly type: string };
}

/** An answer, and its path in the description. */
interface PlacedAnswer {
  readonly answer: DescribedAnswer;
  readonly location: readonly string[];
}

export interface Description {
  /** The operation that a request matches, as a function from a status to its answer; null: none. */
  operationOf(method: string, url: string): ((status: number) => PlacedAnswer | null) | null;
  header(reference: Reference): DescribedHeader;
  /**
   * Faults of a value according to the schema at this path of the description; a field that the schema does not name is
   * one.
   */
  faultsOf(value: unknown, path: readonly string[]): string[];
}

interface Parsed {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly responses: Readonly<Record<string, DescribedAnswer | Reference>>;
      };
    };
  };
  readonly components: {
    readonly headers: Readonly<Record<string, DescribedHeader>>;
    readonly responses: Readonly<Record<string, DescribedAnswer>>;
  };
}

const nameOf = ({ $ref }: Reference): string => $ref.split('/').at(-1)!;

/** Reads a description parsed from JSON. */
export function readDescription(served: unknown): Description {
  const { paths, components } = served as Parsed;
  // Each test file compiles its own, in a third of the time without optimising the compiled code. The description's own
  // tests prove that it is valid.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    code: { optimize: false },
    meta: false,
    validateSchema: false,
  });
  formats.default(ajv);
  ajv.addSchema({ $id: 'description', ...(closed(served) as Json) });
  const compiled = new Map<string, ValidateFunction>();
  const find = operationFinder(paths);

  return {
    operationOf: (method, url) => {
      const found = find(method, url);
      if (found === null) return null;
      const { path, verb, operation } = found;
      return (status) => {
        const answer = operation.responses[status];
        if (answer === undefined) return null;
        if (!('$ref' in answer))
          return { answer, location: ['paths', path, verb, 'responses', String(status)] };
        return {
          answer: components.responses[nameOf(answer)]!,
          location: ['components', 'responses', nameOf(answer)],
        };
      };
    },
    header: (reference) => components.headers[nameOf(reference)]!,
    faultsOf: (value, path) => {
      const $ref = `description#/${path.map(pointerPart).join('/')}`;
      const validate = compiled.get($ref) ?? ajv.compile({ $ref });
      compiled.set($ref, validate);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}

interface FoundOperation<Operation> {
  readonly path: string;
  /** The method in lower case. */
  readonly verb: string;
  readonly operation: Operation;
}

/** Looks up the operation that a request matches, by the paths of a description; null: none. */
export function operationFinder<Operation>(
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
): (method: string, url: string) => FoundOperation<Operation> | null {
  // A literal path segment takes precedence over a parameter.
  const known = Object.keys(paths)
    .map((path) => ({ path, pattern: patternOf(path) }))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  return (method, url) => {
    const asked = url.split('?', 1)[0]!;
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    // OpenAPI: a literal path takes precedence over one with parameters.
    const isAt = (path: string, pattern: RegExp) =>
      Object.hasOwn(paths, asked) ? path === asked : pattern.test(asked);
    const found = known.find(({ path, pattern }) => isAt(path, pattern) && paths[path]?.[verb]);
    if (found === undefined || !isDecodable(asked)) return null;
    return { path: found.path, verb, operation: paths[found.path]![verb]! };
  };
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

/** An address with invalid escapes matches no operation. */
const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

const pointerPart = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Objects may gain fields in later versions, but everything that this version answers must be described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, closed(child)]));
  const isOpen = typeof copy.properties === 'object' && copy.additionalProperties === undefined;
  return isOpen && copy.type === 'object' ? { ...copy, additionalProperties: false } : copy;
}
