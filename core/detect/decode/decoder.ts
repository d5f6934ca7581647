import { type Places, type PlaceWriter, placeWriter } from '../normalise/places.ts';

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
  readonly parts: string[];
  finish(options: Pick<HiddenText, 'ordersOnly' | 'nested'>): HiddenText;
}

export function hiddenTextWriter(): HiddenTextWriter {
  const writer = placeWriter();
  const parts: string[] = [];
  return {
    parts,
    taken: writer.taken,
    made: writer.made,
    finish: (options) => ({ text: parts.join(''), places: writer.places(), ...options }),
  };
}

/** A text of the same length over the whole text. */
export const sameLength = (text: string): HiddenText => {
  const writer = placeWriter();
  writer.taken(text.length, 0);
  return { text, places: writer.places(), ordersOnly: true, nested: false };
};

/** Units looked at between two yields. */
export const STRETCH = 65_536;
