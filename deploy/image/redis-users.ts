import { pathToFileURL } from 'node:url';
import { stateUsersFile } from '#records/state-rights.ts';

/**
 * deploy/image/redis-users.acl: the users of the production overlay, where each name is a placeholder for the digest of
 * its password. deploy/production/redis-users.sh fills in the digests.
 */
export const redisUsersTemplate = (): string => stateUsersFile((user) => user);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(redisUsersTemplate());
