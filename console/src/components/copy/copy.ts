import { useState } from 'react';
import { announce } from './announce.ts';

/** How long a button says that something was copied, milliseconds. */
const SAID_MS = 1_500;

/** Copies a text, and says so for a moment. */
export function useCopy(): { readonly copied: boolean; readonly copy: (text: string) => void } {
  const [copied, setCopied] = useState(false);
  const copy = (text: string) => {
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        announce('Copied');
        setTimeout(() => setCopied(false), SAID_MS);
      },
      () => announce('The browser does not allow to copy'),
    );
  };
  return { copied, copy };
}
