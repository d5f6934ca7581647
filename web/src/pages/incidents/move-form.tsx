import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { Incident } from '#schemas/api/evidence/incidents.ts';
import { type AnswerOf, targetOf } from '#schemas/api/openapi/request.ts';
import { getIncident, listIncidents, moveIncident } from '#schemas/endpoints.ts';
import type { IncidentStatus, UserRole } from '#schemas/vocabulary.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { useSubmitKeys } from '../../api/submit-keys.ts';
import { label } from '../../labels/label.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { LongField } from '../../ui/form/long-field.tsx';
import { ToggleChoice } from '../../ui/list/toggle-choice.tsx';
import { movesFor, type OfferedMove } from './moves.ts';

interface MoveFormProps {
  readonly incident: Incident;
  readonly userId: string;
  /** A newer version must be reviewed first. */
  readonly isOld: boolean;
  readonly onMoved: (incident: Incident) => void;
}

const TEXT_LENGTH = 4_000;
/** The record has changed: it must be read again. */
const CONFLICTS = [409, 412];

interface Sent {
  readonly status: IncidentStatus;
  readonly userRole: UserRole;
  readonly comment?: string;
  readonly resolution?: string;
}

function useMove({ incident, onMoved }: MoveFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = useSubmitKeys();
  const { id, version } = incident;
  const sent = { params: { id } };
  const key = [targetOf(getIncident, sent)];
  return useMutation<Incident, Fault, Sent>({
    mutationFn: async (body) => {
      const { data } = await api.call(moveIncident, {
        ...sent,
        body,
        ifMatch: version,
        idempotencyKey: keys.keyOf([version, body]),
      });
      return data;
    },
    onSuccess: (moved) => {
      keys.accepted();
      onMoved(moved);
      queries.setQueriesData<AnswerOf<typeof getIncident>>({ queryKey: key }, (former) =>
        former === undefined ? undefined : { ...former, data: moved },
      );
      void queries.invalidateQueries({ queryKey: [listIncidents.path] });
      // Again, to get the newest entries' indexes in the chain.
      void queries.invalidateQueries({ queryKey: key });
    },
    onError: ({ status }) => {
      if (CONFLICTS.includes(status)) void queries.invalidateQueries({ queryKey: key });
    },
  });
}

function RoleChoice({
  roles,
  role,
  onChoose,
}: {
  readonly roles: readonly UserRole[];
  readonly role: UserRole | null;
  readonly onChoose: (role: UserRole | null) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Your role</label>
      <select
        id={id}
        required
        value={role ?? ''}
        onChange={({ target }) => onChoose(roles.find((one) => one === target.value) ?? null)}
      >
        <option value="">Choose a role</option>
        {roles.map((one) => (
          <option key={one} value={one}>
            {label('role', one)}
          </option>
        ))}
      </select>
      <span className="muted">Recorded permanently. You keep this role for this incident.</span>
    </div>
  );
}

function Blocked({ moves }: { readonly moves: readonly OfferedMove[] }) {
  if (moves.length === 0) return null;
  return (
    <>
      <p className="muted">Not available to you:</p>
      <ul className="plain rows" aria-label="Not available to you">
        {moves.map(({ to, name, blocked }) => (
          <li key={to}>
            <strong>{name}</strong>: {blocked}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The next statuses: only those that the user may choose; for the others, the reason why not. */
export function MoveForm(props: MoveFormProps) {
  const { incident, userId, isOld } = props;
  const [to, setTo] = useState<IncidentStatus | null>(null);
  const [chosenRole, setRole] = useState<UserRole | null>(null);
  const [comment, setComment] = useState('');
  const [resolution, setResolution] = useState('');
  const move = useMove(props);
  const offered = movesFor(incident, userId);
  const allowed = offered.filter(({ blocked }) => blocked === null);
  const chosen = allowed.find((one) => one.to === to) ?? allowed[0];
  const roles = chosen?.roles ?? [];
  const role = roles.length === 1 ? roles[0]! : (roles.find((one) => one === chosenRole) ?? null);
  const submit = (): void => {
    if (chosen === undefined || role === null) return;
    move.mutate(
      {
        status: chosen.to,
        userRole: role,
        ...(comment.trim() === '' ? {} : { comment }),
        ...(chosen.to !== 'RESOLVED' || resolution.trim() === '' ? {} : { resolution }),
      },
      {
        onSuccess: () => {
          setTo(null);
          setComment('');
          setResolution('');
        },
      },
    );
  };
  return (
    <section aria-label="Change status">
      <h3>Change status</h3>
      {chosen !== undefined && (
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <ToggleChoice
            label="New status"
            isRequired
            chosen={chosen.to}
            onChoose={setTo}
            options={allowed.map(({ to: value, name }) => ({ value, shown: name }))}
          />
          <RoleChoice roles={roles} role={role} onChoose={setRole} />
          {chosen.to === 'RESOLVED' && (
            <LongField
              label="Resolution"
              maxLength={TEXT_LENGTH}
              value={resolution}
              onChange={setResolution}
              description="Optional. How the incident was resolved."
            />
          )}
          <LongField label="Comment" maxLength={TEXT_LENGTH} value={comment} onChange={setComment} rows={2} />
          {move.error !== null && !isOld && <FaultNote fault={move.error} />}
          <Button type="submit" className="button primary" isDisabled={move.isPending || isOld}>
            {move.isPending ? 'Saving…' : chosen.name}
          </Button>
          {isOld && <p className="muted">Review the latest version first.</p>}
        </Form>
      )}
      <Blocked moves={offered.filter(({ blocked }) => blocked !== null)} />
    </section>
  );
}
