import { Button } from 'react-aria-components';
import type { Sandbox } from '#schemas/api/sandboxes.ts';
import type { ScanResult } from '#schemas/api/scan.ts';
import { useAdjustSandbox } from '../../../api/use-adjust-sandbox.ts';
import { FaultNote } from '../../../ui/fault-note.tsx';

type Entity = ScanResult['detectedEntities'][number];

/** The service's limit, which it checks again. */
const MAX_VALUE_CHARACTERS = 256;

/** The value on one line, as the form shows it; comparison ignores white space differences. */
const lineOf = (value: string): string => value.replaceAll(/\s+/g, ' ').trim();

/** Matches of a custom rule are excluded by changing the rule. */
export const canAllow = ({ type, originalValue }: Entity): boolean =>
  type !== 'CUSTOM_RULE' && lineOf(originalValue).length <= MAX_VALUE_CHARACTERS;

interface AllowValueProps {
  readonly sandbox: Sandbox;
  readonly entity: Entity;
  readonly onDone: () => void;
}

/** Says what will change, and adds the value to the sandbox's allowed values. The prompt is scanned again with it. */
export function AllowValue({ sandbox, entity, onDone }: AllowValueProps) {
  const value = lineOf(entity.originalValue);
  const adjust = useAdjustSandbox(sandbox.slug, onDone);
  return (
    <section className="confirmation" aria-label="Allow value">
      <p>
        Add <strong>{value}</strong> to the allowed values of <code>{sandbox.slug}</code>? This creates a new
        version of the sandbox; from then on, audits and scans don’t report or redact the value. The change is
        recorded in the ledger, and existing signals stay as they are.
      </p>
      {adjust.error !== null && <FaultNote fault={adjust.error} />}
      <div className="buttons">
        <Button
          className="button primary"
          isDisabled={adjust.isPending}
          onPress={() =>
            adjust.mutate(({ allowedValues }) => ({ allowedValues: [...new Set([...allowedValues, value])] }))
          }
        >
          Allow value
        </Button>
        <Button className="button" onPress={onDone}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
