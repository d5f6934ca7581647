import { useEffect, useState } from 'react';
import type { ScanResult } from '#schemas/api/scan.ts';
import { scanPrompt } from '#schemas/endpoints.ts';
import { useApi } from '../../../api/api-context.ts';
import { Fault } from '../../../api/fault.ts';

/** Pause after the last key, so that a word is not scanned letter by letter. */
const PAUSE_MS = 400;

interface Scanned {
  /** The scanned text, to which the result's offsets refer. */
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
 * The result of scanning the text, shortly after it was typed. Text and result are only in this component's memory: no
 * query cache keeps them. `version`: of the settings; a new one scans again.
 */
export function useScan(sandbox: string, version: number, text: string): ScanState {
  const api = useApi();
  const [scanned, setScanned] = useState<Scanned | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [isPending, setIsPending] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changed settings and retries scan the same text again
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
