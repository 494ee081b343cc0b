import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { access } from '../../api/client.ts';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field } from '../form/Field.tsx';

interface DangerProps {
  readonly button: string;
  readonly title: string;
  /** Text of the button that confirms. */
  readonly action: string;
  /** Text that the user must type to confirm. */
  readonly typed?: { readonly text: string; readonly label: string; readonly off: string; readonly help?: ReactNode };
  readonly run: () => Promise<unknown>;
  /** Announced after success. */
  readonly done: string;
  /** Called after success, before the responses of the access API are loaded again: leaves the page. */
  readonly onDone?: () => unknown;
  /** Consequences. */
  readonly children: ReactNode;
}

/** Button and confirmation dialog for a destructive action of the access API. */
export function Danger({ button, title, action, typed, run, done, onDone, children }: DangerProps) {
  const [isAsking, setAsking] = useState(false);
  const [text, setText] = useState('');
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      announce(done);
      setAsking(false);
      await onDone?.();
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {button}
      </Button>
      {isAsking && (
        <AskDialog
          title={title}
          action={action}
          destroys
          off={typed && text !== typed.text && typed.off}
          onAction={() => change.mutate()}
          onClose={() => setAsking(false)}
          busy={change.isPending}
          fault={change.error}
        >
          {children}
          {typed && (
            <Field
              label={typed.label}
              {...(typed.help && { help: typed.help })}
              value={text}
              onText={setText}
              autoComplete="off"
              autoFocus
            />
          )}
        </AskDialog>
      )}
    </>
  );
}
