import { DamagedData } from '#platform/flow/service-error.ts';

/**
 * A value in the state differs from what was written: a bit flipped, or it was truncated. The message names it and
 * quotes nothing.
 */
export class DamagedDocument extends DamagedData {
  constructor(name: string) {
    super(
      `the state is damaged: ${name} differs from what was written. Restore the state from its backup, and check its disk or server`,
    );
    this.name = 'DamagedDocument';
  }

  /** Received from another thread, whose message names the value. */
  static received(message: string): DamagedDocument {
    const error = new DamagedDocument('');
    error.message = message;
    return error;
  }
}
