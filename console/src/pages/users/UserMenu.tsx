import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog, Dialog } from '../../components/dialog/Dialog.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Menu, MenuItem } from '../../components/menu/Menu.tsx';
import { Passkeys } from '../../components/passkeys/Passkeys.tsx';
import type { SiteUser } from './columns.tsx';
import * as texts from './texts.ts';
import styles from './users.module.css';

type Action = 'end_sessions' | 'suspend' | 'unsuspend' | 'grant_admin' | 'revoke_admin';

const TEXTS: Readonly<Record<Action, { title: string; action: string; says: string }>> = {
  end_sessions: {
    title: texts.endTheSessionsOf,
    action: texts.endSessions,
    says: texts.allBrowsersInWhich,
  },
  suspend: {
    title: texts.suspend,
    action: texts.suspend,
    says: texts.theTokensOfThe,
  },
  unsuspend: { title: texts.activate, action: texts.activate, says: texts.theTokensOfThe2 },
  grant_admin: {
    title: texts.makeASiteAdministratorOf,
    action: texts.makeAdministrator,
    says: texts.aSiteAdministratorCan,
  },
  revoke_admin: {
    title: texts.removeTheAdministratorRoleOf,
    action: texts.removeRole,
    says: texts.thePermissionsOfThe,
  },
};

interface UserMenuProps {
  readonly user: SiteUser;
  /** Called with a new token. */
  readonly onToken: (text: string) => void;
}

/** Menu of actions on a user. Each action asks for confirmation. */
export function UserMenu({ user, onToken }: UserMenuProps) {
  const { id, attributes } = user;
  const [asked, setAsked] = useState<Action | 'token' | 'passkeys'>();
  const account = useQuery({ ...workspaces.query('GET /account/details', {}), staleTime: 60_000 });
  const off = account.data?.data.id === id ? texts.youCannotChangeYour : undefined;
  const ask = (what: Action | 'token' | 'passkeys') => () => setAsked(what);
  return (
    <>
      <Menu button={<Icon name="more" />} label={texts.actionsFor(attributes.username)} className={styles.more ?? ''}>
        <MenuItem onChoose={ask('token')} off={attributes['is-suspended'] ? texts.theUserIsSuspended : undefined}>
          {texts.newToken}
        </MenuItem>
        <MenuItem onChoose={ask('passkeys')}>{texts.passkeys}</MenuItem>
        <MenuItem onChoose={ask('end_sessions')} off={off && texts.endYourOwnSessions}>
          {texts.endSessions2}
        </MenuItem>
        <MenuItem onChoose={ask(attributes['is-admin'] ? 'revoke_admin' : 'grant_admin')} off={off}>
          {attributes['is-admin'] ? texts.removeAdministratorRole : texts.makeSiteAdministrator}
        </MenuItem>
        <MenuItem onChoose={ask(attributes['is-suspended'] ? 'unsuspend' : 'suspend')} off={off}>
          {attributes['is-suspended'] ? texts.activate2 : texts.suspend2}
        </MenuItem>
      </Menu>
      {asked === 'token' && <TokenDialog user={user} onClose={() => setAsked(undefined)} onToken={onToken} />}
      {asked === 'passkeys' && (
        <Dialog title={texts.passkeysOf(attributes.username)} onClose={() => setAsked(undefined)}>
          <Passkeys userId={id} />
        </Dialog>
      )}
      {asked !== undefined && asked !== 'token' && asked !== 'passkeys' && (
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
      announce(texts.doneFor(verb, name));
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
      title={texts.createATokenFor(user.attributes.username)}
      action={texts.createToken}
      onClose={onClose}
      onAction={() => issue.mutate()}
      busy={issue.isPending}
      fault={issue.error}
    >
      <p>{texts.anyoneWhoHoldsThe(user.attributes.username)}</p>
    </AskDialog>
  );
}

/**
 * Creates a token.
 * @returns the token, which is shown once
 */
export async function issueToken(userId: string): Promise<string> {
  const { data } = await workspaces.send('POST /admin/users/{user_id}/authentication-tokens', {
    path: { user_id: userId },
    body: { data: { type: 'authentication-tokens', attributes: { description: 'made by a site administrator' } } },
  });
  return data.attributes.token ?? '';
}
