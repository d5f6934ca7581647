/** A data file with weights. */
export interface TrainedFile {
  /** Path in the project. */
  readonly file: string;
  readonly content: string;
}
