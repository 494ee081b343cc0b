import { Button } from '../button/Button.tsx';
import { useCopy } from '../copy/copy.ts';
import styles from './command.module.css';
import * as texts from './texts.ts';

/** A command or a text to copy. */
export function Command({ text, what }: { readonly text: string; readonly what: string }) {
  const { copied, copy } = useCopy();
  return (
    <div className={styles.command}>
      <code>{text}</code>
      <Button look="small" onClick={() => copy(text)} aria-label={texts.copy(what)}>
        {copied ? texts.copied : texts.copy2}
      </Button>
    </div>
  );
}
