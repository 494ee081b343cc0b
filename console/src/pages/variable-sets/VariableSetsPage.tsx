import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field } from '../../components/form/Field.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { count, counted } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { useOrganization } from '../../shell/organization.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';
import styles from './variable-sets.module.css';

const LIST = 'GET /organizations/{organization_name}/varsets';
const SIZE = 50;
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
  const { q = '', page: asked = '1' } = route.useSearch();
  const page = Math.max(1, Number.parseInt(asked, 10) || 1);
  const navigate = useNavigate({ from: '/$organization/variable-sets' });
  const [isAsking, setAsking] = useState(false);
  const input = {
    path: { organization_name: organization },
    query: { 'page[number]': String(page), 'page[size]': String(SIZE), ...(q !== '' && { q }) },
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
  const canCreate = may?.['can-manage-varsets'] ?? false;
  useShortcuts(canCreate ? [{ keys: 'c', label: texts.newVariableSet, hint: true, run: () => setAsking(true) }] : []);
  const total = sets.data?.meta.pagination['total-count'] ?? 0;
  return (
    <>
      <PageHead
        title={texts.variableSets}
        beside={sets.data && <span className="soft">{count(total)}</span>}
        lede={texts.aVariableSetContains}
        actions={
          canCreate && (
            <Button look="primary" onClick={() => setAsking(true)}>
              {texts.newVariableSet2}
            </Button>
          )
        }
      />
      <div className={styles.filter}>
        <Field
          label={texts.filterByName}
          type="search"
          maxLength={100}
          value={q}
          onText={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
        />
      </div>
      <QueryResult query={sets} what={texts.variableSetsOf(organization)} missing={<code>can-read-varsets</code>}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title={q === '' ? texts.noVariableSetsYet : texts.noVariableSetsWith}
              command={`lockkeeper api POST organizations/${organization}/varsets`}
            >
              {texts.aVariableSetStores}
            </Empty>
          ) : (
            <>
              <Table
                label={texts.variableSetsOf(organization)}
                columns={columnsOf(organization)}
                items={data}
                keyOf={({ id }) => id}
                twoLines
              />
              <Pager
                page={page}
                size={SIZE}
                total={total}
                onPage={(next) => void navigate({ search: (before) => ({ ...before, page: String(next) }) })}
              />
            </>
          )
        }
      </QueryResult>
      {isAsking && <NewSet organization={organization} onClose={() => setAsking(false)} />}
    </>
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
