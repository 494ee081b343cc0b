import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field } from '../form/Field.tsx';

interface DestroyProps {
  /** A verb: `Delete`, `Revoke`. */
  readonly verb: string;
  /** Of what: `project network`. */
  readonly what: string;
  /** Has to be typed; without it the question alone is asked. */
  readonly name?: string;
  /** What goes with it, and who notices. */
  readonly children: ReactNode;
  readonly run: () => Promise<unknown>;
  /** Leaves the page, where it is of what is gone. */
  readonly onDone?: () => Promise<void>;
  /** In a row of a list. */
  readonly isRow?: boolean;
}

/** Takes something away from somebody, after it has said what goes with it. */
export function Destroy({ verb, what, name, children, run, onDone, isRow = false }: DestroyProps) {
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const change = useChange(run, () => {
    announce(`${verb}: ${what}, done`);
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
          off={name !== undefined && typed !== name && 'Type the name'}
          onAction={() => change.mutate()}
          onClose={close}
        >
          {children}
          {name !== undefined && (
            <Field
              label="Name"
              help={
                <>
                  Type <bdi className="mono">{name}</bdi>.
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
