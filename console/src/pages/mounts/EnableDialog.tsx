import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field, Select } from '../../components/form/Field.tsx';

const METHODS = [
  ['cert', 'cert: by certificate'],
  ['jwt', 'jwt: with a token of another issuer'],
] as const;

/** Another place to log in at, with roles of its own. */
export function EnableDialog({ onClose }: { readonly onClose: () => void }) {
  const [type, setType] = useState<string>('cert');
  const [path, setPath] = useState('');
  const [description, setDescription] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const enable = useMutation({
    mutationFn: () => access.send('POST /sys/auth/{path}', { path: { path }, body: { type, description } }),
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
      <Select label="Method" value={type} options={METHODS} onText={setType} />
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
