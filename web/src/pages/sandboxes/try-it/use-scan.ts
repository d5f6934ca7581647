import { useEffect, useState } from 'react';
import type { ScanResult } from '#schemas/api/scan.ts';
import { scanPrompt } from '#schemas/endpoints.ts';
import { useApi } from '../../../api/api-context.ts';
import { Fault } from '../../../api/fault.ts';

/** After the last key, so that a word is not scanned letter by letter. */
const PAUSE_MS = 400;

interface Scanned {
  /** The text that was scanned: places in the result are places in it. */
  readonly text: string;
  readonly result: ScanResult;
}

interface ScanState {
  readonly scanned: Scanned | null;
  readonly fault: Fault | null;
  readonly isPending: boolean;
  readonly retry: () => void;
}

/**
 * What a scan of the text finds, a moment after it was typed. Text and result are in this component's memory alone, and
 * gone with it: nothing of them is kept for later questions. `version`: of the settings; another one scans anew.
 */
export function useScan(sandbox: string, version: number, text: string): ScanState {
  const api = useApi();
  const [scanned, setScanned] = useState<Scanned | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [isPending, setIsPending] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other settings, and another try, scan the same text anew
  useEffect(() => {
    setFault(null);
    setIsPending(false);
    if (text === '') return setScanned(null);
    const former = new AbortController();
    const timer = setTimeout(() => {
      setIsPending(true);
      const body = { sandbox, userInput: text };
      api.call(scanPrompt, { body, signal: former.signal }).then(
        (answer) => {
          if (former.signal.aborted) return;
          setScanned({ text, result: answer.data });
          setIsPending(false);
        },
        (error: unknown) => {
          if (former.signal.aborted) return;
          setFault(
            error instanceof Fault
              ? error
              : new Fault({ status: 0, code: 'UNKNOWN', message: String(error) }),
          );
          setIsPending(false);
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      former.abort();
    };
  }, [api, sandbox, version, text, tries]);
  return { scanned, fault, isPending, retry: () => setTries(tries + 1) };
}
