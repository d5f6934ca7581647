/** Saves content as a file through the browser. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Saves a response of the service, in the form that `cas verify` reads. */
export const saveJson = (value: unknown, name: string): void =>
  saveFile(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }), name);

export const saveText = (text: string, name: string): void =>
  saveFile(new Blob([text], { type: 'text/plain' }), name);
