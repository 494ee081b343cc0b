import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field } from '../form/Field.tsx';
import { Section } from '../section/Section.tsx';
import * as texts from './texts.ts';

interface DeleteRoleProps {
  readonly role: string;
  readonly remove: () => Promise<unknown>;
  /** Called after the deletion; leaves the role's page. */
  readonly onGone: () => Promise<void>;
}

/** Deletes a role after the user has typed its name. */
export function DeleteRole({ role, remove, onGone }: DeleteRoleProps) {
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      announce(texts.deleted(role));
      await onGone();
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <Section title={texts.deletion}>
      <p>
        <Button look="danger" onClick={() => setAsking(true)}>
          {texts.deleteTheRole}
        </Button>
      </p>
      {asking && (
        <AskDialog
          title={texts.deleteTheRole2(role)}
          action={texts.deleteText}
          destroys
          off={typed !== role && texts.typeTheNameToConfirm}
          busy={change.isPending}
          fault={change.error}
          onAction={() => change.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{texts.clientsCanNoLonger}</p>
          <Field
            label={texts.nameOfTheRole}
            help={texts.typeToConfirm(role)}
            value={typed}
            onText={setTyped}
            autoFocus
          />
        </AskDialog>
      )}
    </Section>
  );
}
