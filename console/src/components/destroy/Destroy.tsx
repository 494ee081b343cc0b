import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field } from '../form/Field.tsx';
import * as texts from './texts.ts';

interface DestroyProps {
  /** Verb on the button: `Delete`, `Revoke`. */
  readonly verb: string;
  /** Object of the verb: `project network`. */
  readonly what: string;
  /** Name that the user must type to confirm. Without it the dialog has only the buttons to confirm or cancel. */
  readonly name?: string;
  /** Consequences: other things that are deleted, and who is affected. */
  readonly children: ReactNode;
  readonly run: () => Promise<unknown>;
  /** Called after success; leaves the page if the deleted resource was its subject. */
  readonly onDone?: () => Promise<void>;
  /** Whether the button is in a row of a list. */
  readonly isRow?: boolean;
}

/** Button and confirmation dialog for a destructive action. */
export function Destroy({ verb, what, name, children, run, onDone, isRow = false }: DestroyProps) {
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const change = useChange(run, () => {
    announce(texts.done(verb, what));
    setAsking(false);
    return onDone?.();
  });
  const close = () => {
    setAsking(false);
    setTyped('');
    change.reset();
  };
  return (
    <>
      <Button
        look={isRow ? ['small', 'danger'] : 'danger'}
        aria-label={`${verb} ${what}…`}
        onClick={() => setAsking(true)}
      >
        {isRow ? `${verb}…` : `${verb} ${what.split(' ')[0]}…`}
      </Button>
      {isAsking && (
        <AskDialog
          title={`${verb} ${what}`}
          action={verb}
          destroys
          busy={change.isPending}
          fault={change.error}
          off={name !== undefined && typed !== name && texts.typeTheNameToConfirm}
          onAction={() => change.mutate()}
          onClose={close}
        >
          {children}
          {name !== undefined && (
            <Field
              label={texts.name}
              help={
                <>
                  {texts.toConfirmType} <bdi className="mono">{name}</bdi>.
                </>
              }
              value={typed}
              onText={setTyped}
              autoComplete="off"
              autoFocus
            />
          )}
        </AskDialog>
      )}
    </>
  );
}
