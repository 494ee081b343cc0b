import { type DragEvent, useId, useState } from 'react';
import { buttonClass } from '../button/Button.tsx';
import { Area } from '../form/Field.tsx';
import styles from './certificate.module.css';
import * as texts from './texts.ts';

interface CertificateAreaProps {
  readonly value: string;
  readonly rows?: number;
  /** Called with typed or pasted text. */
  readonly onText: (pem: string) => void;
  readonly onFile: (file: File) => void;
}

/** Field for certificates: accepts typed and pasted text and dropped files. */
export function CertificateArea({ value, rows = 10, onText, onFile }: CertificateAreaProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can also be chosen, and text pasted
    <div
      className={isOver ? styles.over : ''}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Area
        label={texts.certificates}
        help={texts.pemTheCertificateFirst}
        isCode
        rows={rows}
        placeholder="-----BEGIN CERTIFICATE-----"
        value={value}
        onText={onText}
      />
    </div>
  );
}

export function FileButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const id = useId();
  return (
    <span className={styles.file}>
      <input
        id={id}
        type="file"
        accept=".pem,.crt,.cer,application/x-pem-file,text/plain"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
        }}
      />
      <label htmlFor={id} className={buttonClass()}>
        {texts.chooseAFile}
      </label>
    </span>
  );
}
