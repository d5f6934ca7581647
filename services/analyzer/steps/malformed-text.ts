/** What was sealed is not the text of a triplet. The message never quotes it. */
export class MalformedText extends Error {
  constructor() {
    super('the sealed text is not that of a triplet');
    this.name = 'MalformedText';
  }
}
