import type { EntityType } from '#schemas/vocabulary.ts';
import type { Match } from '../match.ts';

/** Values that are never part of an address, even if they follow it directly. */
const OTHERS: ReadonlySet<EntityType> = new Set([
  'PHONE',
  'EMAIL',
  'SSN',
  'NATIONAL_ID',
  'PASSPORT',
  'DRIVER_LICENSE',
  'CREDIT_CARD',
  'IBAN',
  'IP_ADDRESS',
  'DATE_OF_BIRTH',
]);
/** A number below this confidence may be the postcode. */
const SURE = 0.7;
/** Text that joins an address to the value after it, and names that value. */
const JOINT =
  /(?:[\s,;:|/(–-]|(?<![\p{L}\p{N}])(?:tel|tél|telefon|téléphone|telefono|teléfono|phone|mobile|mobil|cell|fax|e-?mail|mail|nif|nie|dni|ssn|nir|bsn|cpf|pesel|cf|id|no|nr)[.:]{0,2}){1,24}$/iu;
const JOINT_REACH = 48;
const SHORTEST = 6;

/** The end of an address before another value at its end; the address's own end if there is none. */
function endOf(address: Match, other: Match, text: string): number {
  const isAtEnd = other.start > address.start && other.start < address.end && other.end >= address.end - 1;
  if (!isAtEnd) return address.end;
  const from = Math.max(address.start, other.start - JOINT_REACH);
  const joint = JOINT.exec(text.slice(from, other.start));
  const end = joint === null ? other.start : from + joint.index;
  return end - address.start < SHORTEST ? address.end : end;
}

/** The values of a text, in order. Each address ends where a phone number, an ID or the like starts. */
export function withAddressesCut(values: Match[], text: string): Match[] {
  if (values.length < 2 || !values.some(({ entity }) => entity === 'ADDRESS')) return values;
  const sorted = values.toSorted((a, b) => a.start - b.start);
  return sorted.map((address, index) => {
    if (address.entity !== 'ADDRESS') return address;
    let { end } = address;
    for (let at = index + 1; at < sorted.length && sorted[at]!.start < address.end; at++) {
      const other = sorted[at]!;
      if (other.entity !== null && OTHERS.has(other.entity) && other.confidence >= SURE)
        end = Math.min(end, endOf(address, other, text));
    }
    return end === address.end ? address : { ...address, end };
  });
}
