import { hash, verify } from '@node-rs/argon2';
import { Semaphore } from '#platform/flow/semaphore.ts';
import { ApiError, unavailable } from '../../errors.ts';

/** Argon2id (the library's default) as OWASP's cheat sheet advises: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;
/** Each holds its 19 MiB, and a thread of the four that files are read with as well. */
const AT_ONCE = 2;
const WAITING = 64;
const WAITING_PER_ADDRESS = 8;

/** Hashes passwords, a few at a time; addresses take turns. */
export interface PasswordHashing {
  /** Runs the work when it is the address's turn; only there anything is hashed. */
  during<Result>(network: string, gone: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  hash(password: string): Promise<string>;
  /** `stored`: null where there is no user; takes as long, and is false. */
  matches(password: string, stored: string | null): Promise<boolean>;
}

/** One password typed on two machines may come composed in two ways. */
const normalised = (password: string): string => password.normalize('NFKC');

/** Where there is no user: compared with, whatever comes out. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$H0x5TuZdch75EhOx1abEwA$Dg31PmKdKrFG8B8Q0j79bfVBpWNupOiv6aUSjrO3Rs4';

export function createPasswordHashing(): PasswordHashing {
  const headers = { 'retry-after': '1' };
  const semaphore = new Semaphore({
    permits: AT_ONCE,
    mayWait: ({ ofKey, all }) => {
      if (ofKey >= WAITING_PER_ADDRESS || all >= WAITING) throw new ApiError('TOO_MANY_AT_ONCE', { headers });
    },
  });
  return {
    async during(network, gone, work) {
      const release = await semaphore.acquire({ key: network, signal: gone }).catch((error: unknown) => {
        if (error instanceof ApiError) throw error;
        throw unavailable(new Error('the client left before its turn', { cause: error }));
      });
      try {
        return await work();
      } finally {
        release?.();
      }
    },
    hash: (password) => hash(normalised(password), COST),
    async matches(password, stored) {
      const isRight = await verify(stored ?? NOBODYS, normalised(password));
      return isRight && stored !== null;
    },
  };
}
