import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { Signal } from '#schemas/api/signals.ts';
import { ADJUSTABLE_DETECTORS } from '#schemas/detector-names.ts';
import { useAdjustSandbox } from '../../../api/use-adjust-sandbox.ts';
import { label } from '../../../labels/label.ts';
import { FaultNote } from '../../../ui/fault-note.tsx';
import { Field } from '../../../ui/field.tsx';
import { PageLink } from '../../../ui/page-link.tsx';

interface AdjustProps {
  readonly signal: Signal;
}

interface OneDetectorProps extends AdjustProps {
  readonly detector: string;
}

/** A minimum just above the confidence of the detector's matches, to two digits, where possible. */
function suggested({ confidence, detections, confidences }: Signal, detector: string): string {
  const own = confidences?.filter((_, index) => detections[index]?.detector === detector) ?? [confidence];
  return Math.min(1, Math.floor(Math.max(...own) * 100 + 1) / 100).toString();
}

function OneDetector({ signal, detector }: OneDetectorProps) {
  const { sandboxSlug } = signal;
  const name = label('detector', detector);
  const [isConfirming, setIsConfirming] = useState(false);
  const [minimum, setMinimum] = useState(() => suggested(signal, detector));
  const adjust = useAdjustSandbox(sandboxSlug);
  const isNumber = minimum.trim() !== '' && Number(minimum) >= 0 && Number(minimum) <= 1;
  if (adjust.isSuccess) {
    return (
      <p role="status">
        Saved as version {adjust.data.version} of <code>{sandboxSlug}</code>. This signal doesn’t change.
      </p>
    );
  }
  if (!isConfirming) {
    return (
      <Button className="button" onPress={() => setIsConfirming(true)}>
        Adjust “{name}”
      </Button>
    );
  }
  return (
    <Form
      className="confirmation"
      aria-label={`Adjust “${name}”`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isNumber) return;
        adjust.mutate(({ minConfidence }) => ({
          minConfidence: { ...minConfidence, [detector]: Number(minimum) },
        }));
      }}
    >
      <p>
        This creates a new version of sandbox <code>{sandboxSlug}</code>. It affects everything the detector{' '}
        <strong>{name}</strong> matches from then on, in audits and scans.
      </p>
      <Field
        label={`Minimum confidence for “${name}”`}
        value={minimum}
        onChange={setMinimum}
        inputMode="decimal"
        autoComplete="off"
        description="0 to 1. Matches below it are suppressed; the signal records how many."
      />
      {adjust.error !== null && <FaultNote fault={adjust.error} />}
      <div className="buttons">
        <Button type="submit" className="button primary" isDisabled={adjust.isPending || !isNumber}>
          Set minimum
        </Button>
        <Button
          className="button danger"
          isDisabled={adjust.isPending}
          onPress={() =>
            adjust.mutate(({ detectorsOff }) => ({ detectorsOff: [...new Set([...detectorsOff, detector])] }))
          }
        >
          Turn off “{name}”
        </Button>
        <Button className="button" onPress={() => setIsConfirming(false)}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

/** Changes for a signal that is a false positive. */
export function Adjust({ signal }: AdjustProps) {
  const found = [...new Set(signal.detections.map(({ detector }) => detector))];
  const detectors = found.filter((one) => ADJUSTABLE_DETECTORS.includes(one));
  if (detectors.length === 0) return null;
  return (
    <section aria-label="False positive">
      <h3>False positive?</h3>
      <p className="muted">
        Signals don’t store values. To allow a single value, paste it into “Try it” in{' '}
        <PageLink to={`/sandboxes?open=${encodeURIComponent(signal.sandboxSlug)}`}>the sandbox</PageLink>.
        Here you can adjust the detector.
      </p>
      <div className="buttons">
        {detectors.map((detector) => (
          <OneDetector key={detector} signal={signal} detector={detector} />
        ))}
      </div>
    </section>
  );
}
