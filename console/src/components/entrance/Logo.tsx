import styles from './basin.module.css';
import * as texts from './texts.ts';

/** Draws the mark and the name in lines of one weight. */
export function Logo() {
  return (
    <svg className={styles.logo} viewBox="0 0 136 24" role="img" aria-label={texts.lockkeeper}>
      <path className={styles.bank} d="M2 2h2v20H2zM20 2h2v20h-2z" />
      <path className={styles.water} d="M5.5 12 12 6.5l6.5 5.5v7.5L12 14l-6.5 5.5z" />
      <path
        className={styles.word}
        d="M35 3v15 M43.9 8.5a4.3 4.5 0 1 1 0 9a4.3 4.5 0 1 1 0-9 M59.2 10A4.3 4.5 0 1 0 59.2 16 M62.8 3v15M69.8 8l-6 5l6 5 M72.4 3v15M79.4 8l-6 5l6 5 M82.4 13h7.9A4.3 4.5 0 1 0 89.3 16.3 M94.4 13h7.9A4.3 4.5 0 1 0 101.3 16.3 M106 8v14M106 13a4.3 4.5 0 1 1 8.6 0a4.3 4.5 0 1 1-8.6 0 M118.6 13h7.9A4.3 4.5 0 1 0 125.5 16.3 M130.2 8v10M130.2 13.5c0-3.2 1.6-5 4.8-5"
      />
    </svg>
  );
}
