import { z } from 'zod';
import { attestation } from '#schemas/api/evidence/attestations.ts';
import type { ContentLine, Manifest } from '#schemas/api/evidence/evidence-package.ts';
import { groupBy } from '#schemas/group-by.ts';
import { CATALOGUES, type Catalogue, type Control } from '../frameworks/catalogues.ts';
import { isHigh, isMapped, openIncidents } from '../frameworks/mapped-signals.ts';
import type { Archive } from './archive.ts';
import { PackageFault } from './package-fault.ts';
import { jsonOf } from './read-files.ts';

/** Recounts the numbers of attestations from the signals and incidents in the archive. */
export interface Recount {
  /** Call before any signal. `core`: of an incident event, in ledger order. */
  incident(core: ContentLine['core']): void;
  signal(line: ContentLine): void;
  /** Number of incidents. */
  incidents(): number;
  /** The expected numbers of a control's attestation; null: from a catalog that this program does not have. */
  counted(controlId: string): Counted | null;
}

interface Counted {
  readonly signalCount: number;
  readonly violationCount: number;
  readonly violationsByCode: Readonly<Record<string, number>>;
  readonly openIncidents: number;
}

const ATTESTATIONS = 'attestations.json';
const MAX_ATTESTATIONS_BYTES = 4 * 1024 * 1024;

const signalMarks = z.object({ riskLevel: z.string(), violations: z.array(z.string()) });
const detectionMarks = z.array(z.object({ detector: z.string() }));
const incidentMarks = z.object({ incidentId: z.string(), signalId: z.string(), status: z.string() });

type IncidentMarks = Omit<z.output<typeof incidentMarks>, 'incidentId'>;

interface Tally {
  readonly control: Control;
  signals: number;
  readonly byCode: Map<string, number>;
  readonly incidents: { signalId: string; status: string; isHigh: boolean }[];
}

export function createRecount({ framework, catalogueVersion }: Manifest): Recount {
  const catalogue = CATALOGUES.find((one) => one.framework === framework && one.version === catalogueVersion);
  const tallies = (catalogue?.controls ?? []).map(
    (control): Tally => ({ control, signals: 0, byCode: new Map(), incidents: [] }),
  );
  /** The latest event of each incident. */
  const incidents = new Map<string, IncidentMarks>();
  let known: ReadonlyMap<string, readonly IncidentMarks[]> | null = null;
  let signals = 0;
  return {
    incident: (core) => {
      const { incidentId, ...rest } = readMarks('incidents.ndjson', incidentMarks, core);
      incidents.set(incidentId, rest);
    },
    signal: ({ id, core, detail }) => {
      known ??= groupBy(incidents.values(), ({ signalId }) => signalId);
      signals += 1;
      const marks = readMarks('signals.ndjson', signalMarks, core);
      const found = detail === null ? [] : readMarks('signals.ndjson', detectionMarks, detail.detections);
      const detectors = found.map(({ detector }) => detector);
      for (const tally of tallies) {
        const { mapping } = tally.control;
        if (mapping === null || !isMapped(mapping, { ...marks, detectors })) continue;
        tally.signals += 1;
        for (const code of new Set(marks.violations))
          tally.byCode.set(code, (tally.byCode.get(code) ?? 0) + 1);
        for (const one of known.get(id) ?? []) tally.incidents.push({ ...one, isHigh: isHigh(marks) });
      }
    },
    incidents: () => incidents.size,
    counted: (controlId) => {
      const tally = tallies.find(({ control }) => control.id === controlId);
      return tally === undefined ? null : countedOf(tally, signals);
    },
  };
}

function countedOf(
  { control, signals: violationCount, byCode, incidents }: Tally,
  signalCount: number,
): Counted {
  const codes = (control.mapping?.codes ?? []).filter((code) => byCode.has(code));
  return {
    signalCount,
    violationCount,
    violationsByCode: Object.fromEntries(codes.map((code) => [code, byCode.get(code)!])),
    openIncidents: openIncidents(incidents),
  };
}

function readMarks<Schema extends z.ZodType>(file: string, schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PackageFault(file, 'a line lacks a field needed to recount attestations');
}

/** Throws `PackageFault` if an attestation has another number; otherwise returns what was recounted. */
export async function recountAttestations(
  archive: Archive,
  signed: Manifest,
  { recount }: { readonly recount: Recount },
): Promise<{ readonly fact: string; readonly attestations: number; readonly isKnown: boolean }> {
  const schema = z.array(attestation).max(1_000);
  const all = await jsonOf(archive, ATTESTATIONS, { schema, maxBytes: MAX_ATTESTATIONS_BYTES });
  let counted = 0;
  for (const one of all) {
    if (one.framework !== signed.framework || one.generatedAt !== signed.generatedAt)
      throw new PackageFault(ATTESTATIONS, `${one.controlId} belongs to another framework or checkpoint`);
    const again = recount.counted(one.controlId);
    if (again === null) continue;
    counted += 1;
    const fault = countFault(one, again, signed.includeIncidents);
    if (fault !== null) throw new PackageFault(ATTESTATIONS, `${one.controlId}: ${fault}`);
  }
  const isKnown = CATALOGUES.some((one) => isOf(one, signed));
  if (isKnown && counted !== all.length)
    throw new PackageFault(ATTESTATIONS, 'it contains a control that is not in the catalog');
  const fact = isKnown
    ? `${counted} attestations recounted with catalog ${signed.catalogueVersion}`
    : `attestations not recounted: this program does not have catalog ${signed.catalogueVersion}`;
  return { fact, attestations: all.length, isKnown };
}

const isOf = ({ framework, version }: Catalogue, signed: Manifest): boolean =>
  framework === signed.framework && version === signed.catalogueVersion;

function countFault(stated: Counted, again: Counted, withIncidents: boolean): string | null {
  const numbers = [
    'signalCount',
    'violationCount',
    ...(withIncidents ? (['openIncidents'] as const) : []),
  ] as const;
  const wrong = numbers.find((name) => stated[name] !== again[name]);
  if (wrong !== undefined) return `${wrong} is ${stated[wrong]}, but the archive has ${again[wrong]}`;
  const codes = new Set([...Object.keys(stated.violationsByCode), ...Object.keys(again.violationsByCode)]);
  for (const code of codes)
    if (stated.violationsByCode[code] !== again.violationsByCode[code])
      return `violationsByCode of ${code} does not match the archive`;
  return null;
}
