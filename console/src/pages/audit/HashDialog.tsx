import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';

const LONGEST = 4_096;

/** The text itself goes to the server once and is nowhere in the address. */
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
      title="Find a text by its hash"
      action="Find it"
      onClose={onClose}
      onAction={() => hash.mutate()}
      off={input === '' ? 'type the text' : undefined}
      busy={hash.isPending}
      fault={hash.error}
    >
      <Field
        label="Text"
        help="A token, a name, an id: exactly as it was sent. The same text has the same hash in every line and on every node."
        value={input}
        onText={setInput}
        maxLength={LONGEST}
        autoComplete="off"
        spellCheck={false}
      />
    </AskDialog>
  );
}
