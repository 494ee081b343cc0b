import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Area, Field } from '../../components/form/Field.tsx';
import { warningsOf } from '../../components/role/RoleForm.tsx';
import * as texts from './texts.ts';

interface AddListDialogProps {
  readonly mount: string;
  readonly onClose: () => void;
}

/** Adds a CRL that the server fetches from a URL, or a pasted one. */
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
      announce(texts.added(name));
      await queries.invalidateQueries({ queryKey: access.key('GET /auth/{cert_mount_path}/crls/') });
      if (warningsOf(answer).length === 0) onClose();
    },
  });
  const missing = name === '' ? texts.enterAName : url === '' && text === '' && texts.enterAUrlOr;
  return (
    <AskDialog
      wide
      title={texts.addACrl}
      action={texts.addCrl}
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
      <Field label={texts.name} value={name} onText={setName} autoFocus autoComplete="off" />
      <Field
        label={texts.url}
        help={texts.theServerFetchesThe}
        placeholder="https://ca.example/corp.crl"
        value={url}
        onText={setUrl}
      />
      <Area
        label={texts.orPasteTheCrl}
        help={texts.pemTheServerDoes}
        isCode
        rows={5}
        off={url !== '' && texts.theServerFetchesThe2}
        value={text}
        onText={setText}
      />
    </AskDialog>
  );
}
