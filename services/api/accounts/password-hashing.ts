import { hash, verify } from '@node-rs/argon2';
import { Refusal, unavailable } from '#platform/flow/refusal.ts';
import { Semaphore } from '#platform/flow/semaphore.ts';

/** Argon2id (the library's default) as recommended by OWASP's cheat sheet: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;
/** Each takes 19 MiB, and one of the four threads that also read files. */
const AT_ONCE = 2;
/** Of these, for networks that have not signed in to the account before; so the others always get a turn. */
const OF_STRANGERS = 1;
/** Hashing takes a twentieth of a second, so no admitted request waits longer than 15 s. */
const WAITING = 256;
const WAITING_PER_ADDRESS = 8;

/** The origin of a request to hash. */
export interface Hasher {
  readonly network: string;
  /** Whether this network has signed in to the account before. */
  readonly isKnown: boolean;
  /** Fires when the client has left. */
  readonly gone: AbortSignal;
}

/** Hashes passwords, a few at a time; addresses take turns. */
export interface PasswordHashing {
  /** Runs the work when it is the address's turn; hashing is only allowed inside it. */
  during<Result>(hasher: Hasher, work: () => Promise<Result>): Promise<Result>;
  hash(password: string): Promise<string>;
  /** `stored`: null if there is no user; takes as long, and returns false. */
  matches(password: string, stored: string | null): Promise<boolean>;
}

/** The same password typed on two machines may be composed differently. */
const normalised = (password: string): string => password.normalize('NFKC');

/** Compared with if there is no user; the result is ignored. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$H0x5TuZdch75EhOx1abEwA$Dg31PmKdKrFG8B8Q0j79bfVBpWNupOiv6aUSjrO3Rs4';

const busy = (): Refusal => new Refusal('TOO_MANY_AT_ONCE', { retryAfterSeconds: 1 });

/** Addresses take turns; without room, the one with the most requests gives way. */
const queue = (permits: number): Semaphore =>
  new Semaphore({
    permits,
    room: { waiting: WAITING, refusal: busy },
    mayWait: ({ ofKey }) => {
      if (ofKey >= WAITING_PER_ADDRESS) throw busy();
    },
  });

export function createPasswordHashing(): PasswordHashing {
  const queued = queue(AT_ONCE);
  const strangers = queue(OF_STRANGERS);
  const turnOf = async (semaphore: Semaphore, key: string, gone: AbortSignal) => {
    const release = await semaphore.acquire({ key, signal: gone }).catch((error: unknown) => {
      if (error instanceof Refusal) throw error;
      throw unavailable(new Error('the client disconnected while waiting', { cause: error }));
    });
    return () => release?.();
  };
  return {
    async during({ network, isKnown, gone }, work) {
      const leaveStrangers = isKnown ? null : await turnOf(strangers, network, gone);
      try {
        const leave = await turnOf(queued, network, gone);
        try {
          return await work();
        } finally {
          leave();
        }
      } finally {
        leaveStrangers?.();
      }
    },
    hash: (password) => hash(normalised(password), COST),
    async matches(password, stored) {
      const isRight = await verify(stored ?? NOBODYS, normalised(password));
      return isRight && stored !== null;
    },
  };
}
