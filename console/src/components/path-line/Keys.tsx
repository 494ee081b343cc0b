import styles from './keys.module.css';

const SHOWN: Readonly<Record<string, string>> = { Enter: '↵', Escape: 'esc' };

/** Keys as keyboard caps. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className={styles.keys}>
      {keys.split(' ').map((key) => (
        <kbd key={key}>{SHOWN[key] ?? key}</kbd>
      ))}
    </span>
  );
}
