import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field } from '../form/Field.tsx';
import { Section } from '../section/Section.tsx';

interface DeleteRoleProps {
  readonly role: string;
  readonly remove: () => Promise<unknown>;
  /** Leaves its page. */
  readonly onGone: () => Promise<void>;
}

/** Takes a role away, once its name has been typed. */
export function DeleteRole({ role, remove, onGone }: DeleteRoleProps) {
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      announce(`Deleted ${role}`);
      await onGone();
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <Section title="Deletion">
      <p>
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete the role…
        </Button>
      </p>
      {asking && (
        <AskDialog
          title={`Delete the role ${role}`}
          action="Delete"
          destroys
          off={typed !== role && 'Type its name first'}
          busy={change.isPending}
          fault={change.error}
          onAction={() => change.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>Nobody logs in by it from then on. Tokens that were given out live on until they end.</p>
          <Field label="Name of the role" help={`Type ${role} to go on.`} value={typed} onText={setTyped} autoFocus />
        </AskDialog>
      )}
    </Section>
  );
}
