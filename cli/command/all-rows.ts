import type { AnyRequest, Endpoint } from '#schemas/api/openapi/request.ts';
import type { Answer, Client } from './client.ts';

/** Every row of a list, page by page. */
export async function allRows<Row>(
  client: Client,
  endpoint: Endpoint,
  params?: AnyRequest['params'],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Answer = await client.call(endpoint, { params, query: { limit: 100, cursor } });
    rows.push(...(body.data as unknown as Row[]));
    cursor = (body.pagination as unknown as { nextCursor: string | null }).nextCursor;
  }
  return rows;
}
