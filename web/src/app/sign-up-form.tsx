import { Button, Form, Label, Radio, RadioGroup } from 'react-aria-components';
import { FaultNote } from '../ui/fault-note.tsx';
import { Field } from '../ui/field.tsx';
import { useSignUp } from './use-sign-in.ts';

/** The service's requirements, which it checks again. */
export const PASSWORD_LENGTH = { min: 12, max: 128 };

export function SignUpForm() {
  const { mutate, isPending, error } = useSignUp();
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        const sent = new FormData(event.currentTarget);
        mutate({
          email: String(sent.get('email')),
          password: String(sent.get('password')),
          name: String(sent.get('name')),
          type: sent.get('type') === 'COMPANY' ? 'COMPANY' : 'INDIVIDUAL',
        });
      }}
    >
      <Field label="Email" name="email" type="email" autoComplete="username" isRequired />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH.min}
        maxLength={PASSWORD_LENGTH.max}
        description={`${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters. Passwords that are easy to guess are refused.`}
        isRequired
      />
      <Field
        label="Company or your name"
        name="name"
        autoComplete="organization"
        maxLength={128}
        isRequired
      />
      <RadioGroup name="type" defaultValue="COMPANY" className="field">
        <Label>Account type</Label>
        <div className="radios">
          <Radio value="COMPANY">Company</Radio>
          <Radio value="INDIVIDUAL">Individual</Radio>
        </div>
      </RadioGroup>
      {error !== null && <FaultNote fault={error} />}
      <Button type="submit" className="button primary" isDisabled={isPending}>
        {isPending ? 'Creating account…' : 'Create account'}
      </Button>
    </Form>
  );
}
