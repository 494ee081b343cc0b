import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { useOrganization } from '../../shell/organization.ts';
import type { PartProps } from './part.tsx';
import * as texts from './texts.ts';

/** SSH key with which runs fetch modules. Only users with permission to manage keys can see the names of keys. */
export function SshKey({ organization, workspace: { id, attributes, relationships } }: PartProps) {
  const { may } = useOrganization(organization);
  const key = relationships['ssh-key']?.data?.id ?? '';
  if (!may?.['can-update-ssh-keys'] || !attributes.permissions['can-update']) {
    return <p>{key ? <code>{key}</code> : texts.noSshKey}</p>;
  }
  return <KeyForm key={key} organization={organization} workspace={id} before={key} />;
}

interface KeyFormProps {
  readonly organization: string;
  readonly workspace: string;
  readonly before: string;
}

function KeyForm({ organization, workspace, before }: KeyFormProps) {
  const [chosen, setChosen] = useState(before);
  const keys = useQuery(
    workspaces.query('GET /organizations/{organization_name}/ssh-keys', {
      path: { organization_name: organization },
      query: { 'page[size]': '100' },
    }),
  );
  const save = useChange(
    () =>
      workspaces.send('PATCH /workspaces/{workspace_id}/relationships/ssh-key', {
        path: { workspace_id: workspace },
        body: { data: { type: 'workspaces', attributes: { id: chosen || null } } },
      }),
    () => announce(texts.saved2),
  );
  return (
    <QueryResult query={keys} what={texts.sshKeys}>
      {({ data }) => (
        <Form
          action={texts.saveKey}
          isPrimary={false}
          busy={save.isPending}
          fault={save.error}
          off={chosen === before && texts.noChanges}
          onSubmit={() => save.mutate()}
        >
          <Select
            label={texts.sshKey}
            help={texts.runsFetchModulesWith}
            value={chosen}
            options={[['', 'none'], ...data.map((one) => [one.id, one.attributes.name] as const)]}
            onText={setChosen}
          />
        </Form>
      )}
    </QueryResult>
  );
}
