const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Parses HTTP/1.1 answers from chunks of a connection: `onAnswer` receives the status of each complete one. The
 * returned function returns false for an answer whose end it cannot determine (a stream); the connection is then
 * unusable.
 */
export function readAnswers(onAnswer: (status: number) => void): (bytes: Buffer) => boolean {
  let head: Buffer | null = null;
  let status = 0;
  /** Bytes of a body that are still to come. */
  let left = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (left > 0) {
        const consumed = Math.min(left, bytes.length - at);
        left -= consumed;
        at += consumed;
        if (left === 0) onAnswer(status);
        continue;
      }
      const rest = head === null ? bytes.subarray(at) : Buffer.concat([head, bytes.subarray(at)]);
      const end = rest.indexOf(HEAD_END);
      if (end < 0) {
        head = Buffer.from(rest);
        return true;
      }
      at = bytes.length - (rest.length - end - HEAD_END.length);
      head = null;
      const text = rest.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (length === undefined) {
        onAnswer(status);
        return false;
      }
      left = Number(length);
      if (left === 0) onAnswer(status);
    }
    return true;
  };
}
