import { MAX_RECORD_BYTES } from '../../schemas/topics.ts';
import { AppendError, type Appended, AppendFailure } from './port.ts';

/** One call of `append`: settled when its last record is. */
export interface AppendCall {
  readonly outcomes: (Appended | AppendFailure)[];
  open: number;
  readonly resolve: (appended: Appended[]) => void;
  readonly reject: (error: AppendError) => void;
}

/** `settled` resolves when every record was stored and rejects with `AppendError` when one was not. */
export function openCall(records: number): { call: AppendCall; settled: Promise<Appended[]> } {
  let call: AppendCall | null = null;
  const settled = new Promise<Appended[]>((resolve, reject) => {
    call = { outcomes: new Array(records), open: records, resolve, reject };
  });
  return { call: call!, settled };
}

export function settle(call: AppendCall, position: number, outcome: Appended | AppendFailure): void {
  call.outcomes[position] = outcome;
  call.open -= 1;
  if (call.open > 0) return;
  const failures = call.outcomes.filter((each) => each instanceof AppendFailure);
  if (failures.length === 0) call.resolve(call.outcomes as Appended[]);
  else call.reject(appendError(call.outcomes, failures));
}

/** Fails a whole call before any of it was taken. */
export function refuse(records: readonly unknown[], failure: AppendFailure): Promise<never> {
  const outcomes = records.map(() => failure);
  return Promise.reject(appendError(outcomes, outcomes));
}

export const tooLarge = (topic: string, bytes: number): AppendFailure =>
  new AppendFailure(`a record for ${topic} has ${bytes} bytes, the limit is ${MAX_RECORD_BYTES}`, true);

function appendError(
  outcomes: readonly (Appended | AppendFailure)[],
  failures: readonly AppendFailure[],
): AppendError {
  const first = failures[0]!;
  return new AppendError(
    `${failures.length} of ${outcomes.length} records were not appended: ${first.message}`,
    outcomes,
    { cause: first },
  );
}
