import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Area, Field } from '../../components/form/Field.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { NotForYou, usePart } from './part.tsx';

const LIST = 'GET /organizations/{organization_name}/ssh-keys';

/** Private keys by which runs fetch modules. Nobody reads them again. */
export function SshKeys() {
  const { organization, path, may } = usePart('SSH keys', (name) =>
    workspaces.request(LIST, { path: { organization_name: name } }),
  );
  const mayAll = may?.['can-update-ssh-keys'] ?? false;
  const keys = useQuery({ ...workspaces.query(LIST, { path, query: { 'page[size]': '100' } }), enabled: mayAll });
  const [isAdding, setAdding] = useState(false);
  if (may && !mayAll) return <NotForYou needs="can-update-ssh-keys" />;
  return (
    <Section
      title="SSH keys"
      end={
        <Button look="small" onClick={() => setAdding(true)}>
          Add key…
        </Button>
      }
    >
      <p className="soft">
        A workspace that is given one fetches its modules with it. The key itself is sealed, and in no answer.
      </p>
      <Answered query={keys} what="SSH keys">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">There is none.</p>
          ) : (
            <Table
              label="SSH keys"
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'name', head: 'Name', isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                { id: 'id', head: 'Id', cell: ({ id }) => <code>{id}</code> },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes: { name } }) => (
                    <Destroy
                      verb="Delete"
                      what={`key ${name}`}
                      name={name}
                      isRow
                      run={() => workspaces.send('DELETE /ssh-keys/{ssh_key_id}', { path: { ssh_key_id: id } })}
                    >
                      <p>Workspaces that have it fetch their modules without a key.</p>
                    </Destroy>
                  ),
                },
              ]}
            />
          )
        }
      </Answered>
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
      title="Add an SSH key"
      action="Add key"
      busy={add.isPending}
      fault={add.error}
      off={(name === '' || value === '') && 'It needs a name and a key'}
      onAction={() => add.mutate()}
      onClose={onClose}
    >
      <Field name="name" label="Name" value={name} onText={setName} autoFocus />
      <Area
        name="value"
        label="Private key"
        help="A private key without a passphrase, as ssh-keygen writes it."
        isCode
        rows={6}
        value={value}
        onText={setValue}
      />
    </AskDialog>
  );
}
