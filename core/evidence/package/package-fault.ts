/** An evidence package failed a check. `file`: where; `archive` for the archive as a whole. */
export class PackageFault extends Error {
  readonly file: string;
  constructor(file: string, reason: string) {
    super(reason);
    this.name = 'PackageFault';
    this.file = file;
  }
}
