import { type OffsetMap, OffsetMapWriter, SAME_OFFSETS } from '../normalise/offset-map.ts';
import { TextWriter } from '../text-writer.ts';

/** A text hidden in a span of another one. */
export interface HiddenText {
  readonly text: string;
  /** Places in the text that contains it. */
  readonly offsets: OffsetMap;
  /** Only orders are searched for: values in a reversed or shifted text would be random. */
  readonly ordersOnly: boolean;
  /** The hidden text may contain another one. */
  readonly nested: boolean;
}

/** Finds texts that are hidden by one encoding. Linear time. */
export type Decoder = (text: string) => readonly HiddenText[];

/** Assembles a hidden text piece by piece. */
interface HiddenTextWriter extends Pick<OffsetMapWriter, 'taken' | 'made'> {
  /** The code units whose places `taken` and `made` record. */
  write(part: string): void;
  finish(options: Pick<HiddenText, 'ordersOnly' | 'nested'>): HiddenText;
}

export function hiddenTextWriter(): HiddenTextWriter {
  const writer = new OffsetMapWriter();
  const parts = new TextWriter();
  return {
    write: parts.add.bind(parts),
    taken: writer.taken.bind(writer),
    made: writer.made.bind(writer),
    finish: (options) => ({ text: parts.text(), offsets: writer.offsets(), ...options }),
  };
}

/** A hidden text of the same length, over the whole text. */
export const sameLength = (text: string): HiddenText => ({
  text,
  offsets: SAME_OFFSETS,
  ordersOnly: true,
  nested: false,
});
