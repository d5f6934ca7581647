/** Why a pattern is refused, in words for the person who wrote it. */
export class PatternFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternFault';
  }
}
