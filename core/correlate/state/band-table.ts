/**
 * Index from bands to clusters: a hash table with open addressing and linear probing (Knuth, The Art of Computer
 * Programming 3, section 6.4, algorithms L and R) of numbers that combine band and cluster. A thousand clusters have
 * twenty thousand bands, and a list per band would take four times the memory.
 */
export interface BandTable<Item> {
  /** 0: free; otherwise (band x 2^10 + index of the item) + 1. The length is a power of two. */
  slots: Int32Array;
  /** Slots in use. */
  used: number;
  readonly items: (Item | null)[];
  readonly freeIndexes: number[];
  /** By index, the last search that visited the item. */
  readonly seen: number[];
  searches: number;
}

const PLACE_BITS = 10;
export const MAX_ITEMS = 2 ** PLACE_BITS;
/** A band and an index together fit into 31 bits. */
const MAX_BAND = 2 ** 20;
const FIRST_SLOTS = 64;
/** 2^32 divided by the golden ratio: neighbouring bands are spread far apart (Knuth's multiplicative hashing). */
const SPREAD = 0x9e3779b1 | 0;

export const emptyTable = <Item>(): BandTable<Item> => ({
  slots: new Int32Array(FIRST_SLOTS),
  used: 0,
  items: [],
  freeIndexes: [],
  seen: [],
  searches: 0,
});

/** Bytes of the table itself. */
export const bytesOf = ({ slots }: BandTable<unknown>): number => slots.byteLength;

const homeOf = (slot: number, slots: Int32Array): number =>
  Math.imul((slot - 1) >> PLACE_BITS, SPREAD) >>> (Math.clz32(slots.length) + 1);

/**
 * Adds an item under its bands and returns its index. Throws a RangeError if the table is full or a band is invalid.
 */
export function addItem<Item>(table: BandTable<Item>, item: Item, bands: readonly number[]): number {
  const index = table.freeIndexes.pop() ?? table.items.length;
  if (index >= MAX_ITEMS) throw new RangeError(`a table holds at most ${MAX_ITEMS} items`);
  table.items[index] = item;
  table.seen[index] = 0;
  // At most half of the slots are used; otherwise unsuccessful searches get slow.
  while (2 * (table.used + bands.length) > table.slots.length) grow(table);
  for (const band of bands) {
    if (!(band >= 0 && band < MAX_BAND)) throw new RangeError(`a band must be below ${MAX_BAND}`);
    insert(table, ((band << PLACE_BITS) | index) + 1);
  }
  return index;
}

/** Removes the item at an index, with the bands under which it was added. */
export function removeItem(table: BandTable<unknown>, index: number, bands: readonly number[]): void {
  for (const band of bands) remove(table, ((band << PLACE_BITS) | index) + 1);
  table.items[index] = null;
  table.freeIndexes.push(index);
}

/** Calls `visit` once for each item that shares one of these bands, in no particular order. */
export function visitSharing<Item>(
  table: BandTable<Item>,
  bands: readonly number[],
  visit: (item: Item) => void,
): void {
  const { slots, items, seen } = table;
  const mask = slots.length - 1;
  table.searches += 1;
  for (const band of bands) {
    let at = homeOf((band << PLACE_BITS) + 1, slots);
    for (let slot = slots[at]!; slot !== 0; slot = slots[at]!) {
      at = (at + 1) & mask;
      if ((slot - 1) >> PLACE_BITS !== band) continue;
      const index = (slot - 1) & (MAX_ITEMS - 1);
      if (seen[index] === table.searches) continue;
      seen[index] = table.searches;
      visit(items[index]!);
    }
  }
}

function insert(table: BandTable<unknown>, slot: number): void {
  const { slots } = table;
  const mask = slots.length - 1;
  let at = homeOf(slot, slots);
  while (slots[at] !== 0) {
    // Unnumbered bands of one fingerprint may be equal.
    if (slots[at] === slot) return;
    at = (at + 1) & mask;
  }
  slots[at] = slot;
  table.used += 1;
}

/** Closes the gap: entries that follow without a free slot in between may have been displaced by this one. */
function remove(table: BandTable<unknown>, slot: number): void {
  const { slots } = table;
  const mask = slots.length - 1;
  let gap = homeOf(slot, slots);
  while (slots[gap] !== slot) {
    if (slots[gap] === 0) return;
    gap = (gap + 1) & mask;
  }
  table.used -= 1;
  for (let at = (gap + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
    const home = homeOf(slots[at]!, slots);
    // It may move to the gap unless its home is after the gap.
    if (((at - home) & mask) < ((at - gap) & mask)) continue;
    slots[gap] = slots[at]!;
    gap = at;
  }
  slots[gap] = 0;
}

function grow(table: BandTable<unknown>): void {
  const old = table.slots;
  table.slots = new Int32Array(2 * old.length);
  table.used = 0;
  for (const slot of old) if (slot !== 0) insert(table, slot);
}
