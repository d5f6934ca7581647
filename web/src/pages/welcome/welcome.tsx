import type { ReactNode } from 'react';
import { listAudits, listOwnApiKeys, listSandboxes, listSignals } from '#schemas/endpoints.ts';
import { serviceUrl } from '../../address/base-path.ts';
import { useFirstKey } from '../../api/use-first-key.ts';
import { useGet } from '../../api/use-get.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { curlExample, exampleSlug, firstSteps, type StepId } from './steps.ts';

/** Short, because the user is waiting for the next step to complete. */
const REFRESH_MS = 3_000;
const ONE = { limit: 1 };
/** The newest keys, which are searched for an active one. */
const KEYS = { limit: 100 };
const SANDBOXES = { limit: 100 };

function useExisting() {
  const every = { refreshMs: REFRESH_MS };
  const sandboxes = useGet(listSandboxes, { query: SANDBOXES, ...every });
  const keys = useGet(listOwnApiKeys, { query: KEYS, ...every });
  const audits = useGet(listAudits, { query: ONE, ...every });
  const signals = useGet(listSignals, { query: { ...ONE, rows: 'once' }, ...every });
  return {
    slug: exampleSlug((sandboxes.data?.data ?? []).filter(({ active }) => active).map(({ slug }) => slug)),
    failed: [sandboxes, keys, audits, signals].find(({ error }) => error !== null),
    isPending: [sandboxes, keys, audits, signals].some(({ isPending }) => isPending),
    existing: {
      sandboxes: sandboxes.data?.pagination.total ?? null,
      activeKeys: keys.data?.data.filter(({ status }) => status === 'active').length ?? null,
      audits: audits.data?.pagination.total ?? null,
      signals: signals.data?.pagination.total ?? null,
    },
  };
}

interface CurlProps {
  readonly slug: string | undefined;
  /** The key created at sign-up; null when it cannot be shown. */
  readonly apiKey: string | null;
}

function Curl({ slug, apiKey }: CurlProps) {
  const example = curlExample(serviceUrl(), slug ?? 'your-sandbox', apiKey);
  return (
    <>
      {apiKey === null ? (
        <p>
          Run this in a shell, with your API key in <code>KEY</code>:
        </p>
      ) : (
        <p>Run this in a shell:</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{example}</code>
      </pre>
      <CopyButton text={example}>Copy</CopyButton>
    </>
  );
}

/** Shows the key for the only time. */
const FirstKey = ({ apiKey }: { readonly apiKey: string }) => (
  <>
    <p>
      <strong>Copy this key now. It is not shown again after you reload the page.</strong> Your applications
      send it with every request, in the <code>x-service-key</code> header.
    </p>
    <pre>
      <code>{apiKey}</code>
    </pre>
    <CopyButton text={apiKey}>Copy</CopyButton>
  </>
);

type StepTexts = Readonly<Record<StepId, { readonly title: string; readonly text: ReactNode }>>;

const textsOf = ({ slug, apiKey }: CurlProps): StepTexts => ({
  sandbox: {
    title: 'Create a sandbox',
    text: (
      <p>
        A sandbox defines what to detect and what to do about it.{' '}
        <PageLink to="/sandboxes?tab=new">New sandbox</PageLink>
      </p>
    ),
  },
  key: {
    title: 'Create an API key',
    text:
      apiKey !== null ? (
        <FirstKey apiKey={apiKey} />
      ) : (
        <p>
          Your applications send it with every request. It is shown only once.{' '}
          <PageLink to="/settings">Open Settings</PageLink>
        </p>
      ),
  },
  audit: { title: 'Send your first audit', text: <Curl slug={slug} apiKey={apiKey} /> },
  signal: {
    title: 'See the result',
    text: (
      <p>
        A signal appears within seconds. It shows what was detected, never the text itself.{' '}
        <PageLink to="/signals">View signals</PageLink>
      </p>
    ),
  },
});

/** First steps of a new customer. Each completes itself when it is done, here or elsewhere. */
export function Page() {
  const { slug, failed, isPending, existing } = useExisting();
  const steps = firstSteps(existing);
  const left = steps.filter(({ isDone }) => !isDone).length;
  const apiKey = useFirstKey();
  const texts = textsOf({ slug, apiKey });
  return (
    <>
      <header className="page-head">
        <h1>Get started</h1>
        <span role="status">
          {isPending
            ? 'Loading…'
            : left === 0
              ? 'All done'
              : `${steps.length - left} of ${steps.length} done`}
        </span>
      </header>
      {failed?.error != null && <FaultNote fault={failed.error} retry={() => void failed.refetch()} />}
      <ol className="plain first-steps">
        {steps.map(({ id, isDone, isNext }) => (
          <li key={id} className="card" data-done={isDone} aria-current={isNext ? 'step' : undefined}>
            <h2>
              <span className="tick" aria-hidden="true">
                {isDone ? '✓' : '○'}
              </span>{' '}
              {texts[id].title}
              <span className="hidden">{isDone ? ', done' : ', to do'}</span>
            </h2>
            {texts[id].text}
          </li>
        ))}
      </ol>
      {left === 0 && (
        <p>
          You’re all set. Go to the <PageLink to="/">overview</PageLink>, or follow your{' '}
          <PageLink to="/audits">audits</PageLink>.
        </p>
      )}
    </>
  );
}
