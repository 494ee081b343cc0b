import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Area, Field } from '../../components/form/Field.tsx';
import { warningsOf } from '../../components/role/RoleForm.tsx';

interface AddListDialogProps {
  readonly mount: string;
  readonly onClose: () => void;
}

/** A list that is fetched from somewhere, or that is given once. */
export function AddListDialog({ mount, onClose }: AddListDialogProps) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [text, setText] = useState('');
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () =>
      access.send('POST /auth/{cert_mount_path}/crls/{name}', {
        path: { cert_mount_path: mount, name },
        body: url ? { url } : { crl: text },
      }),
    onSuccess: async (answer) => {
      announce(`Added ${name}`);
      await queries.invalidateQueries({ queryKey: access.key('GET /auth/{cert_mount_path}/crls/') });
      if (warningsOf(answer).length === 0) onClose();
    },
  });
  const missing = name === '' ? 'It needs a name' : url === '' && text === '' && 'Say where it is, or paste it';
  return (
    <AskDialog
      wide
      title="Add a revocation list"
      action="Add the list"
      off={missing}
      busy={add.isPending}
      fault={add.error}
      onAction={() => add.mutate()}
      onClose={onClose}
    >
      {warningsOf(add.data).map((warning) => (
        <Banner key={warning} is="attention" icon="warn">
          {warning}
        </Banner>
      ))}
      <Field label="Name" value={name} onText={setName} autoFocus autoComplete="off" />
      <Field
        label="Address"
        help="It is fetched from there now, and kept fresh from then on."
        placeholder="https://ca.example/corp.crl"
        value={url}
        onText={setUrl}
      />
      <Area
        label="Or the list itself"
        help="PEM. Nobody keeps it fresh."
        isCode
        rows={5}
        off={url !== '' && 'It is fetched from the address'}
        value={text}
        onText={setText}
      />
    </AskDialog>
  );
}
