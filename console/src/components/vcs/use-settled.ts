import { useEffect, useState } from 'react';

/** Time without a key after which the server is asked, milliseconds. Each request may be one to a provider. */
const PAUSE_MS = 300;

/** Returns the text as it was when the user last stopped typing. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
