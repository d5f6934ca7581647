/** Generated values: ids, hashes, salts, seals and versions. */
const DRAWN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w+/-]{20,}=*|\b\d{15,}\b/g;

const contentOf = (record: unknown): string => JSON.stringify(record).replaceAll(DRAWN, '');

/** The order of the story, independent of generated values. */
export function byStory(one: unknown, other: unknown): number {
  const [left, right] = [contentOf(one), contentOf(other)];
  return left === right ? 0 : left < right ? -1 : 1;
}
