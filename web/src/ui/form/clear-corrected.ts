import type { FormEvent } from 'react';

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
