import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';

/** Another place to log in at, by certificate: the one method that there is. */
export function EnableDialog({ onClose }: { readonly onClose: () => void }) {
  const [path, setPath] = useState('');
  const [description, setDescription] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const enable = useMutation({
    mutationFn: () => access.send('POST /sys/auth/{path}', { path: { path }, body: { type: 'cert', description } }),
    onSuccess: async () => {
      announce(`Enabled auth/${path}`);
      await queries.invalidateQueries({ queryKey: access.key() });
      await navigate({ to: '/~access/mounts', search: { mount: path } });
    },
  });
  return (
    <AskDialog
      title="Enable a method"
      action="Enable"
      off={path === '' && 'It needs a path'}
      busy={enable.isPending}
      fault={enable.error}
      onAction={() => enable.mutate()}
      onClose={onClose}
    >
      <p>
        Logins by certificate (<code>cert</code>), with roles of their own.
      </p>
      <Field
        label="Path"
        help={`Below auth/: machines log in at auth/${path || 'PATH'}/login.`}
        value={path}
        onText={setPath}
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
      <Field label="Description" help="For people." value={description} onText={setDescription} />
    </AskDialog>
  );
}
