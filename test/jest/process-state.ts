/** Globals of packages, which stay loaded from one test file to the next. */
const OF_PACKAGES = /^__(lmdb|zod)_|^awslambda$/;

/** Records the state of the process. The returned function undoes the changes that a test file left behind. */
export function rememberProcess(): () => void {
  const env = { ...process.env };
  const folder = process.cwd();
  const { exit, exitCode } = process;
  const restoreGlobals = rememberGlobals();
  const removeListeners = rememberSignalListeners();
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    if (process.cwd() !== folder) process.chdir(folder);
    Object.assign(process, { exit, exitCode });
    restoreGlobals();
    removeListeners();
  };
}

function rememberGlobals(): () => void {
  const before = new Map(
    Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)!]),
  );
  return () => {
    for (const key of Reflect.ownKeys(globalThis))
      if (!before.has(key) && !OF_PACKAGES.test(String(key))) Reflect.deleteProperty(globalThis, key);
    for (const [key, descriptor] of before) {
      const { value, get } = Object.getOwnPropertyDescriptor(globalThis, key) ?? {};
      if (value !== descriptor.value || get !== descriptor.get)
        Reflect.defineProperty(globalThis, key, descriptor);
    }
  };
}

/** Only signal listeners, which belong to the tests; packages add other listeners when they load. */
function rememberSignalListeners(): () => void {
  const signals = () =>
    process.eventNames().filter((name) => String(name).startsWith('SIG')) as NodeJS.Signals[];
  const before = new Map(signals().map((name) => [name, process.rawListeners(name)]));
  return () => {
    for (const name of signals())
      for (const listener of process.rawListeners(name))
        if (!before.get(name)?.includes(listener)) process.off(name, listener as () => void);
  };
}
