/** Why a pattern is rejected, worded for its author. */
export class PatternFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternFault';
  }
}
