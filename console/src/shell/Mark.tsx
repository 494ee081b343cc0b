import styles from './rail.module.css';

/** Logo: a canal lock seen from above, with two walls and two pairs of mitre gates around the chamber. */
export function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 24 24" aria-hidden="true">
      <path className={styles.bank} d="M2 2h2v20H2zM20 2h2v20h-2z" />
      <path className={styles.water} d="M5.5 12 12 6.5l6.5 5.5v7.5L12 14l-6.5 5.5z" />
    </svg>
  );
}
