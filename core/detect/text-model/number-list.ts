/** Whole numbers that are added one by one, without an object for each. */
export interface NumberList {
  readonly length: number;
  push(value: number): void;
  /** Those that were added; the list is not used after it. */
  values(): Uint32Array;
}

export function numberList(expected: number): NumberList {
  let values = new Uint32Array(expected);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (value) => {
      if (length === values.length) {
        const larger = new Uint32Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    values: () => values.subarray(0, length),
  };
}
