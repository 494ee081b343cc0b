import { useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Dialog } from '../../components/dialog/Dialog.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { List, ListBones } from '../../components/list/List.tsx';
import { PAGE, useWindowed } from '../../components/list/windowed.ts';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { count, counted } from '../../format/number.ts';
import { exact } from '../../format/time.ts';
import { moduleTree } from './modules.ts';
import type { ResourceSearch } from './ResourcesPage.tsx';
import styles from './resources.module.css';
import * as texts from './texts.ts';

const LIST = 'GET /workspaces/{workspace_id}/resources';
const EVERY_MS = 10_000;

type Resource = Resources['resources'];

interface Row {
  readonly item: Resource;
}

interface ResourceListProps {
  readonly workspaceId: string;
  /** Provides the filter values; its counts cover all resources. */
  readonly version: Resources['state-versions'];
  readonly search: ResourceSearch;
  readonly onSearch: (search: ResourceSearch) => void;
}

/** Managed resources of a workspace. The server searches and filters. */
export function ResourceList({ workspaceId, version, search, onSearch }: ResourceListProps) {
  const { q, module, provider, type } = search;
  const path = { workspace_id: workspaceId };
  const query = {
    ...(q && { q }),
    ...(module && { 'filter[module]': module }),
    ...(provider && { 'filter[provider]': provider }),
    ...(type && { 'filter[type]': type }),
  };
  const request = workspaces.request(LIST, { path, query });
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  const list = useWindowed(
    (page) =>
      workspaces.query(LIST, { path, query: { ...query, 'page[number]': String(page), 'page[size]': String(PAGE) } }),
    EVERY_MS,
  );
  const { attributes } = version;
  const change = (more: ResourceSearch) =>
    onSearch(Object.fromEntries(Object.entries({ ...search, ...more }).filter(([, value]) => value)));
  const open = ({ attributes: { address } }: Resource) => change({ resource: address });
  const columns = columnsOf(open);
  return (
    <div className={styles.split}>
      <Modules counts={attributes.modules} module={module} onModule={(name) => change({ module: name })} />
      <div>
        <div className={styles.filters}>
          <Field label={texts.searchInAddresses} value={q ?? ''} onText={(text) => change({ q: text })} type="search" />
          <Select
            label={texts.type}
            value={type ?? ''}
            options={[['', texts.allTypes], ...typesOf(attributes.resources, type)]}
            onText={(value) => change({ type: value })}
          />
          <Select
            label={texts.provider}
            value={provider ?? ''}
            options={[['', texts.allProviders], ...providersOf(attributes.resources, provider)]}
            onText={(value) => change({ provider: value })}
          />
        </div>
        <p className={`${styles.found} soft`} role="status">
          {list.first.data && Object.keys(query).length > 0 && texts.found(counted(list.total, texts.resource))}
        </p>
        <QueryResult
          query={list.first}
          what={texts.theResources}
          bones={<ListBones label={texts.resources} columns={columns} className={styles.list ?? ''} />}
        >
          {() =>
            list.total === 0 ? (
              <Empty
                title={texts.noMatchingResources}
                action={<Button onClick={() => onSearch({})}>{texts.showAllResources}</Button>}
              >
                {texts.noResourceOfThe}
              </Empty>
            ) : (
              <List<Row>
                label={texts.resources}
                columns={columns}
                className={styles.list ?? ''}
                total={list.total}
                row={list.row}
                keyOf={({ item }) => item.id}
                onShow={list.show}
                onOpen={({ item }) => open(item)}
                sort=""
                onSort={() => {}}
              />
            )
          }
        </QueryResult>
      </div>
      {search.resource && (
        <ResourceDialog workspaceId={workspaceId} address={search.resource} onClose={() => change({ resource: '' })} />
      )}
    </div>
  );
}

function columnsOf(onOpen: (resource: Resource) => void): readonly Column<Row>[] {
  return [
    {
      id: 'address',
      head: texts.resource2,
      isName: true,
      className: styles.address,
      cell: ({ item }) => (
        <button type="button" title={item.attributes.address} onClick={() => onOpen(item)}>
          <code>{item.attributes.address}</code>
        </button>
      ),
    },
    {
      id: 'provider',
      head: texts.provider,
      className: `${styles.provider} soft`,
      cell: ({ item }) => item.attributes.provider,
    },
    {
      id: 'needs',
      head: texts.dependencies,
      isNumber: true,
      className: styles.needs,
      cell: ({ item }) => item.attributes.dependencies && count(item.attributes.dependencies.length),
    },
    {
      id: 'changed',
      head: texts.updated,
      isNumber: true,
      className: `${styles.changed} soft`,
      cell: ({ item }) => <Ago time={item.attributes['updated-at']} />,
    },
  ];
}

