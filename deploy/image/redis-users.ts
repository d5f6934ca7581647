import { pathToFileURL } from 'node:url';
import { stateUsersFile } from '../../platform/runtime/state-rights.ts';

/**
 * deploy/image/redis-users.acl: the users of the production overlay, where the name of each stands for the digest of its
 * password. deploy/production/redis-users.sh puts the digests in.
 */
export const redisUsersTemplate = (): string => stateUsersFile((user) => user);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(redisUsersTemplate());
