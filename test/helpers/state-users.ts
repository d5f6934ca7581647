import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { STATE_ROLES, type StateRole, stateUserCommands, stateUserOf } from '#records/state-rights.ts';

/**
 * Creates the roles' users in a Redis, as `cas config --redis-acl` prints them, and removes the default user's rights.
 * Returns each role's REDIS_URL. `address`: with the administrator's password, which no longer works afterwards.
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
