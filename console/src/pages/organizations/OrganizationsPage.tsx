import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { Field } from '../../components/form/Field.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { counted } from '../../format/number.ts';
import { day } from '../../format/time.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { sessionQuery } from '../../session/session.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';

const LIST = ['GET /organizations', { query: { 'page[size]': '100' } }] as const;

type Organization = Resources['organizations'];

const COLUMNS: readonly Column<Organization>[] = [
  {
    id: 'name',
    head: 'Name',
    isName: true,
    cell: ({ attributes: { name } }) => (
      <Link to="/$organization/workspaces" params={{ organization: name }}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    id: 'mode',
    head: 'Execution mode',
    className: 'soft',
    cell: ({ attributes }) => attributes['default-execution-mode'],
  },
  { id: 'email', head: 'Email', className: 'soft', cell: ({ attributes }) => <bdi>{attributes.email}</bdi> },
  {
    id: 'created',
    head: 'Created',
    isNumber: true,
    className: 'soft',
    cell: ({ attributes }) => day(attributes['created-at']),
  },
];

/** Which organizations there are for whoever asks. */
export function OrganizationsPage() {
  usePlace([{ label: 'Organizations' }]);
  usePathLine({ request: workspaces.request(...LIST), command: 'lockkeeper api GET organizations' });
  const [isAsking, setAsking] = useState(false);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const organizations = useQuery(workspaces.query(...LIST));
  const meta = organizations.data?.meta.pagination;
  // A token of a team or an organization makes none.
  const may = session.workspaces?.kind === 'user';
  useShortcuts(may ? [{ keys: 'c', label: 'new organization', hint: true, run: () => setAsking(true) }] : []);
  const create = may && (
    <Button look="primary" onClick={() => setAsking(true)}>
      New organization
    </Button>
  );
  return (
    <>
      <PageHead
        title="Organizations"
        beside={meta && <span className="soft">{counted(meta['total-count'] ?? 0, 'organization')}</span>}
        lede="Each has workspaces, teams, tokens and agents of its own, and sees nothing of the others."
        actions={create}
      />
      <Answered query={organizations} what="Organizations">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No organization yet" command="lockkeeper api POST organizations">
              An organization holds workspaces, teams and runs. You are a member of none; make one, or be invited.
            </Empty>
          ) : (
            <Table label="Organizations" columns={COLUMNS} items={data} keyOf={({ id }) => id} twoLines />
          )
        }
      </Answered>
      {isAsking && <NewOrganization onClose={() => setAsking(false)} />}
    </>
  );
}

function NewOrganization({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const navigate = useNavigate();
  const create = useChange(
    () =>
      workspaces.send('POST /organizations', {
        body: { data: { type: 'organizations', attributes: { name, email } } },
      }),
    () => void navigate({ to: '/$organization/workspaces', params: { organization: name } }),
  );
  return (
    <AskDialog
      title="New organization"
      action="Create organization"
      busy={create.isPending}
      fault={create.error}
      off={(name === '' || email === '') && 'It needs a name and an address'}
      onAction={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        name="name"
        label="Name"
        help="Letters, digits, - and _. It stands in every address."
        value={name}
        onText={setName}
        autoComplete="off"
        spellCheck={false}
        autoFocus
      />
      <Field name="email" label="Email" help="Whom to write to." type="email" value={email} onText={setEmail} />
    </AskDialog>
  );
}
