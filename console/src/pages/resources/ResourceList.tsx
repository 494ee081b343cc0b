import { useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Dialog } from '../../components/dialog/Dialog.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { List, ListBones } from '../../components/list/List.tsx';
import { PAGE, useWindowed } from '../../components/list/windowed.ts';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { count, counted } from '../../format/number.ts';
import { exact } from '../../format/time.ts';
import { moduleTree } from './modules.ts';
import type { ResourceSearch } from './ResourcesPage.tsx';
import styles from './resources.module.css';

const LIST = 'GET /workspaces/{workspace_id}/resources';
const EVERY_MS = 10_000;

type Resource = Resources['resources'];

interface Row {
  readonly item: Resource;
}

interface ResourceListProps {
  readonly workspaceId: string;
  /** What can be filtered by: its counts are of all. */
  readonly version: Resources['state-versions'];
  readonly search: ResourceSearch;
  readonly onSearch: (search: ResourceSearch) => void;
}

/** The instances that a workspace manages; the server searches and filters. */
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
          <Field label="Search in addresses" value={q ?? ''} onText={(text) => change({ q: text })} type="search" />
          <Select
            label="Type"
            value={type ?? ''}
            options={[['', 'all types'], ...typesOf(attributes.resources, type)]}
            onText={(value) => change({ type: value })}
          />
          <Select
            label="Provider"
            value={provider ?? ''}
            options={[['', 'all providers'], ...providersOf(attributes.resources, provider)]}
            onText={(value) => change({ provider: value })}
          />
        </div>
        <p className={`${styles.found} soft`} role="status">
          {list.first.data && Object.keys(query).length > 0 && `${counted(list.total, 'resource')} found`}
        </p>
        <Answered
          query={list.first}
          what="The resources"
          bones={<ListBones label="Resources" columns={columns} className={styles.list ?? ''} />}
        >
          {() =>
            list.total === 0 ? (
              <Empty title="No resource fits" action={<Button onClick={() => onSearch({})}>Show all resources</Button>}>
                None of the current state has all of this.
              </Empty>
            ) : (
              <List<Row>
                label="Resources"
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
        </Answered>
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
      head: 'Resource',
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
      head: 'Provider',
      className: `${styles.provider} soft`,
      cell: ({ item }) => item.attributes.provider,
    },
    {
      id: 'needs',
      head: 'Needs',
      isNumber: true,
      className: styles.needs,
      cell: ({ item }) => item.attributes.dependencies && count(item.attributes.dependencies.length),
    },
    {
      id: 'changed',
      head: 'Changed',
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
      <h2 id="modules">Modules</h2>
      <ul>
        <li>
          <button type="button" aria-pressed={module === undefined} onClick={() => onModule('')}>
            <span>all</span>
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

/** Of those that the document of a state shows; what is chosen stays, whatever it is. */
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

/** `provider["registry.terraform.io/hashicorp/aws"].west` → `hashicorp/aws`, as resources say it. */
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

/** One of them, whether it is in view in the list or not. */
function ResourceDialog({ workspaceId, address, onClose }: ResourceDialogProps) {
  const found = useQuery(
    workspaces.query(LIST, { path: { workspace_id: workspaceId }, query: { 'filter[address]': address } }),
  );
  return (
    <Dialog title={address} onClose={onClose} wide>
      <Answered query={found} what="The resource">
        {({ data: [resource] }) =>
          resource ? <ResourceFacts of={resource} /> : <p className="soft">It is not in the current state.</p>
        }
      </Answered>
      <p className={styles.close}>
        <Button onClick={onClose}>Close</Button>
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
          ['Type', <code key="type">{attributes['provider-type']}</code>],
          ['Provider', attributes.provider],
          ['Module', attributes.module],
          ['Key', attributes['name-index']],
          ['There since', exact(attributes['created-at'])],
          ['Changed', exact(attributes['updated-at'])],
          ['By the state', <code key="by">{attributes['modified-by-state-version-id']}</code>],
        ]}
      />
      <h3 className={styles.subhead}>Needs</h3>
      {dependencies === null && (
        <p className="soft">Not known: the state was read before this was kept. The next one says it.</p>
      )}
      {dependencies?.length === 0 && <p className="soft">Nothing.</p>}
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
