import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../button/Button.tsx';
import { Destroy } from '../destroy/Destroy.tsx';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Answered } from '../faces/Answered.tsx';
import { Field } from '../form/Field.tsx';
import { Section } from '../section/Section.tsx';
import { Table } from '../table/Table.tsx';
import { CommonName, LastUsed } from './OfRole.tsx';

type Identity = Resources['machine-identities'];
/** What is known of a machine that is let in. */
export interface NewIdentity {
  readonly mount: string;
  readonly role: string;
  readonly 'common-name': string | null;
}

interface IdentitiesProps {
  /** `team network`. */
  readonly of: string;
  readonly query: UseQueryResult<{ readonly data: readonly Identity[] }>;
  readonly create?: ((attributes: NewIdentity) => Promise<unknown>) | undefined;
}

/** Which logins by certificate act for a team, or carry out the runs of a pool. */
export function MachineIdentities({ of, query, create }: IdentitiesProps) {
  const [isAsking, setAsking] = useState(false);
  const open = create && (
    <Button look="small" onClick={() => setAsking(true)}>
      Add machine identity…
    </Button>
  );
  return (
    <Section title="Machine identities" end={open}>
      <p className="soft">
        Who logs in by certificate at such a role acts for <bdi>{of}</bdi>. No secret is kept on the machine.
      </p>
      <Answered query={query} what="Machine identities">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">There is none.</p>
          ) : (
            <Table
              label={`Machine identities of ${of}`}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'role',
                  head: 'Role',
                  isName: true,
                  cell: ({ id, attributes: { mount, role } }) => (
                    <Link to="/~access/machine-identities" search={{ mount, role, identity: id }}>
                      <bdi>{role}</bdi>
                    </Link>
                  ),
                },
                { id: 'mount', head: 'Mount', cell: ({ attributes }) => <code>{attributes.mount}</code> },
                {
                  id: 'cn',
                  head: 'Common name',
                  cell: ({ attributes }) => <CommonName of={attributes['common-name']} />,
                },
                {
                  id: 'last',
                  head: 'Last came in',
                  isNumber: true,
                  cell: ({ attributes }) => <LastUsed at={attributes['last-used-at']} />,
                },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes }) =>
                    create && (
                      <Destroy
                        verb="Remove"
                        what={`identity ${attributes.role}`}
                        isRow
                        run={() =>
                          workspaces.send('DELETE /machine-identities/{machine_identity_id}', {
                            path: { machine_identity_id: id },
                          })
                        }
                      >
                        <p>
                          Machines that log in there do not act for <bdi>{of}</bdi> any more.
                        </p>
                      </Destroy>
                    ),
                },
              ]}
            />
          )
        }
      </Answered>
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
      title={`Add a machine identity to ${of}`}
      action="Add"
      busy={change.isPending}
      fault={change.error}
      off={role.trim() === '' && 'It needs a role'}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      <Field name="mount" label="Mount" help="Of the certificate method." value={mount} onText={setMount} />
      <Field name="role" label="Role" value={role} onText={setRole} autoFocus />
      <Field
        name="common-name"
        label="Common name"
        help="Of the certificate; empty for any that the role lets in."
        value={name}
        onText={setName}
      />
    </AskDialog>
  );
}
