import { FieldError, Label, Text, TextArea, TextField, type TextFieldProps } from 'react-aria-components';
import { clearCorrected } from '../field.tsx';

interface LongFieldProps extends Omit<TextFieldProps, 'children' | 'className'> {
  readonly label: string;
  readonly description?: string;
  readonly rows?: number;
}

/** A multi-line text field with its label. */
export function LongField({ label, description, rows = 3, ...rest }: LongFieldProps) {
  return (
    <TextField className="field" {...rest}>
      <Label>{label}</Label>
      <TextArea onInput={clearCorrected} rows={rows} />
      {description !== undefined && (
        <Text slot="description" className="muted">
          {description}
        </Text>
      )}
      <FieldError className="field-error" />
    </TextField>
  );
}
