/** Accepts files dropped anywhere on the page; otherwise the browser would leave the page to show them. */
export function dropTarget(target: HTMLElement, onFiles: (files: FileList) => void): void {
  target.addEventListener('dragover', (event) => {
    event.preventDefault();
    target.classList.add('dragged');
  });
  target.addEventListener('dragleave', () => target.classList.remove('dragged'));
  target.addEventListener('drop', (event) => {
    event.preventDefault();
    target.classList.remove('dragged');
    const files = event.dataTransfer?.files;
    if (files !== undefined && files.length > 0) onFiles(files);
  });
}
