import type { EventLog, StoredRecord } from '#platform/event-log/port.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import { attemptOf } from '#platform/stream/failure/retry-route.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { generationOf } from '#services/analyzer/steps/signal-headers.ts';
import { instead } from './instead.ts';

/** Stages where an analysis can be made to fail: opening its text, sealing its signal. */
const STAGES = ['open', 'emit'] as const;
type Stage = (typeof STAGES)[number];

/** The first `times` attempts of every audit of `model` fail at `stage`. */
interface Rule {
  readonly stage: Stage;
  readonly model: string;
  readonly times: number;
}

class InjectedFault extends Error {
  override readonly name = 'InjectedFault';
}

/** Reads `stage:model:times,...`. */
function rulesOf(spec: string): Rule[] {
  return spec.split(',').map((rule) => {
    const [given, model, times] = rule.split(':');
    const stage = STAGES.find((name) => name === given);
    if (stage === undefined || !model || !/^\d{1,4}$/.test(times ?? ''))
      throw new Error(`"${rule}" does not look like open:model-name:2`);
    return { stage, model, times: Number(times) };
  });
}

/**
 * Wraps an analyzer's log and keyring so that analyses fail according to `spec`. A replay (generation above 0) is
 * exempt and succeeds.
 */
export function failAnalyses<Of extends { readonly log: EventLog; readonly keyring: Keyring }>(
  dependencies: Of,
  spec: string,
): Of {
  const rules = rulesOf(spec);
  /** Ids of records whose current attempt fails. */
  const [opening, sealing] = [new Set<string>(), new Set<string>()];
  const note = ({ headers }: StoredRecord): void => {
    const { auditId = '', model } = headers;
    const attempt = attemptOf(headers);
    const rule = rules.find((one) => one.model === model && attempt <= one.times);
    const stage = generationOf(headers) === 0 ? rule?.stage : undefined;
    opening.delete(auditId);
    sealing.delete(entryIdOf('SIGNAL', auditId));
    if (stage === 'open') opening.add(auditId);
    if (stage === 'emit') sealing.add(entryIdOf('SIGNAL', auditId));
  };
  const { log, keyring } = dependencies;
  const noting: EventLog['consume'] = (options) => {
    const { handlers } = options;
    const onBatch: typeof handlers.onBatch = (batch, signal) => {
      batch.records.forEach(note);
      return handlers.onBatch(batch, signal);
    };
    return log.consume({ ...options, handlers: { ...handlers, onBatch } });
  };
  const open: Keyring['open'] = async (...call) => {
    if (opening.has(call[2])) throw new InjectedFault();
    return keyring.open(...call);
  };
  const seal: Keyring['seal'] = async (...call) => {
    if (sealing.has(call[2])) throw new InjectedFault();
    return keyring.seal(...call);
  };
  return {
    ...dependencies,
    log: instead(log, { consume: noting }),
    keyring: instead(keyring, { open, seal }),
  };
}
