import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { workspaces } from '../../../api/client.ts';
import { Button } from '../../../components/button/Button.tsx';
import { announce } from '../../../components/copy/announce.ts';
import { AskDialog } from '../../../components/dialog/Dialog.tsx';
import { Field } from '../../../components/form/Field.tsx';
import { check } from './connection.ts';
import * as texts from './texts.ts';

/** Replaces the token of a connection, and checks it. */
export function ReplaceToken({ id }: { readonly id: string }) {
  const [isAsking, setAsking] = useState(false);
  const [token, setToken] = useState('');
  const replace = useChange(
    async () => {
      await workspaces.send('PATCH /oauth-clients/{oauth_client_id}', {
        path: { oauth_client_id: id },
        body: { data: { type: 'oauth-clients', attributes: { 'oauth-token-string': token } } },
      });
      // The page shows the result. A check that is refused does not undo the change.
      await check(id).catch(() => undefined);
    },
    () => {
      announce(texts.replacedToken);
      setAsking(false);
      setToken('');
    },
  );
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.replaceToken}</Button>
      {isAsking && (
        <AskDialog
          title={texts.replaceTheToken}
          action={texts.replace}
          busy={replace.isPending}
          fault={replace.error}
          off={token === '' && texts.enterTheToken}
          onAction={() => replace.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{texts.workspacesStay}</p>
          <Field
            name="oauth-token-string"
            label={texts.accessToken}
            help={texts.storedEncrypted}
            type="password"
            autoComplete="off"
            value={token}
            onText={setToken}
            autoFocus
          />
        </AskDialog>
      )}
    </>
  );
}
