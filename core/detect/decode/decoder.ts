import { type Places, type PlaceWriter, placeWriter, SAME_PLACES } from '../normalise/places.ts';
import { textWriter } from '../text-writer.ts';

/** A text that a stretch of another one hides. */
export interface HiddenText {
  readonly text: string;
  /** Places in the text that hides it. */
  readonly places: Places;
  /** Only orders are looked for: values of a mirrored or shifted text would be chance. */
  readonly ordersOnly: boolean;
  /** What is hidden may hide something in turn. */
  readonly nested: boolean;
}

/** Finds the texts that are written in one way of hiding. Time in proportion to the text; yields on the way. */
export type Decoder = (text: string) => Generator<void, readonly HiddenText[]>;

/** Puts a hidden text together piece by piece. */
export interface HiddenTextWriter extends Pick<PlaceWriter, 'taken' | 'made'> {
  /** The units that `taken` and `made` tell the places of. */
  write(part: string): void;
  finish(options: Pick<HiddenText, 'ordersOnly' | 'nested'>): HiddenText;
}

export function hiddenTextWriter(): HiddenTextWriter {
  const writer = placeWriter();
  const { add, text } = textWriter();
  return {
    write: add,
    taken: writer.taken,
    made: writer.made,
    finish: (options) => ({ text: text(), places: writer.places(), ...options }),
  };
}

/** A text of the same length over the whole text. */
export const sameLength = (text: string): HiddenText => ({
  text,
  places: SAME_PLACES,
  ordersOnly: true,
  nested: false,
});

/** Units looked at between two yields. */
export const STRETCH = 8_192;
