import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import * as texts from './texts.ts';
import { issueToken } from './UserMenu.tsx';

interface NewUserDialogProps {
  readonly onClose: () => void;
  readonly onMade: (username: string, token: string) => void;
}

/** Creates a user and their first token. */
export function NewUserDialog({ onClose, onMade }: NewUserDialogProps) {
  const queries = useQueryClient();
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [isAdmin, setAdmin] = useState(false);
  // The user already exists if only the token request failed: a retry creates the token only.
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
      title={texts.newUser}
      action={texts.createUser}
      onClose={onClose}
      onAction={() => make.mutate()}
      off={username === '' || email === '' ? texts.enterANameAnd : undefined}
      busy={make.isPending}
      fault={make.error}
    >
      <Field
        label={texts.name}
        name="username"
        value={username}
        onText={setUsername}
        maxLength={60}
        autoComplete="off"
      />
      <Field
        label={texts.email}
        name="email"
        help={texts.invitationsToThisEmail}
        value={email}
        onText={setEmail}
        maxLength={254}
        autoComplete="off"
      />
      <Check label={texts.siteAdministrator} help={texts.canCreateUsersAnd} checked={isAdmin} onCheck={setAdmin} />
    </AskDialog>
  );
}
