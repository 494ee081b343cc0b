import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Menu, MenuItem } from '../../components/menu/Menu.tsx';
import type { SiteUser } from './columns.tsx';
import styles from './users.module.css';

type Action = 'end_sessions' | 'suspend' | 'unsuspend' | 'grant_admin' | 'revoke_admin';

const TEXTS: Readonly<Record<Action, { title: string; action: string; says: string }>> = {
  end_sessions: {
    title: 'Sign out',
    action: 'End sessions',
    says: 'Every browser in which they are signed in is signed out with its next request. Their tokens stay.',
  },
  suspend: {
    title: 'Suspend',
    action: 'Suspend',
    says: 'None of their tokens lets anybody in from now on, and their sessions end. What they made stays; it can be undone.',
  },
  unsuspend: { title: 'Let in again', action: 'Let in again', says: 'Their tokens let them in as before.' },
  grant_admin: {
    title: 'Make a site administrator of',
    action: 'Make administrator',
    says: 'They can make users, tokens for anybody, and other administrators.',
  },
  revoke_admin: {
    title: 'Take the administration from',
    action: 'Take it',
    says: 'What they may do in organizations stays as it is.',
  },
};

interface UserMenuProps {
  readonly user: SiteUser;
  /** Told of a new token. */
  readonly onToken: (text: string) => void;
}

/** What can be done about somebody: each asks once more. */
export function UserMenu({ user, onToken }: UserMenuProps) {
  const { id, attributes } = user;
  const [asked, setAsked] = useState<Action | 'token'>();
  const account = useQuery({ ...workspaces.query('GET /account/details', {}), staleTime: 60_000 });
  const off = account.data?.data.id === id ? 'not for yourself: another administrator can' : undefined;
  const ask = (what: Action | 'token') => () => setAsked(what);
  return (
    <>
      <Menu button={<Icon name="more" />} label={`Actions for ${attributes.username}`} className={styles.more ?? ''}>
        <MenuItem onChoose={ask('token')} off={attributes['is-suspended'] ? 'they are suspended' : undefined}>
          New token…
        </MenuItem>
        <MenuItem onChoose={ask('end_sessions')} off={off && 'your own are on your account page'}>
          End sessions…
        </MenuItem>
        <MenuItem onChoose={ask(attributes['is-admin'] ? 'revoke_admin' : 'grant_admin')} off={off}>
          {attributes['is-admin'] ? 'Take the administration…' : 'Make site administrator…'}
        </MenuItem>
        <MenuItem onChoose={ask(attributes['is-suspended'] ? 'unsuspend' : 'suspend')} off={off}>
          {attributes['is-suspended'] ? 'Let in again…' : 'Suspend…'}
        </MenuItem>
      </Menu>
      {asked === 'token' && <TokenDialog user={user} onClose={() => setAsked(undefined)} onToken={onToken} />}
      {asked !== undefined && asked !== 'token' && (
        <ActionDialog user={user} action={asked} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

function ActionDialog({
  user,
  action,
  onClose,
}: {
  readonly user: SiteUser;
  readonly action: Action;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const { title, action: verb, says } = TEXTS[action];
  const name = user.attributes.username;
  const change = useMutation({
    mutationFn: (): Promise<unknown> => {
      const path = { user_id: user.id };
      if (action === 'end_sessions') return workspaces.send('DELETE /users/{user_id}/sessions', { path });
      return workspaces.send(`POST /admin/users/{user_id}/actions/${action}` as const, { path });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: workspaces.key('GET /admin/users') });
      announce(`${verb}: done for ${name}`);
      onClose();
    },
  });
  return (
    <AskDialog
      title={`${title} ${name}?`}
      action={verb}
      destroys={action === 'end_sessions' || action === 'suspend' || action === 'revoke_admin'}
      onClose={onClose}
      onAction={() => change.mutate()}
      busy={change.isPending}
      fault={change.error}
    >
      <p>{says}</p>
    </AskDialog>
  );
}

function TokenDialog({ user, onClose, onToken }: UserMenuProps & { readonly onClose: () => void }) {
  const issue = useMutation({
    mutationFn: () => issueToken(user.id),
    onSuccess: (text) => {
      onToken(text);
      onClose();
    },
  });
  return (
    <AskDialog
      title={`A new token for ${user.attributes.username}?`}
      action="Make a token"
      onClose={onClose}
      onAction={() => issue.mutate()}
      busy={issue.isPending}
      fault={issue.error}
    >
      <p>Whoever has it is {user.attributes.username}. It is on record who made it; tokens from before stay.</p>
    </AskDialog>
  );
}

/** @returns the text of it, which is shown once */
export async function issueToken(userId: string): Promise<string> {
  const { data } = await workspaces.send('POST /admin/users/{user_id}/authentication-tokens', {
    path: { user_id: userId },
    body: { data: { type: 'authentication-tokens', attributes: { description: 'made by a site administrator' } } },
  });
  return data.attributes.token ?? '';
}
