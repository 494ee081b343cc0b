import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { ApiError } from '../../api/error.ts';
import { Button } from '../button/Button.tsx';
import { Faults, NONE } from '../form/faults.ts';
import styles from './dialog.module.css';
import * as texts from './texts.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/**
 * Native modal dialog: the browser traps the focus, closes the dialog on Esc and restores the focus. It is a child of the body,
 * because the button that opens it may be in a paragraph or a form, which must not contain it.
 */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return createPortal(
    <dialog
      ref={ref}
      className={`${styles.dialog} ${wide ? styles.wide : ''}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // React passes events on to the component that renders the dialog, which may be in another form.
      onSubmit={(event) => event.stopPropagation()}
    >
      <h2 id={heading}>
        <bdi>{title}</bdi>
      </h2>
      {children}
    </dialog>,
    document.body,
  );
}

interface AskDialogProps extends DialogProps {
  /** Label of the button that performs the action: a verb with its object. */
  readonly action: string;
  readonly onAction: () => void;
  /** Whether the action is destructive. */
  readonly destroys?: boolean;
  /** Reason why the action is not possible yet. */
  readonly off?: string | false | undefined;
  readonly busy?: boolean;
  /** Error of the last attempt. Messages about a field appear at the field. */
  readonly fault?: Error | null;
}

/** Dialog that asks for confirmation or input before an action. */
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
          <Button onClick={dialog.onClose}>{texts.cancel}</Button>
          <Button type="submit" look={destroys ? 'destroy' : 'primary'} off={off}>
            {busy ? `${action}…` : action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
