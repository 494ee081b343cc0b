import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { issueToken } from './UserMenu.tsx';

interface NewUserDialogProps {
  readonly onClose: () => void;
  readonly onMade: (username: string, token: string) => void;
}

/** Makes somebody, and the token that they sign in with first. */
export function NewUserDialog({ onClose, onMade }: NewUserDialogProps) {
  const queries = useQueryClient();
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [isAdmin, setAdmin] = useState(false);
  // Where the token alone fails, the user is there already.
  const made = useRef<string>(undefined);
  const make = useMutation({
    mutationFn: async () => {
      made.current ??= (
        await workspaces.send('POST /admin/users', {
          body: { data: { type: 'users', attributes: { username, email, 'is-admin': isAdmin } } },
        })
      ).data.id;
      return issueToken(made.current);
    },
    onSuccess: async (token) => {
      onMade(username, token);
      await queries.invalidateQueries({ queryKey: workspaces.key('GET /admin/users') });
    },
  });
  return (
    <AskDialog
      title="New user"
      action="Make the user"
      onClose={onClose}
      onAction={() => make.mutate()}
      off={username === '' || email === '' ? 'name and address are missing' : undefined}
      busy={make.isPending}
      fault={make.error}
    >
      <Field label="Name" name="username" value={username} onText={setUsername} maxLength={60} autoComplete="off" />
      <Field
        label="Email"
        name="email"
        help="Whoever was invited under it is a member from now on."
        value={email}
        onText={setEmail}
        maxLength={254}
        autoComplete="off"
      />
      <Check
        label="Site administrator"
        help="Can make users and tokens for anybody."
        checked={isAdmin}
        onCheck={setAdmin}
      />
    </AskDialog>
  );
}