interface ModulesProps {
  readonly counts: Parameters<typeof moduleTree>[0];
  readonly module: string | undefined;
  readonly onModule: (name: string) => void;
}

function Modules({ counts, module, onModule }: ModulesProps) {
  const tree = moduleTree(counts);
  if (tree.length <= 1) return null;
  return (
    <section className={styles.modules} aria-labelledby="modules">
      <h2 id="modules">{texts.modules}</h2>
      <ul>
        <li>
          <button type="button" aria-pressed={module === undefined} onClick={() => onModule('')}>
            <span>{texts.all}</span>
          </button>
        </li>
        {tree.map(({ name, label, depth, count: inIt }) => (
          <li key={name} style={{ paddingInlineStart: `${Math.max(0, Math.min(depth, 8) - 1) * 12}px` }}>
            <button type="button" aria-pressed={name === module} title={name} onClick={() => onModule(name)}>
              <span className={name === 'root' ? '' : 'mono'}>{label}</span>
              <span className="soft num">{count(inIt)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Shown = Resources['state-versions']['attributes']['resources'];
type Option = readonly [value: string, label: string];

/** Options from the resources in the state version document. The chosen value is always included. */
function optionsOf(values: Iterable<string>, chosen: string | undefined): readonly Option[] {
  const all = new Set([...values, ...(chosen ? [chosen] : [])]);
  return [...all].toSorted().map((value) => [value, value] as const);
}

const managed = (shown: Shown) => shown.filter(({ type }) => !type.startsWith('data.'));
const typesOf = (shown: Shown, chosen: string | undefined) =>
  optionsOf(
    managed(shown).map(({ type }) => type),
    chosen,
  );

/** Converts `provider["registry.terraform.io/hashicorp/aws"].west` to `hashicorp/aws`, as in resources. */
const providersOf = (shown: Shown, chosen: string | undefined) =>
  optionsOf(
    managed(shown).map(({ provider }) => {
      const source = /\["([^"]+)"\]/.exec(provider)?.[1];
      if (source === undefined) return provider.split('.')[1] ?? provider;
      const parts = source.split('/');
      return parts.length > 2 ? parts.slice(1).join('/') : source;
    }),
    chosen,
  );

interface ResourceDialogProps {
  readonly workspaceId: string;
  readonly address: string;
  readonly onClose: () => void;
}

/** Details of one resource, whether it is in the visible part of the list or not. */
function ResourceDialog({ workspaceId, address, onClose }: ResourceDialogProps) {
  const found = useQuery(
    workspaces.query(LIST, { path: { workspace_id: workspaceId }, query: { 'filter[address]': address } }),
  );
  return (
    <Dialog title={address} onClose={onClose} wide>
      <QueryResult query={found} what={texts.theResource}>
        {({ data: [resource] }) =>
          resource ? <ResourceFacts of={resource} /> : <p className="soft">{texts.theResourceIsNot}</p>
        }
      </QueryResult>
      <p className={styles.close}>
        <Button onClick={onClose}>{texts.close}</Button>
      </p>
    </Dialog>
  );
}

function ResourceFacts({ of: { attributes } }: { readonly of: Resource }) {
  const { dependencies } = attributes;
  return (
    <>
      <Facts
        of={[
          [texts.type, <code key="type">{attributes['provider-type']}</code>],
          [texts.provider, attributes.provider],
          [texts.module, attributes.module],
          [texts.key, attributes['name-index']],
          [texts.created, exact(attributes['created-at'])],
          [texts.updated, exact(attributes['updated-at'])],
          [texts.updatedByState, <code key="by">{attributes['modified-by-state-version-id']}</code>],
        ]}
      />
      <h3 className={styles.subhead}>{texts.dependencies}</h3>
      {dependencies === null && <p className="soft">{texts.unknownTheServerRead}</p>}
      {dependencies?.length === 0 && <p className="soft">{texts.none}</p>}
      {dependencies && dependencies.length > 0 && (
        <ul className={styles.dependencies}>
          {dependencies.map((address) => (
            <li key={address}>
              <code>{address}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
