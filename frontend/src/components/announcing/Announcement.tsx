import { useEffect, useState } from 'react';

/** What changes within this time is not said: a screen reader would read every step of it. */
export const REST_MS = 1000;

/** Says to a screen reader what is seen on the page, once it has rested; nothing is seen of it. */
export function Announcement({ text }: { readonly text: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p role="status" className="visually-hidden">
      {said}
    </p>
  );
}
