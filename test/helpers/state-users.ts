import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import {
  STATE_ROLES,
  type StateRole,
  stateUserCommands,
  stateUserOf,
} from '../../platform/runtime/state-rights.ts';

/**
 * Makes the users of the roles in a Redis, as `cas config --redis-acl` says it, and takes the default user's rights away.
 * Answers REDIS_URL of each role. `address`: with the password that may do everything; it is of no use afterwards.
 */
export async function makeStateUsers(address: string): Promise<Readonly<Record<StateRole, string>>> {
  const operator = new Redis(address, { disconnectTimeout: 100 });
  try {
    const passwords = STATE_ROLES.map((role) => [role, randomBytes(16).toString('hex')] as const);
    for (const [role, password] of passwords)
      await operator.call('ACL', 'SETUSER', stateUserOf(role), 'on', `>${password}`);
    for (const command of stateUserCommands(0)) {
      const [name = '', ...words] = command.split(' ');
      await operator.call(name, ...words);
    }
    await operator.call('ACL', 'SETUSER', 'default', 'off');
    const { host } = new URL(address);
    return Object.fromEntries(
      passwords.map(([role, password]) => [role, `redis://${stateUserOf(role)}:${password}@${host}`]),
    ) as Record<StateRole, string>;
  } finally {
    operator.disconnect();
  }
}
