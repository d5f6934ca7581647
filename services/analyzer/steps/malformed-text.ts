/** The sealed content is not the text of a triplet. The message never quotes it. */
export class MalformedText extends Error {
  constructor() {
    super('the decrypted text is not a triplet');
    this.name = 'MalformedText';
  }
}
