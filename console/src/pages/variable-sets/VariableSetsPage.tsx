import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { counted } from '../../format/number.ts';
import { ListPage } from '../../shell/list-page/ListPage.tsx';
import { pageIn, pageQuery } from '../../shell/list-page/paging.ts';
import { useOrganization } from '../../shell/organization.ts';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';
import styles from './variable-sets.module.css';

const LIST = 'GET /organizations/{organization_name}/varsets';
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/$organization/variable-sets');

type VariableSet = Resources['varsets'];

function scopeOf({ attributes }: VariableSet): string {
  if (attributes.global) return texts.everyWorkspace;
  const parts = [
    attributes['project-count'] > 0 && counted(attributes['project-count'], 'project'),
    attributes['workspace-count'] > 0 && counted(attributes['workspace-count'], 'workspace'),
  ].filter(Boolean);
  return parts.join(', ') || texts.notAvailableYet;
}

const columnsOf = (organization: string): readonly Column<VariableSet>[] => [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    cell: ({ id, attributes }) => (
      <Link to="/$organization/variable-sets/$set" params={{ organization, set: id }}>
        <bdi>{attributes.name}</bdi>
      </Link>
    ),
  },
  {
    id: 'variables',
    head: texts.variables,
    isNumber: true,
    cell: ({ attributes }) => counted(attributes['var-count'], 'variable'),
  },
  { id: 'scope', head: texts.availableTo, cell: scopeOf },
  {
    id: 'priority',
    head: texts.overridesWorkspaces,
    className: 'soft',
    cell: ({ attributes }) => (attributes.priority ? texts.hasPriority : ''),
  },
  {
    id: 'changed',
    head: texts.updated,
    isNumber: true,
    className: 'soft',
    cell: ({ attributes }) => (
      <>
        <Ago time={attributes['updated-at']} /> {texts.ago}
      </>
    ),
  },
];

/** Lists the variable sets of an organization. */
export function VariableSetsPage() {
  const { organization } = route.useParams();
  const search = route.useSearch();
  const { q = '' } = search;
  const page = pageIn(search);
  const navigate = useNavigate({ from: '/$organization/variable-sets' });
  const input = {
    path: { organization_name: organization },
    query: { ...pageQuery(page), ...(q !== '' && { q }) },
  };
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: texts.variableSets }]);
  usePathLine({
    request: workspaces.request(LIST, input),
    command: `lockkeeper api GET organizations/${organization}/varsets`,
  });
  const sets = useQuery({
    ...workspaces.query(LIST, input),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  const { may } = useOrganization(organization);
  return (
    <ListPage
      title={texts.variableSets}
      lede={texts.aVariableSetContains}
      label={texts.variableSetsOf(organization)}
      query={sets}
      columns={columnsOf(organization)}
      missing={<code>can-read-varsets</code>}
      empty={
        <Empty
          title={q === '' ? texts.noVariableSetsYet : texts.noVariableSetsWith}
          command={`lockkeeper api POST organizations/${organization}/varsets`}
        >
          {texts.aVariableSetStores}
        </Empty>
      }
      creation={
        may?.['can-manage-varsets'] === true && {
          button: texts.newVariableSet2,
          hint: texts.newVariableSet,
          dialog: (close) => <NewSet organization={organization} onClose={close} />,
        }
      }
      pages={{ page, onPage: (next) => void navigate({ search: (before) => ({ ...before, page: String(next) }) }) }}
    >
      <div className={styles.filter}>
        <Field
          label={texts.filterByName}
          type="search"
          maxLength={100}
          value={q}
          onText={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
        />
      </div>
    </ListPage>
  );
}

function NewSet({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [global, setGlobal] = useState(false);
  const [priority, setPriority] = useState(false);
  const navigate = useNavigate();
  const create = useChange(
    () =>
      workspaces.send('POST /organizations/{organization_name}/varsets', {
        path: { organization_name: organization },
        body: { data: { type: 'varsets', attributes: { name, description: description || null, global, priority } } },
      }),
    ({ data }) => void navigate({ to: '/$organization/variable-sets/$set', params: { organization, set: data.id } }),
  );
  return (
    <AskDialog
      title={texts.newVariableSet2}
      action={texts.createVariableSet}
      busy={create.isPending}
      fault={create.error}
      off={name === '' && texts.enterAName}
      onAction={() => create.mutate()}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} maxLength={90} value={name} onText={setName} autoComplete="off" autoFocus />
      <Field name="description" label={texts.description} maxLength={512} value={description} onText={setDescription} />
      <Check name="global" label={texts.availableToEveryWorkspace} checked={global} onCheck={setGlobal} />
      <Check
        name="priority"
        label={texts.priority}
        help={texts.itsValuesOverrideThose}
        checked={priority}
        onCheck={setPriority}
      />
    </AskDialog>
  );
}
