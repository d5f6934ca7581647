/**
 * Announces within one process that audits have reached their final state, so that a waiting request need not poll the
 * warehouse often. Only a hint: waiters also poll occasionally, because the sink may run in another process.
 */
export interface StoredNotifier {
  /** Calls `listener` when the audit's final state is stored; returns the function that unsubscribes. */
  subscribe(auditId: string, listener: () => void): () => void;
  notify(auditIds: readonly string[]): void;
}

export function createStoredNotifier(): StoredNotifier {
  const listeners = new Map<string, Set<() => void>>();
  return {
    subscribe: (auditId, listener) => {
      const mine = listeners.get(auditId) ?? new Set();
      listeners.set(auditId, mine.add(listener));
      return () => {
        mine.delete(listener);
        if (mine.size === 0 && listeners.get(auditId) === mine) listeners.delete(auditId);
      };
    },
    notify: (auditIds) => {
      if (listeners.size === 0) return;
      for (const auditId of auditIds) for (const listener of listeners.get(auditId) ?? []) listener();
    },
  };
}
