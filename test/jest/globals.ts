import type * as Jest from '@jest/globals';

type Globals = Pick<
  typeof Jest,
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'jest' | 'test'
>;

/**
 * `#jest` of a compiled test: `@jest/globals` throws outside jest's own runtime. Each test file has its own functions,
 * and helpers stay loaded from file to file: what they import are live bindings.
 */
export let afterAll: Globals['afterAll'];
export let afterEach: Globals['afterEach'];
export let beforeAll: Globals['beforeAll'];
export let beforeEach: Globals['beforeEach'];
export let describe: Globals['describe'];
export let expect: Globals['expect'];
export let jest: Globals['jest'];
export let test: Globals['test'];

export function useGlobals(of: Globals): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = of);
}
