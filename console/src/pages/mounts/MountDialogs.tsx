import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';

interface MountDialogProps {
  /** Below `auth/`. */
  readonly path: string;
  readonly onClose: () => void;
}

/** To another path, with all that is in it. */
export function MoveDialog({ path, onClose }: MountDialogProps) {
  const [to, setTo] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const move = useMutation({
    mutationFn: () => access.send('POST /sys/remount', { body: { from: `auth/${path}`, to: `auth/${to}` } }),
    onSuccess: async ({ migration_id: moved }) => {
      announce(`Moved auth/${path} to auth/${to}`);
      await queries.invalidateQueries({ queryKey: access.key() });
      await navigate({ to: '/~access/mounts', search: { mount: to, moved } });
    },
  });
  return (
    <AskDialog
      title={`Move auth/${path}`}
      action="Move"
      off={to === '' && 'It needs a path'}
      busy={move.isPending}
      fault={move.error}
      onAction={() => move.mutate()}
      onClose={onClose}
    >
      <p>
        Roles, lists and tokens go along, and tokens live on. Whoever logs in at <code>auth/{path}/login</code> has to
        be told, and policies that name the path say nothing of the new one.
      </p>
      <Field
        label="New path"
        help={`Below auth/: it will be auth/${to || 'PATH'}.`}
        value={to}
        onText={setTo}
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
    </AskDialog>
  );
}

/** Nothing of it can be reached from then on. */
export function DisableDialog({ path, onClose }: MountDialogProps) {
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const disable = useMutation({
    mutationFn: () => access.send('DELETE /sys/auth/{path}', { path: { path } }),
    onSuccess: async () => {
      announce(`Disabled auth/${path}`);
      await navigate({ to: '/~access/mounts', search: {} });
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  return (
    <AskDialog
      title={`Disable auth/${path}`}
      action="Disable"
      destroys
      off={typed !== path && 'Type its path first'}
      busy={disable.isPending}
      fault={disable.error}
      onAction={() => disable.mutate()}
      onClose={onClose}
    >
      <p>
        Its roles, its revocation lists and every token that came of a login there end at once. That cannot be undone.
      </p>
      <Field label="Path of the mount" help={`Type ${path} to go on.`} value={typed} onText={setTyped} autoFocus />
    </AskDialog>
  );
}
