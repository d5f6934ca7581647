import { openEmbeddedState } from '../state.ts';

/**
 * Writer of the full-disk test: `node full-disk-child.js <file>`, started under a file-size limit. Prints as JSON how
 * calls end once a write fails, then exits.
 */
const [file = ''] = process.argv.slice(2);
// Without a listener, the limit's signal would end the process before the write can fail.
process.on('SIGXFSZ', () => undefined);
const state = await openEmbeddedState({ path: file, now: Date.now });
const nameOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: Error) => error.name,
  );

let written = 0;
let failure = 'answered';
while (failure === 'answered' && written < 1_000) {
  failure = await nameOf(state.expiring.set(`key-${written}`, 'x'.repeat(50_000), 3_600_000));
  if (failure === 'answered') written += 1;
}
const after = await Promise.all(
  [state.ping(), state.expiring.get('key-0'), state.expiring.delete('key-0')].map(nameOf),
);
const closed = await nameOf(state.close());
process.stdout.write(JSON.stringify({ written, failure, after, closed }), () => process.exit(0));
