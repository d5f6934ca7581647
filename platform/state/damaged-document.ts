import { DamagedData } from '#platform/flow/service-error.ts';

/** A value of the state is not the one that was written: a bit flipped, or it was cut. Names it, and quotes nothing. */
export class DamagedDocument extends DamagedData {
  constructor(name: string) {
    super(
      `the state is damaged: ${name} differs from what was written. Restore the state from its backup, and check its disk or server`,
    );
    this.name = 'DamagedDocument';
  }

  /** From another thread, which has named it. */
  static received(message: string): DamagedDocument {
    const error = new DamagedDocument('');
    error.message = message;
    return error;
  }
}
