import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { ApiError } from '../../api/error.ts';
import { Button } from '../button/Button.tsx';
import { Faults, NONE } from '../form/faults.ts';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/** The browser's own: it keeps the focus inside, ends with Esc and gives the focus back. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={`${styles.dialog} ${wide ? styles.wide : ''}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={heading}>
        <bdi>{title}</bdi>
      </h2>
      {children}
    </dialog>
  );
}

interface AskDialogProps extends DialogProps {
  /** What the button says that does it: a verb with its object. */
  readonly action: string;
  readonly onAction: () => void;
  /** It cannot be undone, or takes something from somebody. */
  readonly destroys?: boolean;
  /** Why it cannot be done yet. */
  readonly off?: string | false | undefined;
  readonly busy?: boolean;
  /** What the server said the last time: of a field, where it names one. */
  readonly fault?: Error | null;
}

/** Asks before something is done, or for what it takes. */
export function AskDialog({ action, onAction, destroys, off, busy, fault, children, ...dialog }: AskDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!off && !busy) onAction();
  };
  return (
    <Dialog {...dialog}>
      <form onSubmit={submit} noValidate>
        <Faults value={fault instanceof ApiError ? fault.fields : NONE}>{children}</Faults>
        {fault && (
          <p className={styles.fault} role="alert">
            {fault.message}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" look={destroys ? 'destroy' : 'primary'} off={off}>
            {busy ? `${action}…` : action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
