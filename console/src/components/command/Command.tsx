import { Button } from '../button/Button.tsx';
import { useCopy } from '../copy/copy.ts';
import styles from './command.module.css';

/** What somebody types or writes elsewhere, to be taken along. */
export function Command({ text, what }: { readonly text: string; readonly what: string }) {
  const { copied, copy } = useCopy();
  return (
    <div className={styles.command}>
      <code>{text}</code>
      <Button look="small" onClick={() => copy(text)} aria-label={`Copy ${what}`}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
