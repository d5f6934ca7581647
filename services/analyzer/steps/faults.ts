/** Stages at which failures can be injected. */
const FAULT_STAGES = ['open', 'detect', 'emit'] as const;
export type FaultStage = (typeof FAULT_STAGES)[number];

/** The first `times` attempts of every audit of `model` fail at `stage`. */
export interface FaultRule {
  readonly stage: FaultStage;
  readonly model: string;
  readonly times: number;
}

export class InjectedFault extends Error {
  constructor() {
    super('a failure provoked by FAULT_INJECTION');
    this.name = 'InjectedFault';
  }
}

/** Reads `stage:model:times,...`; null means no rules. Throws for any other text. */
export function parseFaults(spec: string | null): FaultRule[] {
  if (spec === null || spec === '') return [];
  return spec.split(',').map((rule) => {
    const [stage, model, times, ...rest] = rule.split(':');
    const known = FAULT_STAGES.find((name) => name === stage);
    if (known === undefined || !model || times === undefined || !/^\d{1,4}$/.test(times) || rest.length > 0) {
      throw new Error(`FAULT_INJECTION: "${rule}" does not look like detect:model-name:2`);
    }
    return { stage: known, model, times: Number(times) };
  });
}

interface Attempt {
  readonly model: string;
  /** From 1. */
  readonly attempt: number;
  readonly generation: number;
}

/** Throws `InjectedFault` when a rule asks for it. A replay (generation above 0) is exempt, so that it succeeds. */
export function injectFault(rules: readonly FaultRule[], stage: FaultStage, audit: Attempt): void {
  if (audit.generation !== 0) return;
  const hit = rules.some(
    (rule) => rule.stage === stage && rule.model === audit.model && audit.attempt <= rule.times,
  );
  if (hit) throw new InjectedFault();
}
