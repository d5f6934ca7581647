import { type OffsetMap, OffsetMapWriter, SAME_OFFSETS } from '../normalise/offset-map.ts';
import { TextWriter } from '../text-writer.ts';

/** A text hidden in a span of another text. */
export interface HiddenText {
  readonly text: string;
  /** Offsets in the text that contains it. */
  readonly offsets: OffsetMap;
  /** Search only for orders: values in a reversed or shifted text would be random. */
  readonly ordersOnly: boolean;
  /** Whether the hidden text may contain another one. */
  readonly nested: boolean;
}

/** Finds texts hidden by one encoding. Linear time. */
export type Decoder = (text: string) => readonly HiddenText[];

/** Assembles a hidden text piece by piece. */
interface HiddenTextWriter extends Pick<OffsetMapWriter, 'copied' | 'derived'> {
  /** Appends code units whose offsets `copied` or `derived` record. */
  write(part: string): void;
  finish(options: Pick<HiddenText, 'ordersOnly' | 'nested'>): HiddenText;
}

export function hiddenTextWriter(): HiddenTextWriter {
  const writer = new OffsetMapWriter();
  const parts = new TextWriter();
  return {
    write: parts.add.bind(parts),
    copied: writer.copied.bind(writer),
    derived: writer.derived.bind(writer),
    finish: (options) => ({ text: parts.text(), offsets: writer.offsets(), ...options }),
  };
}

/** A hidden text that covers the whole text and has the same length. */
export const sameLength = (text: string): HiddenText => ({
  text,
  offsets: SAME_OFFSETS,
  ordersOnly: true,
  nested: false,
});
