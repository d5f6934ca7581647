import type { ReactNode } from 'react';
import { listAudits, listOwnApiKeys, listSandboxes, listSignals } from '#schemas/endpoints.ts';
import { serviceUrl } from '../../address/base-path.ts';
import { useGet } from '../../api/use-get.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { curlExample, firstSteps, type StepId } from './steps.ts';

/** Somebody is waiting for the next tick. */
const RENEW_MS = 3_000;
const ONE = { limit: 1 };
/** Of those newest keys one that is active is looked for. */
const KEYS = { limit: 100 };
const SANDBOXES = { limit: 100 };

function useBegun() {
  const every = { renewMs: RENEW_MS };
  const sandboxes = useGet(listSandboxes, { query: SANDBOXES, ...every });
  const keys = useGet(listOwnApiKeys, { query: KEYS, ...every });
  const audits = useGet(listAudits, { query: ONE, ...every });
  const signals = useGet(listSignals, { query: ONE, ...every });
  return {
    slug: sandboxes.data?.data.find(({ active }) => active)?.slug,
    failed: [sandboxes, keys, audits, signals].find(({ error }) => error !== null),
    isPending: [sandboxes, keys, audits, signals].some(({ isPending }) => isPending),
    begun: {
      sandboxes: sandboxes.data?.pagination.total ?? null,
      activeKeys: keys.data?.data.filter(({ status }) => status === 'active').length ?? null,
      audits: audits.data?.pagination.total ?? null,
      signals: signals.data?.pagination.total ?? null,
    },
  };
}

function Curl({ slug }: { readonly slug: string | undefined }) {
  const example = curlExample(serviceUrl(), slug ?? 'your-sandbox');
  return (
    <>
      <p>
        In a shell, where <code>KEY</code> holds the API key:
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{example}</code>
      </pre>
      <CopyButton text={example}>Copy the command</CopyButton>
    </>
  );
}

const textsOf = (slug: string | undefined): Readonly<Record<StepId, { title: string; text: ReactNode }>> => ({
  sandbox: {
    title: 'Make a sandbox',
    text: (
      <p>
        It says what is looked for, and what a find leads to.{' '}
        <PageLink to="/sandboxes?tab=new">New sandbox</PageLink>
      </p>
    ),
  },
  key: {
    title: 'Make an API key',
    text: (
      <p>
        Programs call the service with it. It is shown once. <PageLink to="/settings">Settings</PageLink>
      </p>
    ),
  },
  audit: { title: 'Hand in a first audit', text: <Curl slug={slug} /> },
  signal: {
    title: 'See its signal',
    text: (
      <p>
        A signal says what was found, and never what was written; it comes within seconds.{' '}
        <PageLink to="/signals">Signals</PageLink>
      </p>
    ),
  },
});

/** What a new customer does first. Each step ticks itself when it is done, here or anywhere else. */
export function Page() {
  const { slug, failed, isPending, begun } = useBegun();
  const steps = firstSteps(begun);
  const left = steps.filter(({ isDone }) => !isDone).length;
  const texts = textsOf(slug);
  return (
    <>
      <header className="page-head">
        <h1>First steps</h1>
        <span role="status">
          {isPending ? 'Loading' : left === 0 ? 'All done' : `${steps.length - left} of ${steps.length} done`}
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
              <span className="hidden">{isDone ? ', done' : ', to be done'}</span>
            </h2>
            {texts[id].text}
          </li>
        ))}
      </ol>
      {left === 0 && (
        <p>
          From here on: <PageLink to="/">the overview</PageLink> says what is new, and{' '}
          <PageLink to="/audits">audits</PageLink> how far each is.
        </p>
      )}
    </>
  );
}
