import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { World } from '../world/world.ts';
import type { Case } from './case.ts';
import { filesIn, withFile } from './zip-files.ts';

/** Changes of the package folder: of each file of an archive, and of the archive as a whole. */
export async function packageCases(world: World): Promise<Case[]> {
  const folder = path.join(world.harness.folder, 'packages', world.customerId);
  const names = readdirSync(folder);
  const name = names.find((one) => one.startsWith(world.ids.package!))!;
  const other = names.find((one) => one !== name)!;
  const file = path.join(folder, name);
  const bytes = readFileSync(file);
  const older = readFileSync(path.join(folder, other));
  const olderFiles = new Map((await filesIn(older)).map((one) => [one.name, one.bytes]));
  const caseOf = (
    what: string,
    change: Case['change'],
    content: () => Buffer | null | Promise<Buffer>,
  ): Case => ({
    place: 'package file',
    readAs: null,
    parts: [{ what, index: null }],
    change,
    apply: async () => put(file, await content()),
    undo: async () => put(file, bytes),
  });
  return [
    ...(await filesIn(bytes)).flatMap(({ name: what, bytes: content }) => [
      caseOf(what, 'changed', () => withFile(bytes, what, changed(content))),
      caseOf(what, 'removed', () => withFile(bytes, what, null)),
      // A file that is the same in both has no older version.
      ...(olderFiles.get(what)!.equals(content)
        ? []
        : [caseOf(what, 'older', () => withFile(bytes, what, olderFiles.get(what)!))]),
    ]),
    caseOf('archive', 'changed', () => changed(bytes)),
    caseOf('archive', 'removed', () => null),
    caseOf('archive', 'older', () => older),
  ];
}

function put(file: string, bytes: Buffer | null): void {
  if (bytes === null) rmSync(file);
  else writeFileSync(file, bytes);
}

/** Flips one bit in the middle. */
function changed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const position = Math.floor(copy.length / 2);
  copy[position] = copy[position]! ^ 1;
  return copy;
}
