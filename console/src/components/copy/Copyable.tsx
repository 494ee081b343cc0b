import { Icon } from '../icon/Icon.tsx';
import styles from './copy.module.css';
import { useCopy } from './copy.ts';

/** Something that a machine made, to be taken along: an id, a digest. */
export function Copyable({ text, what }: { readonly text: string; readonly what: string }) {
  const { copied, copy } = useCopy();
  return (
    <button
      type="button"
      className={`${styles.copyable} mono`}
      aria-label={`Copy the ${what} ${text}`}
      onClick={() => copy(text)}
    >
      {text}
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}
