import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { day } from '../../format/time.ts';
import { sessionQuery } from '../../session/session.ts';
import { ListPage } from '../../shell/list-page/ListPage.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const LIST = ['GET /organizations', { query: { 'page[size]': '100' } }] as const;

type Organization = Resources['organizations'];

const COLUMNS: readonly Column<Organization>[] = [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    cell: ({ attributes: { name } }) => (
      <Link to="/$organization/workspaces" params={{ organization: name }}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    id: 'mode',
    head: texts.executionMode,
    className: 'soft',
    cell: ({ attributes }) => attributes['default-execution-mode'],
  },
  { id: 'email', head: texts.email, className: 'soft', cell: ({ attributes }) => <bdi>{attributes.email}</bdi> },
  {
    id: 'created',
    head: texts.created,
    isNumber: true,
    className: 'soft',
    cell: ({ attributes }) => day(attributes['created-at']),
  },
];

/** Organizations of the current user. */
export function OrganizationsPage() {
  usePlace([{ label: texts.organizations }]);
  usePathLine({ request: workspaces.request(...LIST), command: 'lockkeeper api GET organizations' });
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <ListPage
      title={texts.organizations}
      lede={texts.anOrganizationIsA}
      label={texts.organizations}
      query={useQuery(workspaces.query(...LIST))}
      columns={COLUMNS}
      unit={texts.organization}
      empty={
        <Empty title={texts.noOrganizationsYet} command="lockkeeper api POST organizations">
          {texts.anOrganizationContainsProjects}
        </Empty>
      }
      creation={
        // Team and organization tokens cannot create organizations.
        session.workspaces?.kind === 'user' && {
          button: texts.newOrganization2,
          hint: texts.newOrganization,
          dialog: (close) => <NewOrganization onClose={close} />,
        }
      }
    />
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
      title={texts.newOrganization2}
      action={texts.createOrganization}
      busy={create.isPending}
      fault={create.error}
      off={(name === '' || email === '') && texts.enterANameAnd}
      onAction={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        name="name"
        label={texts.name}
        help={texts.lettersDigitsAndPart}
        value={name}
        onText={setName}
        autoComplete="off"
        spellCheck={false}
        autoFocus
      />
      <Field
        name="email"
        label={texts.email}
        help={texts.contactAddressOfTheOrganization}
        type="email"
        value={email}
        onText={setEmail}
      />
    </AskDialog>
  );
}
