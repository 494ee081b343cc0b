import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import * as texts from './texts.ts';

const LONGEST = 4_096;

/** Finds entries by the hash of a text. The server hashes the text; it never appears in the URL. */
export function HashDialog({
  onClose,
  onHash,
}: {
  readonly onClose: () => void;
  readonly onHash: (hash: string) => void;
}) {
  const [input, setInput] = useState('');
  const sinks = useQuery(access.query('GET /sys/audit', {}));
  const name = Object.keys(sinks.data?.data ?? { 'file/': {} })[0]?.replace(/\/$/, '') ?? 'file';
  const hash = useMutation({
    mutationFn: () => access.send('POST /sys/audit-hash/{name}', { path: { name }, body: { input } }),
    onSuccess: ({ data }) => {
      onHash(data.hash);
      onClose();
    },
  });
  return (
    <AskDialog
      title={texts.findATextBy2}
      action={texts.find}
      onClose={onClose}
      onAction={() => hash.mutate()}
      off={input === '' ? texts.enterTheText : undefined}
      busy={hash.isPending}
      fault={hash.error}
    >
      <Field
        label={texts.text}
        help={texts.aTokenAName}
        value={input}
        onText={setInput}
        maxLength={LONGEST}
        autoComplete="off"
        spellCheck={false}
      />
    </AskDialog>
  );
}
