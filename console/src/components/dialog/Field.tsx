import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onChange'> {
  readonly label: string;
  readonly help?: ReactNode;
  readonly large?: boolean;
  readonly onText: (text: string) => void;
}

/** A label, what is typed, and one sentence on it. */
export function Field({ label, help, large = false, onText, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className={`${styles.input} ${large ? styles.large : ''}`}
        onChange={(event) => onText(event.target.value)}
        {...(help ? { 'aria-describedby': `${id}-help` } : {})}
      />
      {help && <small id={`${id}-help`}>{help}</small>}
    </div>
  );
}
