import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Area, Field } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { NotForYou, usePart } from './part.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/ssh-keys';

/** SSH private keys with which runs fetch modules. The API never returns them. */
export function SshKeys() {
  const { organization, path, may } = usePart(texts.sshKeys, (name) =>
    workspaces.request(LIST, { path: { organization_name: name } }),
  );
  const mayAll = may?.['can-update-ssh-keys'] ?? false;
  const keys = useQuery({ ...workspaces.query(LIST, { path, query: { 'page[size]': '100' } }), enabled: mayAll });
  const [isAdding, setAdding] = useState(false);
  if (may && !mayAll) return <NotForYou needs="can-update-ssh-keys" />;
  return (
    <Section
      title={texts.sshKeys}
      end={
        <Button look="small" onClick={() => setAdding(true)}>
          {texts.addKey}
        </Button>
      }
    >
      <p className="soft">{texts.workspacesUseAnAssigned}</p>
      <QueryResult query={keys} what={texts.sshKeys}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noSshKeysYet}</p>
          ) : (
            <Table
              label={texts.sshKeys}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'name', head: texts.name, isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                { id: 'id', head: texts.id, cell: ({ id }) => <code>{id}</code> },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes: { name } }) => (
                    <Destroy
                      verb={texts.deleteText}
                      what={texts.key(name)}
                      name={name}
                      isRow
                      run={() => workspaces.send('DELETE /ssh-keys/{ssh_key_id}', { path: { ssh_key_id: id } })}
                    >
                      <p>{texts.workspacesWithThisKey}</p>
                    </Destroy>
                  ),
                },
              ]}
            />
          )
        }
      </QueryResult>
      {isAdding && <AddKey organization={organization} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function AddKey({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const add = useChange(
    () =>
      workspaces.send('POST /organizations/{organization_name}/ssh-keys', {
        path: { organization_name: organization },
        body: { data: { type: 'ssh-keys', attributes: { name, value } } },
      }),
    onClose,
  );
  return (
    <AskDialog
      title={texts.addAnSshKey}
      action={texts.addKey2}
      busy={add.isPending}
      fault={add.error}
      off={(name === '' || value === '') && texts.enterANameAnd2}
      onAction={() => add.mutate()}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} value={name} onText={setName} autoFocus />
      <Area
        name="value"
        label={texts.privateKey}
        help={texts.aPrivateKeyWithout}
        isCode
        rows={6}
        value={value}
        onText={setValue}
      />
    </AskDialog>
  );
}
