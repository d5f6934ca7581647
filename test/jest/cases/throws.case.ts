import { test } from '#jest';

test('is never reached', () => undefined);
throw new Error('thrown while it was imported');
