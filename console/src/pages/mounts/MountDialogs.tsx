import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import * as texts from './texts.ts';

interface MountDialogProps {
  /** Path below `auth/`. */
  readonly path: string;
  readonly onClose: () => void;
}

/** Moves a mount with its roles and tokens to another path. */
export function MoveDialog({ path, onClose }: MountDialogProps) {
  const [to, setTo] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const move = useMutation({
    mutationFn: () => access.send('POST /sys/remount', { body: { from: `auth/${path}`, to: `auth/${to}` } }),
    onSuccess: async ({ migration_id: moved }) => {
      announce(texts.movedAuthToAuth(path, to));
      await queries.invalidateQueries({ queryKey: access.key() });
      await navigate({ to: '/~access/mounts', search: { mount: to, moved } });
    },
  });
  return (
    <AskDialog
      title={texts.moveAuth(path)}
      action={texts.move}
      off={to === '' && texts.enterAPath}
      busy={move.isPending}
      fault={move.error}
      onAction={() => move.mutate()}
      onClose={onClose}
    >
      <p>
        {texts.rolesCrlsAndTokens} <code>auth/{path}/login</code> {texts.mustUseTheNew}
      </p>
      <Field
        label={texts.newPath}
        help={texts.belowAuthTheNew(to || 'PATH')}
        value={to}
        onText={setTo}
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
    </AskDialog>
  );
}

/** Disables a mount and deletes its data. */
export function DisableDialog({ path, onClose }: MountDialogProps) {
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const disable = useMutation({
    mutationFn: () => access.send('DELETE /sys/auth/{path}', { path: { path } }),
    onSuccess: async () => {
      announce(texts.disabledAuth(path));
      await navigate({ to: '/~access/mounts', search: {} });
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <AskDialog
      title={texts.disableAuth(path)}
      action={texts.disable}
      destroys
      off={typed !== path && texts.typeThePathToConfirm}
      busy={disable.isPending}
      fault={disable.error}
      onAction={() => disable.mutate()}
      onClose={onClose}
    >
      <p>{texts.thisDeletesTheRoles}</p>
      <Field label={texts.pathOfTheMount} help={texts.typeToConfirm(path)} value={typed} onText={setTyped} autoFocus />
    </AskDialog>
  );
}
