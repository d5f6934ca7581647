import type { Source } from './sources.ts';

const CLASS = /\bclass (\w+)(?:<[^>]*>)? extends (\w+)/g;

/** Names of the classes that extend `Error`, directly or through another class. */
export function errorClasses(sources: readonly Source[]): ReadonlySet<string> {
  const parents = new Map<string, string>();
  for (const { text } of sources)
    for (const [, name, parent] of text.matchAll(CLASS)) parents.set(name!, parent!);
  const isError = (name: string | undefined): boolean =>
    name !== undefined && (/Error$/.test(name) || isError(parents.get(name)));
  return new Set([...parents.keys()].filter(isError));
}
