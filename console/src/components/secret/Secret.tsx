import type { ReactNode } from 'react';
import { Button } from '../button/Button.tsx';
import { useCopy } from '../copy/copy.ts';
import styles from './secret.module.css';
import * as texts from './texts.ts';

interface SecretProps {
  /** Kind of secret: `token of team network`. */
  readonly what: string;
  readonly text: string;
  readonly onClose: () => void;
  /** Further sentences about its use. */
  readonly children?: ReactNode;
}

/** Shows a new secret once. The server does not return it again. */
export function Secret({ what, text, onClose, children }: SecretProps) {
  const { copied, copy } = useCopy();
  return (
    <section className={styles.secret} aria-label={texts.newText(what)}>
      <p>
        <strong>{texts.newText2(what)}</strong> {texts.copyItNowIt} {children}
      </p>
      <output className="mono">{text}</output>
      <p className={styles.actions}>
        <Button onClick={() => copy(text)}>{copied ? texts.copied : texts.copy}</Button>
        <Button look="quiet" onClick={onClose}>
          {texts.done}
        </Button>
      </p>
    </section>
  );
}
