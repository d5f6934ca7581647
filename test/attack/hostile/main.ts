import { constants, setPriority } from 'node:os';
import type { AttackOrder, AttackReport } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { openSockets } from './sockets.ts';

/**
 * Main module of the attacker's process: it receives an attack to start, ends it at the next message, and reports what
 * it observed. A real attacker has its own cores. This one shares two with the service, so it runs at a lower priority:
 * the service could not prevent losing CPU time to it.
 */
setPriority(constants.priority.PRIORITY_LOW);

const send = (report: AttackReport): void => void process.send?.(report);
let end: (() => void) | null = null;

process.on('message', (order: AttackOrder | { readonly over: true }) => {
  if ('over' in order) {
    end?.();
    end = null;
    return;
  }
  const attack = ATTACKS.find(({ name }) => name === order.attack);
  if (attack === undefined) throw new Error(`no attack is called ${order.attack}`);
  const sockets = openSockets(order.url, order.address);
  const before = process.cpuUsage();
  attack.start({ sockets, accounts: order.accounts });
  send({ started: true });
  end = () => {
    sockets.close();
    const { user, system } = process.cpuUsage(before);
    send({ seen: Object.fromEntries(sockets.seen), cpuSeconds: (user + system) / 1e6 });
  };
});
// The parent process has exited.
process.on('disconnect', () => process.exit(0));
