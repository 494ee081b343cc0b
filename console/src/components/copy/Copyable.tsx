import { Icon } from '../icon/Icon.tsx';
import styles from './copy.module.css';
import { useCopy } from './copy.ts';
import * as texts from './texts.ts';

/** An id or a digest with a copy button. */
export function Copyable({ text, what }: { readonly text: string; readonly what: string }) {
  const { copied, copy } = useCopy();
  return (
    <button
      type="button"
      className={`${styles.copyable} mono`}
      aria-label={texts.copyThe(what, text)}
      onClick={() => copy(text)}
    >
      {text}
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}
