import type { LedgerKind } from '../vocabulary.ts';
import { AUDITOR_ACCESS_V1 } from './auditor-access.v1.ts';
import type { EntryOf, KindVersion } from './definition.ts';
import { ERASURE_V1 } from './erasure.v1.ts';
import { EVIDENCE_EVENT_V1 } from './evidence-event.v1.ts';
import { INCIDENT_EVENT_V1 } from './incident-event.v1.ts';
import { KEY_EVENT_V1 } from './key-event.v1.ts';
import { POLICY_EVENT_V1 } from './policy-event.v1.ts';
import { SIGNAL_V1 } from './signal.v1.ts';
import { SIGNAL_V2 } from './signal.v2.ts';
import { SIGNAL_V3 } from './signal.v3.ts';
import { SIGNAL_V4 } from './signal.v4.ts';

interface KindVersions {
  /**
   * The version of new entries, unless their producer has a reason for a later one. A new version is set here one
   * release after every reader knows it.
   */
  readonly emitted: KindVersion;
  /** The versions that are folded, verified and served: from 1, without gaps. No version is ever removed. */
  readonly read: readonly KindVersion[];
}

/** All kinds of ledger entries, each with all its versions. */
export const KINDS: Readonly<Record<LedgerKind, KindVersions>> = {
  SIGNAL: { emitted: SIGNAL_V2, read: [SIGNAL_V1, SIGNAL_V2, SIGNAL_V3, SIGNAL_V4] },
  ERASURE: { emitted: ERASURE_V1, read: [ERASURE_V1] },
  INCIDENT_EVENT: { emitted: INCIDENT_EVENT_V1, read: [INCIDENT_EVENT_V1] },
  POLICY_EVENT: { emitted: POLICY_EVENT_V1, read: [POLICY_EVENT_V1] },
  KEY_EVENT: { emitted: KEY_EVENT_V1, read: [KEY_EVENT_V1] },
  AUDITOR_ACCESS: { emitted: AUDITOR_ACCESS_V1, read: [AUDITOR_ACCESS_V1] },
  EVIDENCE_EVENT: { emitted: EVIDENCE_EVENT_V1, read: [EVIDENCE_EVENT_V1] },
};

for (const [kind, { read }] of Object.entries(KINDS)) {
  const isOrdered = read.every((version, index) => version.kind === kind && version.v === index + 1);
  if (!isOrdered) throw new Error(`the versions of ${kind} are not listed from 1 on`);
}

export const isKnownKind = (kind: string): kind is LedgerKind => Object.hasOwn(KINDS, kind);

/** Version `v` of a kind, or null if it is not defined. */
export const versionOf = (kind: LedgerKind, v: number): KindVersion | null => KINDS[kind].read[v - 1] ?? null;

/** An entry of any kind as its producer supplies it, without id, owner and time. */
export type LedgerContent =
  | EntryOf<typeof SIGNAL_V2>
  | EntryOf<typeof ERASURE_V1>
  | EntryOf<typeof INCIDENT_EVENT_V1>
  | EntryOf<typeof POLICY_EVENT_V1>
  | EntryOf<typeof KEY_EVENT_V1>
  | EntryOf<typeof AUDITOR_ACCESS_V1>
  | EntryOf<typeof EVIDENCE_EVENT_V1>;
