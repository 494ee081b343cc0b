import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../../api/error.ts';
import { Button } from '../button/Button.tsx';
import { Faults, NONE } from './faults.ts';
import styles from './form.module.css';

interface FormProps {
  /** Label of the button: a verb, with its object if that is not obvious. */
  readonly action: string;
  readonly onSubmit: () => void;
  readonly busy?: boolean;
  /** Reason why the form cannot be submitted: nothing has changed, or a value is missing. */
  readonly off?: string | false | undefined;
  /** Error of the last attempt. Messages about a field appear at the field. */
  readonly fault?: Error | null;
  /** Confirmation beside the button: `Saved`. */
  readonly done?: string | false | undefined;
  /** Whether this is the main action of the page. */
  readonly isPrimary?: boolean;
  /** Secondary action beside the button. */
  readonly also?: ReactNode;
  readonly children: ReactNode;
}

/** Fields with one submit button. The server's messages appear at the fields that they concern. */
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
