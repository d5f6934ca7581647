import { expect, test } from '#jest';
import { createSandbox, listSandboxes } from '#schemas/endpoints.ts';
import { clientOver, RequestFailed } from '../command/client.ts';
import { createDemoSandboxes } from './customer.ts';
import { ingestExamples } from './history-examples.ts';

/** What the demo says when the service refuses a request that a first demo would not see refused. */

const refused = (code: string) => new RequestFailed('text of the service', 409, code);

/** `listed`: slugs in each list, in turn. */
const sandboxes = (...listed: readonly string[][]) => {
  let lists = 0;
  return clientOver('', async (method, target) => {
    if (method === createSandbox.method) throw refused('SANDBOX_EXISTS');
    expect(target).toContain(listSandboxes.path);
    const slugs = listed[lists++] ?? [];
    return { statusCode: 200, body: { data: slugs.map((slug) => ({ slug })) as never } };
  });
};

test('a slug that a deleted sandbox reserves is named', async () => {
  await expect(createDemoSandboxes(sandboxes([], []))).rejects.toThrow(
    'The slug customer-support is reserved by a deleted sandbox. Run the demo in another workspace: PORT=9000 DATA_DIR=./data-demo npm run demo',
  );
});

test('a sandbox that another demo created in the meantime is used', async () => {
  const others = ['code-assistant', 'hr-assistant'];
  await createDemoSandboxes(sandboxes(others, [...others, 'customer-support']));
});

test('a second demo at the same time is told to wait', async () => {
  const client = clientOver('', async () => {
    throw refused('IDEMPOTENCY_IN_FLIGHT');
  });
  const workspace = { client, internal: client, customerId: 'a', startedAt: new Date(0).toISOString() };
  await expect(ingestExamples({ ...workspace, shownKey: null })).rejects.toThrow(
    'Another demo is running in this workspace. Wait until it has finished.',
  );
});
