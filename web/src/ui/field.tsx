import type { FormEvent } from 'react';
import { FieldError, Input, Label, Text, TextField, type TextFieldProps } from 'react-aria-components';

interface FieldProps extends Omit<TextFieldProps, 'children' | 'className'> {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
}

/**
 * Clears a field's error as soon as the input is valid. The form library does so on blur, which is when the user presses
 * the submit button: the button would move up before the release, and the click would be lost.
 */
export function clearCorrected({
  currentTarget,
}: Pick<FormEvent<HTMLInputElement | HTMLTextAreaElement>, 'currentTarget'>): void {
  // The library checks a field again at its change event.
  if (currentTarget.validity.valid) currentTarget.dispatchEvent(new Event('change'));
}

/** A one-line text field with label, description and error. */
export function Field({ label, description, placeholder, ...rest }: FieldProps) {
  return (
    <TextField className="field" {...rest}>
      <Label>{label}</Label>
      <Input onInput={clearCorrected} {...(placeholder === undefined ? {} : { placeholder })} />
      {description !== undefined && (
        <Text slot="description" className="muted">
          {description}
        </Text>
      )}
      <FieldError className="field-error" />
    </TextField>
  );
}
