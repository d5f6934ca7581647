import { TOPICS } from '#schemas/topics.ts';
import { CANARY } from '../promises.ts';
import type { World } from '../world-of-run.ts';

/** Clients' texts are nowhere in clear: not in the log, the state, the tables or the logged lines. */
export function clearTextFaults({ log, state, store, logged }: World): string[] {
  const faults: string[] = [];
  for (const { name } of TOPICS) {
    for (const { value, headers, partition, offset } of log.all(name)) {
      if (value.includes(CANARY) || JSON.stringify(headers).includes(CANARY))
        faults.push(`a text is in ${name}/${partition} at ${offset}`);
    }
  }
  if (state.texts().some((text) => text.includes(CANARY))) faults.push('a text is in the state');
  for (const [table, rows] of Object.entries(store.rows)) {
    if ((rows as object[]).some((row) => JSON.stringify(row).includes(CANARY)))
      faults.push(`a text is in table ${table}`);
  }
  if (logged.some((line) => line.includes(CANARY))) faults.push('a text was logged');
  return faults;
}
