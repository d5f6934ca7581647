import { useEffect, useState } from 'react';

/** How old something is told by whole units, the finest of which is a second; nobody reads it that often. */
const TICK_MS = 5_000;

/** Unix ms, a few seconds old at most. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
