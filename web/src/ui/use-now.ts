import { useEffect, useState } from 'react';

/** Ages are shown in whole units of at least a second; updating every second is not worth it. */
const TICK_MS = 5_000;

/** Unix ms, at most a few seconds old. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
