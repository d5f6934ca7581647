/**
 * The subset of Thrift's compact protocol that a Parquet footer uses: structs are read, changed, and written back. It
 * does not know what the fields mean, so fields of later versions pass through.
 */

const STOP = 0;
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I16 = 4;
const I32 = 5;
export const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
export const LIST = 9;
const SET = 10;
export const STRUCT = 12;

export type Struct = Map<number, Field>;

export interface Field {
  readonly type: number;
  readonly value: Value;
}

export interface List {
  readonly elementType: number;
  readonly items: readonly Value[];
}

/** Integers, booleans, texts and doubles by their bytes, lists, structs; an already written struct. */
type Value = bigint | boolean | Buffer | List | Struct | Written;

interface Written {
  readonly written: Buffer;
}

/** Throws `RangeError` if the bytes end too early or contain an unknown type. */
export function readStruct(bytes: Buffer): Struct {
  let at = 0;

  const byte = (): number => {
    const value = bytes[at++];
    if (value === undefined) throw new RangeError('the struct is truncated');
    return value;
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const part = byte();
      value |= BigInt(part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
  };
  const zigzag = (): bigint => {
    const value = varint();
    return (value >> 1n) ^ -(value & 1n);
  };
  const take = (length: number): Buffer => {
    at += length;
    if (at > bytes.length) throw new RangeError('the struct is truncated');
    return bytes.subarray(at - length, at);
  };
  const value = (type: number): Value => {
    if (type === TRUE || type === FALSE) return type === TRUE;
    if (type === BYTE) return BigInt(byte());
    if (type === I16 || type === I32 || type === I64) return zigzag();
    if (type === DOUBLE) return take(8);
    if (type === BINARY) return take(Number(varint()));
    if (type === LIST || type === SET) return list();
    if (type === STRUCT) return struct();
    throw new RangeError(`unknown field type ${type}`);
  };
  const list = (): List => {
    const head = byte();
    const elementType = head & 0x0f;
    const length = head >> 4 === 15 ? Number(varint()) : head >> 4;
    const isFlags = elementType === TRUE || elementType === FALSE;
    const items = Array.from({ length }, () => (isFlags ? byte() === TRUE : value(elementType)));
    return { elementType, items };
  };
  const struct = (): Struct => {
    const fields: Struct = new Map();
    for (let id = 0, head = byte(); head !== STOP; head = byte()) {
      const delta = head >> 4;
      id = delta === 0 ? Number(zigzag()) : id + delta;
      fields.set(id, { type: head & 0x0f, value: value(head & 0x0f) });
    }
    return fields;
  };
  return struct();
}

export function writeStruct(struct: Struct): Buffer {
  const parts: Buffer[] = [];
  const bytes = (...values: number[]): void => void parts.push(Buffer.from(values));
  const varint = (rest: bigint): void => {
    const written: number[] = [];
    for (; rest >= 0x80n; rest >>= 7n) written.push(Number(rest & 0x7fn) | 0x80);
    bytes(...written, Number(rest));
  };
  const zigzag = (value: bigint): void => varint(BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));

  const write = (type: number, value: Value): void => {
    if (typeof value === 'boolean') return;
    if (typeof value === 'bigint') {
      if (type === BYTE) bytes(Number(value));
      else zigzag(value);
    } else if (Buffer.isBuffer(value)) {
      if (type === BINARY) varint(BigInt(value.length));
      parts.push(value);
    } else if (value instanceof Map) writeFields(value);
    else if ('written' in value) parts.push(value.written);
    else writeList(value);
  };
  const writeList = ({ elementType, items }: List): void => {
    if (items.length < 15) bytes((items.length << 4) | elementType);
    else {
      bytes(0xf0 | elementType);
      varint(BigInt(items.length));
    }
    for (const item of items) {
      if (typeof item === 'boolean') bytes(item ? TRUE : FALSE);
      else write(elementType, item);
    }
  };
  const writeFields = (fields: Struct): void => {
    let last = 0;
    for (const [id, { type, value }] of [...fields].sort(([a], [b]) => a - b)) {
      if (id > last && id - last < 16) bytes(((id - last) << 4) | type);
      else {
        bytes(type);
        zigzag(BigInt(id));
      }
      write(type, value);
      last = id;
    }
    bytes(STOP);
  };
  writeFields(struct);
  return Buffer.concat(parts);
}
