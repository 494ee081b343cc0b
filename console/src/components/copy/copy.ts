import { useState } from 'react';
import { announce } from './announce.ts';
import * as texts from './texts.ts';

/** Time for which the button shows "Copied", milliseconds. */
const SAID_MS = 1_500;

/** Copies a text and confirms it for a moment. */
export function useCopy(): { readonly copied: boolean; readonly copy: (text: string) => void } {
  const [copied, setCopied] = useState(false);
  const copy = (text: string) => {
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        announce(texts.copied);
        setTimeout(() => setCopied(false), SAID_MS);
      },
      () => announce(texts.theBrowserDoesNot),
    );
  };
  return { copied, copy };
}
