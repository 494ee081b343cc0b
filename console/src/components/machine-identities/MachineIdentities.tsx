import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../button/Button.tsx';
import { Destroy } from '../destroy/Destroy.tsx';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field } from '../form/Field.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { Section } from '../section/Section.tsx';
import { Table } from '../table/Table.tsx';
import { CommonName, LastUsed } from './OfRole.tsx';
import * as texts from './texts.ts';

type Identity = Resources['machine-identities'];
/** Attributes of a new machine identity. */
export interface NewIdentity {
  readonly mount: string;
  readonly role: string;
  readonly 'common-name': string | null;
}

interface IdentitiesProps {
  /** Owner of the identities, such as `team network`. */
  readonly of: string;
  readonly query: UseQueryResult<{ readonly data: readonly Identity[] }>;
  readonly create?: ((attributes: NewIdentity) => Promise<unknown>) | undefined;
}

/** Machine identities of a team or an agent pool: which certificate logins act for it. */
export function MachineIdentities({ of, query, create }: IdentitiesProps) {
  const [isAsking, setAsking] = useState(false);
  const open = create && (
    <Button look="small" onClick={() => setAsking(true)}>
      {texts.addMachineIdentity}
    </Button>
  );
  return (
    <Section title={texts.machineIdentities} end={open}>
      <p className="soft">{texts.identitiesHint}</p>
      <QueryResult query={query} what={texts.machineIdentities}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noMachineIdentitiesYet}</p>
          ) : (
            <Table
              label={texts.machineIdentitiesOf(of)}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'role',
                  head: texts.role,
                  isName: true,
                  cell: ({ id, attributes: { mount, role } }) => (
                    <Link to="/~access/machine-identities" search={{ mount, role, identity: id }}>
                      <bdi>{role}</bdi>
                    </Link>
                  ),
                },
                { id: 'mount', head: texts.mount, cell: ({ attributes }) => <code>{attributes.mount}</code> },
                {
                  id: 'cn',
                  head: texts.commonName,
                  cell: ({ attributes }) => <CommonName of={attributes['common-name']} />,
                },
                {
                  id: 'last',
                  head: texts.lastLogin,
                  isNumber: true,
                  cell: ({ attributes }) => <LastUsed at={attributes['last-used-at']} />,
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes }) =>
                    create && (
                      <Destroy
                        verb={texts.remove}
                        what={texts.identity(attributes.role)}
                        isRow
                        run={() =>
                          workspaces.send('DELETE /machine-identities/{machine_identity_id}', {
                            path: { machine_identity_id: id },
                          })
                        }
                      >
                        <p>{texts.removalHint}</p>
                      </Destroy>
                    ),
                },
              ]}
            />
          )
        }
      </QueryResult>
      {isAsking && create && <NewIdentityDialog of={of} create={create} onClose={() => setAsking(false)} />}
    </Section>
  );
}

interface NewIdentityProps {
  readonly of: string;
  readonly create: NonNullable<IdentitiesProps['create']>;
  readonly onClose: () => void;
}

function NewIdentityDialog({ of, create, onClose }: NewIdentityProps) {
  const [mount, setMount] = useState('cert');
  const [role, setRole] = useState('');
  const [name, setName] = useState('');
  const change = useChange(() => create({ mount, role, 'common-name': name || null }), onClose);
  return (
    <AskDialog
      title={texts.addAMachineIdentityTo(of)}
      action={texts.add}
      busy={change.isPending}
      fault={change.error}
      off={role.trim() === '' && texts.enterARole}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      <Field name="mount" label={texts.mount} help={texts.pathOfTheCertificate} value={mount} onText={setMount} />
      <Field name="role" label={texts.role} value={role} onText={setRole} autoFocus />
      <Field name="common-name" label={texts.commonName} help={texts.commonNameOfThe} value={name} onText={setName} />
    </AskDialog>
  );
}
