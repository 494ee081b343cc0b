import { Button } from '../button/Button.tsx';
import { useCopy } from '../copy/copy.ts';
import styles from './secret.module.css';

interface SecretProps {
  /** What it is: `token of team network`. */
  readonly what: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** Something that is shown once: who goes on without it makes another. */
export function Secret({ what, text, onClose }: SecretProps) {
  const { copied, copy } = useCopy();
  return (
    <section className={styles.secret} aria-label={`New ${what}`}>
      <p>
        <strong>New {what}.</strong> It is shown this once, and kept nowhere that it could be read again.
      </p>
      <output className="mono">{text}</output>
      <p className={styles.actions}>
        <Button onClick={() => copy(text)}>{copied ? 'Copied' : 'Copy it'}</Button>
        <Button look="quiet" onClick={onClose}>
          I have it
        </Button>
      </p>
    </section>
  );
}
