import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { Signal } from '#schemas/api/signals.ts';
import { ADJUSTABLE_DETECTORS } from '#schemas/detector-names.ts';
import { useAdjustSandbox } from '../../../api/use-adjust-sandbox.ts';
import { FaultNote } from '../../../ui/fault-note.tsx';
import { Field } from '../../../ui/field.tsx';
import { PageLink } from '../../../ui/page-link.tsx';

interface AdjustProps {
  readonly signal: Signal;
}

interface OneDetectorProps extends AdjustProps {
  readonly detector: string;
}

/** Above the confidence of the detector's findings, to two digits, where there is anything above it. */
function suggested({ confidence, detections, confidences }: Signal, detector: string): string {
  const own = confidences?.filter((_, place) => detections[place]?.detector === detector) ?? [confidence];
  return Math.min(1, Math.floor(Math.max(...own) * 100 + 1) / 100).toString();
}

function OneDetector({ signal, detector }: OneDetectorProps) {
  const { sandboxSlug } = signal;
  const [isAsked, setIsAsked] = useState(false);
  const [least, setLeast] = useState(() => suggested(signal, detector));
  const adjust = useAdjustSandbox(sandboxSlug);
  const isNumber = least.trim() !== '' && Number(least) >= 0 && Number(least) <= 1;
  if (adjust.isSuccess) {
    return (
      <p role="status">
        Saved as version {adjust.data.version} of <code>{sandboxSlug}</code>. This signal stays as it is.
      </p>
    );
  }
  if (!isAsked) {
    return (
      <Button className="button" onPress={() => setIsAsked(true)}>
        Adjust {detector}
      </Button>
    );
  }
  return (
    <Form
      className="confirmation"
      aria-label={`Adjust ${detector}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isNumber) return;
        adjust.mutate(({ minConfidence }) => ({
          minConfidence: { ...minConfidence, [detector]: Number(least) },
        }));
      }}
    >
      <p>
        Changes sandbox <code>{sandboxSlug}</code> for every value that <strong>{detector}</strong> finds, in
        audits and scans, from a new version on.
      </p>
      <Field
        label={`Minimum confidence of ${detector}`}
        value={least}
        onChange={setLeast}
        inputMode="decimal"
        autoComplete="off"
        description="From 0 to 1. Findings with less are suppressed and counted in their signal."
      />
      {adjust.error !== null && <FaultNote fault={adjust.error} />}
      <div className="buttons">
        <Button type="submit" className="button primary" isDisabled={adjust.isPending || !isNumber}>
          Set the minimum
        </Button>
        <Button
          className="button danger"
          isDisabled={adjust.isPending}
          onPress={() =>
            adjust.mutate(({ detectorsOff }) => ({ detectorsOff: [...new Set([...detectorsOff, detector])] }))
          }
        >
          Switch {detector} off
        </Button>
        <Button className="button" onPress={() => setIsAsked(false)}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

/** What can be changed where a signal should not have been one. */
export function Adjust({ signal }: AdjustProps) {
  const found = [...new Set(signal.detections.map(({ detector }) => detector))];
  const detectors = found.filter((name) => ADJUSTABLE_DETECTORS.includes(name));
  if (detectors.length === 0) return null;
  return (
    <section aria-label="Not personal data">
      <h3>Not personal data?</h3>
      <p className="muted">
        A signal stores no values, so no single value can be allowed from here: paste it into “Try it” of{' '}
        <PageLink to={`/sandboxes?open=${encodeURIComponent(signal.sandboxSlug)}`}>the sandbox</PageLink>, and
        allow it there. What can be changed here is the detector.
      </p>
      <div className="buttons">
        {detectors.map((detector) => (
          <OneDetector key={detector} signal={signal} detector={detector} />
        ))}
      </div>
    </section>
  );
}
