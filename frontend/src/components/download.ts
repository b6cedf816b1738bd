/** Saves `content` as a file of the person's, under `name`; `type` is its media type. */
export function download(content: string | Blob, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(url);
}
