/** Text of the service in which `backticks` mark code. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split('`');
  // An odd number of backticks has a stray one: then the text is shown as it came.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
