import { FieldError, Input, Label, Text, TextField, type TextFieldProps } from 'react-aria-components';
import { clearCorrected } from './form/clear-corrected.ts';

interface FieldProps extends Omit<TextFieldProps, 'children' | 'className'> {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
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
