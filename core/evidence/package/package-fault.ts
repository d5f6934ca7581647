/** Something of an evidence package does not hold. `file`: where; the archive as a whole is `archive`. */
export class PackageFault extends Error {
  readonly file: string;
  constructor(file: string, reason: string) {
    super(reason);
    this.name = 'PackageFault';
    this.file = file;
  }
}
