import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import * as texts from './texts.ts';

const METHODS = [
  ['cert', texts.certClientCertificate],
  ['jwt', texts.jwtTokenOfAnotherIssuer],
] as const;

/** Enables an auth method at a path. */
export function EnableDialog({ onClose }: { readonly onClose: () => void }) {
  const [type, setType] = useState<string>('cert');
  const [path, setPath] = useState('');
  const [description, setDescription] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const enable = useMutation({
    mutationFn: () => access.send('POST /sys/auth/{path}', { path: { path }, body: { type, description } }),
    onSuccess: async () => {
      announce(texts.enabledAuth(path));
      await queries.invalidateQueries({ queryKey: access.key() });
      await navigate({ to: '/~access/mounts', search: { mount: path } });
    },
  });
  return (
    <AskDialog
      title={texts.enableAnAuthMethod}
      action={texts.enable}
      off={path === '' && texts.enterAPath}
      busy={enable.isPending}
      fault={enable.error}
      onAction={() => enable.mutate()}
      onClose={onClose}
    >
      <Select label={texts.method} value={type} options={METHODS} onText={setType} />
      <Field
        label={texts.path}
        help={texts.belowAuthClientsLog(path || 'PATH')}
        value={path}
        onText={setPath}
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
      <Field label={texts.description} help={texts.noteForAdministrators} value={description} onText={setDescription} />
    </AskDialog>
  );
}
