import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field } from '../form/Field.tsx';

/** That many are offered of those whose names fit. */
const OFFERED = 20;

interface WorkspaceDialogProps {
  readonly organization: string;
  readonly title: string;
  readonly action: string;
  /** Before the name is asked for: what comes of it. */
  readonly children?: ReactNode;
  readonly run: (id: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Does something with a workspace that is chosen by its name: there may be very many. */
export function WorkspaceDialog({ organization, title, action, children, run, onClose }: WorkspaceDialogProps) {
  const [name, setName] = useState('');
  const list = useId();
  const path = { organization_name: organization };
  const fitting = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/workspaces', {
      path,
      query: { 'page[size]': String(OFFERED), ...(name !== '' && { 'search[name]': name }) },
    }),
    placeholderData: keepPreviousData,
  });
  const change = useChange(async () => {
    const { data } = await workspaces.send('GET /organizations/{organization_name}/workspaces/{workspace_name}', {
      path: { ...path, workspace_name: name },
    });
    await run(data.id);
  }, onClose);
  return (
    <AskDialog
      title={title}
      action={action}
      off={name === '' && 'It needs a name'}
      busy={change.isPending}
      fault={change.error}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      {children}
      <Field
        label="Workspace"
        value={name}
        onText={setName}
        list={list}
        autoComplete="off"
        autoFocus
        spellCheck={false}
      />
      <datalist id={list}>
        {fitting.data?.data.map(({ id, attributes }) => (
          <option key={id} value={attributes.name} />
        ))}
      </datalist>
    </AskDialog>
  );
}
