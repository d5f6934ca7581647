import http, { type IncomingHttpHeaders } from 'node:http';

export interface Downloaded {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty if the answer was cut off. */
  readonly trailers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
  /** Null: the answer is complete. */
  readonly error: Error | null;
}

/** Sends a GET on a separate socket and reads the answer to its end, or until it breaks off. */
export function download(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      const settle = (error: Error | null): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          trailers: response.trailers as Downloaded['trailers'],
          bytes: Buffer.concat(chunks),
          error,
        });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => settle(null));
      response.once('error', settle);
    });
    request.once('error', reject);
    request.end();
  });
}
