import fc from 'fast-check';
import { expect, test } from '#jest';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { CUSTOMER, sampleDraft, storedRows } from '../testing/sample-chain.ts';
import { createVerifier } from './verify.ts';

const kinds = fc.array(fc.constantFrom<LedgerKind>('SIGNAL', 'SIGNAL', 'INCIDENT_EVENT', 'KEY_EVENT'), {
  minLength: 1,
  maxLength: 30,
});

function verify(rows: ReturnType<typeof storedRows>) {
  const verifier = createVerifier({ customerId: CUSTOMER });
  verifier.chunk(rows);
  return verifier.finish();
}

test('any chain is valid, and a change to any stored string or number is found at its index', () => {
  fc.assert(
    fc.property(kinds, fc.nat(), fc.nat(), fc.nat(), (chosen, rowSeed, columnSeed, charSeed) => {
      const rows = storedRows(chosen.map((kind, index) => sampleDraft(index, kind)));
      expect(verify(rows)).toMatchObject({ valid: true, treeSize: chosen.length });
      const all = [...rows.ledger, ...rows.signals, ...rows.entries] as unknown as Record<string, unknown>[];
      const row = all[rowSeed % all.length]!;
      const index = row.index as number;
      const columns = Object.keys(row).filter((name) => typeof row[name] === 'string' && row[name] !== '');
      const column = columns[columnSeed % columns.length]!;
      const text = row[column] as string;
      const at = charSeed % text.length;
      row[column] = `${text.slice(0, at)}${text[at] === '~' ? '!' : '~'}${text.slice(at + 1)}`;
      expect(verify(rows).brokenAt?.index).toBe(index);
    }),
  );
});
