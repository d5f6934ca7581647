/** A module with weights, for the folder `core/detect/models`. */
export interface TrainedFile {
  readonly file: string;
  readonly content: string;
}
