import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../../api/error.ts';
import { Button } from '../button/Button.tsx';
import { Faults, NONE } from './faults.ts';
import styles from './form.module.css';

interface FormProps {
  /** What the button says: a verb, with its object where it is not plain. */
  readonly action: string;
  readonly onSubmit: () => void;
  readonly busy?: boolean;
  /** Why it cannot be sent now: nothing has been changed, something is missing. */
  readonly off?: string | false | undefined;
  /** What the server said the last time: of a field, where it names one. */
  readonly fault?: Error | null;
  /** Stands where the action was when it has been done: `Saved`. */
  readonly done?: string | false | undefined;
  /** Whether this is what the page is for: it has one such button. */
  readonly isPrimary?: boolean;
  /** Beside the button: another way. */
  readonly also?: ReactNode;
  readonly children: ReactNode;
}

/** Fields, and one button that sends them. What the server says stands beside the field that it speaks of. */
export function Form({ action, onSubmit, busy, off, fault, done, isPrimary = true, also, children }: FormProps) {
  const fields = fault instanceof ApiError ? fault.fields : NONE;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!off && !busy) onSubmit();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Faults value={fields}>{children}</Faults>
      {fault && (
        <p className={styles.fault} role="alert">
          {fault.message}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" {...(isPrimary && { look: 'primary' })} off={off}>
          {busy ? `${action}…` : action}
        </Button>
        {also}
        <span className="soft" role="status">
          {done || off}
        </span>
      </div>
    </form>
  );
}
