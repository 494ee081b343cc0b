import { type ReactNode, useId } from 'react';
import { bytes } from '../../format/number.ts';
import styles from './transfer.module.css';

interface FileFieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  /** Accepted file types: `.json,.tfstate`. */
  readonly accept: string;
  readonly file: File | undefined;
  readonly onFile: (file: File | undefined) => void;
}

/** Field for a local file. */
export function FileField({ label, help, accept, file, onFile }: FileFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onFile(target.files?.[0])}
      />
      <small id={`${id}-help`}>{file ? bytes(file.size) : help}</small>
    </div>
  );
}
