import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field } from '../form/Field.tsx';
import * as texts from './texts.ts';

/** Number of suggested workspaces. */
const OFFERED = 20;

interface WorkspaceDialogProps {
  readonly organization: string;
  readonly title: string;
  readonly action: string;
  /** Explanation above the name field. */
  readonly children?: ReactNode;
  readonly run: (id: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Dialog for an action on a workspace, which the user selects by name. */
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
      off={name === '' && texts.enterAName}
      busy={change.isPending}
      fault={change.error}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      {children}
      <Field
        label={texts.workspace}
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
